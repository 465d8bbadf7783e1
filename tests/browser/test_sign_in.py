"""With an OpenID provider set up, runs belong to the person who signed in."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.provider import CLIENT, Provider
from tests.browser.serving import Server
from tests.browser.steps import button, press, sees, settled


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
    page: Page, elsewhere: Page, signed_server: Server, provider: Provider
):
    page.goto(signed_server.address)
    _sign_in(page)
    press(page, "Open the sample")
    page.wait_for_url("**/*run=*")
    _see_runs(page)
    sees(page, "Signed in as ada@example.org", "Select one run to open")
    _sign_out(page)

    provider.person = "bob"
    _sign_in(page)
    _see_runs(page)
    sees(page, "Signed in as bob@example.org", "No runs yet")

    provider.person = "ada"
    elsewhere.goto(signed_server.address)  # another computer of the same person
    _sign_in(elsewhere)
    elsewhere.goto(f"{signed_server.address}/runs")
    sees(elsewhere, "Signed in as ada@example.org", "Select one run to open")


def _see_runs(page: Page) -> None:
    settled(page)
    page.get_by_role("link", name="Runs", exact=True).click()


def _sign_in(page: Page) -> None:
    press(page, "Sign in")
    expect(button(page, "Open the sample")).to_be_visible()
    settled(page)


def _sign_out(page: Page) -> None:
    press(page, "Sign out")
    expect(button(page, "Sign in")).to_be_visible()
    settled(page)
