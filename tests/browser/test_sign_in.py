"""With an OpenID provider set up, runs belong to the person who signed in."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Server
from tests.browser.provider import CLIENT, Provider

PATIENCE = 60_000


@pytest.fixture
def provider() -> Iterator[Provider]:
    running = Provider()
    yield running
    running.close()


@pytest.fixture
def signed_server(tmp_path: Path, provider: Provider) -> Iterator[Server]:
    running = Server(tmp_path / "workspace")
    secrets = tmp_path / "secrets.toml"
    secrets.write_text(
        "[auth]\n"
        f'redirect_uri = "{running.address}/oauth2callback"\n'
        'cookie_secret = "only for this test, and long enough"\n'
        f'client_id = "{CLIENT}"\n'
        'client_secret = "secret"\n'
        f'server_metadata_url = "{provider.discovery}"\n',
        "utf-8",
    )
    running.start(f"--secrets.files={secrets}")
    yield running
    running.kill()


def test_runs_belong_to_who_signed_in(
    browser: Browser, signed_server: Server, provider: Provider
) -> None:
    first = browser.new_context().new_page()
    _sign_in(first, signed_server)
    first.get_by_role("button", name="Open the sample").click()
    first.wait_for_url("**/*run=*", timeout=PATIENCE)
    _runs(first, signed_server, "ada@example.org")
    expect(first.get_by_text("Select one run to open")).to_be_visible(timeout=PATIENCE)
    first.context.close()

    provider.person = "bob"
    other = browser.new_context().new_page()
    _sign_in(other, signed_server)
    _runs(other, signed_server, "bob@example.org")
    expect(other.get_by_text("No runs yet")).to_be_visible(timeout=PATIENCE)
    other.context.close()

    provider.person = "ada"
    elsewhere = browser.new_context().new_page()  # another computer of the same person
    _sign_in(elsewhere, signed_server)
    _runs(elsewhere, signed_server, "ada@example.org")
    expect(elsewhere.get_by_text("Select one run to open")).to_be_visible(timeout=PATIENCE)

    elsewhere.get_by_role("button", name="Sign out").click()
    expect(elsewhere.get_by_role("button", name="Sign in")).to_be_visible(timeout=PATIENCE)
    elsewhere.context.close()


def _sign_in(page: Page, server: Server) -> None:
    page.goto(server.address)
    page.get_by_role("button", name="Sign in").click(timeout=PATIENCE)
    expect(page.get_by_role("button", name="Open the sample")).to_be_visible(timeout=PATIENCE)


def _runs(page: Page, server: Server, signed: str) -> None:
    page.goto(f"{server.address}/runs")
    expect(page.get_by_text(f"Signed in as {signed}")).to_be_visible(timeout=PATIENCE)
