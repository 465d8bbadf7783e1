"""Who may speak to the server, and the cookie that no script can read."""

import asyncio
import tomllib
from concurrent.futures import ThreadPoolExecutor
from http.cookies import SimpleCookie
from pathlib import Path

import pytest

from ui.doorkeeper import COOKIE, Doorkeeper

PAGE = {"accept": "text/html", "sec-fetch-dest": "document"}
IN = b"in"


async def application(scope, receive, send):
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": IN})


def asked(kind: str = "http", path: str = "/", **headers: str) -> list[dict]:
    """What the doorkeeper sends back."""
    given = {"host": "localhost:8501", **headers}
    lines = [(name.replace("_", "-").encode(), text.encode()) for name, text in given.items()]
    scope = {"type": kind, "path": path, "method": "GET", "scheme": "http", "headers": lines}
    sent: list[dict] = []

    async def send(message):
        sent.append(message)

    asked_apart = Doorkeeper(application)(scope, None, send)
    with ThreadPoolExecutor(1) as thread:  # where no browser's event loop runs
        thread.submit(asyncio.run, asked_apart).result()
    return sent


def page(**headers: str) -> tuple[int, bytes, str]:
    start, body = asked(**{name.replace("-", "_"): text for name, text in PAGE.items()}, **headers)
    return start["status"], body["body"], dict(start["headers"]).get(b"set-cookie", b"").decode()


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1:8501", "192.168.1.7", "[::1]:8501"])
def test_a_server_is_known_by_its_own_names(host):
    assert page(host=host)[:2] == (200, IN)
    assert asked("websocket", host=host, origin=f"http://{host}")[0]["type"] == "websocket.accept"


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "127.0.0.1.nip.io"])
def test_a_foreign_name_is_refused_for_pages_and_websocket(host):
    """The websocket took any name, if only the page had the same."""
    assert page(host=host)[0] == 421
    assert asked("websocket", host=host, origin=f"http://{host}")[0]["type"] == "websocket.close"


def test_names_can_be_allowed(monkeypatch):
    monkeypatch.setenv("GLOCALX_HOSTS", "rules.example, other.example")
    assert page(host="rules.example")[:2] == (200, IN)
    assert page(host="evil.example")[0] == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost.evil.example"])
def test_a_page_speaks_only_to_the_server_it_came_from(origin):
    assert asked("websocket", origin=origin)[0]["type"] == "websocket.close"
    assert asked("websocket", origin="http://localhost:8501")[0]["type"] == "websocket.accept"


def test_a_browser_gets_a_cookie_that_no_script_reads_and_keeps_it():
    _, _, line = page()
    assert "; HttpOnly; SameSite=Lax" in line
    assert "Secure" not in line
    name = SimpleCookie(line)[COOKIE].value
    assert len(name) > 30
    assert SimpleCookie(page(cookie=f"a=b; {COOKIE}={name}")[2])[COOKIE].value == name
    assert page(x_forwarded_proto="https")[2].endswith("; Secure")
    start, _ = asked(path="/_stcore/health", accept="text/html")
    assert start["headers"] == []


@pytest.mark.parametrize("other", ["a=b c", 'a={"k": [1, 2]}', "a=é", "a", "b]=c", "=; ;"])
@pytest.mark.parametrize("first", [True, False])
def test_a_strange_cookie_of_another_program_costs_nobody_the_own(other, first):
    """A space in its value, and the browser was a new one, without runs, on every page."""
    both = [other, f"{COOKIE}=mine"] if first else [f"{COOKIE}=mine", other]
    assert page(cookie="; ".join(both))[2].startswith(f"{COOKIE}=mine; ")


def test_a_cookie_that_was_made_up_is_not_repeated():
    _, _, line = page(cookie=f'{COOKIE}="x\\015\\012y"')
    assert len(line.splitlines()) == 1
    assert len(SimpleCookie(line)[COOKIE].value) > 30


def test_a_cookie_that_is_kept_back_is_not_replaced():
    """A strict one does not come along from another site: the page asks again, from here."""
    status, body, line = page(sec_fetch_site="cross-site")
    assert (status, line) == (200, "")
    assert b"http-equiv=refresh" in body


def test_errors_of_the_framework_lead_to_no_other_service():
    config = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text())
    assert config["client"]["showErrorLinks"] is False
    assert config["client"]["showErrorDetails"] == "none"
