"""Who may speak to the server at all, and who a browser is.

A page of somebody else could have its own name point to this machine and then read what is here:
so names are checked, for pages and for the websocket, and a page speaks only to the server that it
came from. What tells browsers apart is a cookie that no script can read.
"""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOSTS = "GLOCALX_HOSTS"
COOKIE = "glocalx_browser"
YEAR = 365 * 24 * 3600
_UNSTORED = {"cache-control": "no-store"}
_REFUSED = PlainTextResponse(
    "This server is not known by that name. Whoever runs it can allow it: GLOCALX_HOSTS.",
    421,
    _UNSTORED,
)
_AGAIN = HTMLResponse(
    "<!doctype html><meta http-equiv=refresh content=0><title>GLocalX</title>", 200, _UNSTORED
)


def is_allowed(host: str) -> bool:
    """Whether a server may be called by this name: localhost, a number, or as its owner says.

    A number cannot be made to point elsewhere.

    Examples
    --------
    >>> is_allowed("localhost:8501"), is_allowed("127.0.0.1"), is_allowed("[::1]:80")
    (True, True, True)
    >>> is_allowed("evil.example")
    False
    """
    name = _name(f"//{host}")
    if name == "localhost" or name in _allowed_names():
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _allowed_names() -> set[str]:
    given = os.environ.get(HOSTS, "")
    return {name.strip().casefold() for name in given.split(",") if name.strip()}


def _name(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").casefold()
    except ValueError:
        return ""


class Doorkeeper:
    """Stands before the whole application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers, is_socket = Headers(scope=scope), scope["type"] == "websocket"
        host, origin = headers.get("host", ""), headers.get("origin")
        foreign = origin is not None and _name(origin) != _name(f"//{host}")
        refused = not is_allowed(host)
        if is_socket and (refused or foreign):
            await send({"type": "websocket.close", "code": 1008})
        elif refused:
            await _REFUSED(scope, receive, send)
        elif not is_socket and _is_page(scope, headers):
            await self._page(scope, headers, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _page(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        """A page: the browser gets its cookie, or keeps the one that it has."""
        known = _cookie(headers.get("cookie", ""))
        if known is None and headers.get("sec-fetch-site") == "cross-site":
            # A browser may keep its cookie back on the way from another site, not from here.
            await _AGAIN(scope, receive, send)
            return
        value = known or secrets.token_urlsafe(24)
        secure = scope.get("scheme") == "https" or headers.get("x-forwarded-proto") == "https"
        line = f"{COOKIE}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax"
        line += "; Secure" if secure else ""

        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"set-cookie", line.encode())]
            await send(message)

        await self._app(scope, receive, with_cookie)


def _is_page(scope: Scope, headers: Headers) -> bool:
    wanted = headers.get("sec-fetch-dest") == "document" or "text/html" in headers.get("accept", "")
    return scope["method"] == "GET" and wanted and "/_stcore/" not in scope["path"]


def _cookie(line: str) -> str | None:
    """The browser's name as it is kept, unless somebody made it up.

    Other programs of the same host leave cookies that no standard allows, which browsers send.
    """
    value = cookie_parser(line).get(COOKIE, "")
    return value if re.fullmatch(r"[\w-]{1,80}", value, re.ASCII) else None
