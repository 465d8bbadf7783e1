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
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from starlette.requests import cookie_parser

HOSTS = "GLOCALX_HOSTS"
COOKIE = "glocalx_browser"
YEAR = 365 * 24 * 3600
_REFUSED = b"This server is not known by that name. Whoever runs it can allow it: GLOCALX_HOSTS."
_AGAIN = b"<!doctype html><meta http-equiv=refresh content=0><title>GLocalX</title>"

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Any]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]


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

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        host, origin = headers.get("host", ""), headers.get("origin")
        foreign = origin is not None and _name(origin) != _name(f"//{host}")
        if not is_allowed(host) or (foreign and scope["type"] == "websocket"):
            await _refuse(scope, send)
        elif scope["type"] == "http" and _is_page(scope, headers):
            await self._page(scope, headers, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _page(
        self, scope: Scope, headers: dict[str, str], receive: Receive, send: Send
    ) -> None:
        """A page: the browser gets its cookie, or keeps the one that it has."""
        known = _cookie(headers.get("cookie", ""))
        if known is None and headers.get("sec-fetch-site") == "cross-site":
            # A browser may keep its cookie back on the way from another site, not from here.
            await _answer(send, 200, _AGAIN, b"text/html")
            return
        value = known or secrets.token_urlsafe(24)
        secure = scope.get("scheme") == "https" or headers.get("x-forwarded-proto") == "https"
        line = f"{COOKIE}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax"
        line += "; Secure" if secure else ""

        async def with_cookie(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"set-cookie", line.encode())]
            await send(message)

        await self._app(scope, receive, with_cookie)


def _is_page(scope: Scope, headers: dict[str, str]) -> bool:
    wanted = headers.get("sec-fetch-dest") == "document" or "text/html" in headers.get("accept", "")
    return scope["method"] == "GET" and wanted and "/_stcore/" not in scope["path"]


def _cookie(line: str) -> str | None:
    """The browser's name as it is kept, unless somebody made it up.

    Other programs of the same host leave cookies that no standard allows, which browsers send.
    """
    value = cookie_parser(line).get(COOKIE, "")
    return value if re.fullmatch(r"[\w-]{1,80}", value, re.ASCII) else None


async def _refuse(scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
    else:
        await _answer(send, 421, _REFUSED, b"text/plain")


async def _answer(send: Send, status: int, body: bytes, kind: bytes) -> None:
    headers = [(b"content-type", kind + b"; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
