"""People on a real server without browsers: websockets that speak as Streamlit's page does."""

from __future__ import annotations

import asyncio
import http.client
import random
import time
from dataclasses import dataclass, field
from uuid import uuid4

import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from tests.browser.serving import Server

LOOKING = (1.5, 3.5)  # seconds that a person looks at a step
_ENDS = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


@dataclass(slots=True)
class Visitor:
    """One open page.

    Parameters
    ----------
    server, socket
        Who answers, and how it is spoken to.
    cookie
        That tells this browser from others.
    query
        Of the address, as the browser has it by now.
    page, fragment, button, uploader, session
        What the browser knows of the page: its own name, that of the button *Step*, that of the
        place for files, and that of the session.
    known
        Large messages that it has, which need not be sent again.
    """

    server: Server
    socket: ClientConnection
    cookie: str
    query: str
    page: str = ""
    fragment: str = ""
    button: str = ""
    uploader: str = ""
    session: str = ""
    known: set[str] = field(default_factory=set)

    async def open(self, name: str) -> float:
        """Go to a page by its name; seconds until it has come."""
        asked = self._rerun()
        asked.rerun_script.page_name = name
        return await self._ask(asked)

    async def step(self) -> float:
        """Press *Step*; seconds until the step has come."""
        asked = self._rerun()
        asked.rerun_script.fragment_id = self.fragment
        pressed = asked.rerun_script.widget_states.widgets.add()
        pressed.id, pressed.trigger_value = self.button, True
        return await self._ask(asked)

    async def bring(self, name: str, content: bytes) -> float:
        """Hand a file over to the page; seconds until it was read and what follows has come."""
        file = str(uuid4())
        path = f"/_stcore/upload_file/{self.session}/{file}"
        await asyncio.to_thread(_put, self.server, path, self.cookie, name, content)
        asked = self._rerun()
        state = asked.rerun_script.widget_states.widgets.add()
        state.id = self.uploader
        brought = state.file_uploader_state_value.uploaded_file_info.add()
        brought.name, brought.size, brought.file_id = name, len(content), file
        brought.file_urls.file_id = file
        brought.file_urls.upload_url = brought.file_urls.delete_url = path
        return await self._ask(asked)

    def _rerun(self) -> BackMsg:
        asked = BackMsg()
        state = asked.rerun_script
        state.query_string, state.page_script_hash = self.query, self.page
        state.context_info.color_scheme = "light"
        state.cached_message_hashes.extend(self.known)
        return asked

    async def _ask(self, asked: BackMsg) -> float:
        begun = time.perf_counter()
        await self.socket.send(asked.SerializeToString())
        while not self._take(ForwardMsg.FromString(await self._received())):
            pass
        return time.perf_counter() - begun

    async def _received(self) -> bytes:
        message = await self.socket.recv()
        assert isinstance(message, bytes)
        return message

    def _take(self, message: ForwardMsg) -> bool:
        """Keep what the browser would; whether that was the last message."""
        kind = message.WhichOneof("type")
        if kind == "script_finished":
            return message.script_finished in _ENDS
        if kind == "new_session":
            self.page = message.new_session.page_script_hash
            self.session = message.new_session.initialize.session_id
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta":
            self._see(message)
        return False

    def _see(self, message: ForwardMsg) -> None:
        if message.metadata.cacheable:
            self.known.add(message.hash)
        element = message.delta.new_element
        match element.WhichOneof("type"):
            case "exception":
                raise RuntimeError(element.exception.message)
            case "button" if element.button.label == "Step":
                self.button, self.fragment = element.button.id, message.delta.fragment_id
            case "file_uploader":
                self.uploader = element.file_uploader.id


async def visitor(server: Server, name: str, query: str = "") -> Visitor:
    """Somebody who has connected; nothing is open yet."""
    cookie = f"glocalx_browser={name}"
    socket = await connect(
        f"ws://localhost:{server.port}/_stcore/stream",
        subprotocols=["streamlit"],  # type: ignore[list-item] # a type of its own for str
        additional_headers={"Cookie": cookie},
        origin=server.address,  # type: ignore[arg-type] # likewise
        max_size=None,
    )
    return Visitor(server, socket, cookie, query)


async def look_and_step(one: Visitor, number: int, until: float) -> list[tuple[float, float]]:
    """One of many: when each step was asked for, and how long it was waited for."""
    looks = random.Random(number)
    waits = []
    await asyncio.sleep(looks.uniform(0, LOOKING[1]))
    while time.perf_counter() < until:
        begun = time.perf_counter()
        waits.append((begun, await one.step()))
        await asyncio.sleep(looks.uniform(*LOOKING))
    return waits


def _put(server: Server, path: str, cookie: str, name: str, content: bytes) -> None:
    """Send a file as a form does, with the token that the server has given out."""
    connection = http.client.HTTPConnection("localhost", server.port)
    connection.request("GET", "/_stcore/health")
    answer = connection.getresponse()
    answer.read()
    token = (answer.getheader("set-cookie") or "").partition(";")[0]
    headers = {
        "Cookie": f"{cookie}; {token}",
        "X-Xsrftoken": token.partition("=")[2],
        "Content-Type": "multipart/form-data; boundary=_",
    }
    head = f'--_\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    connection.request("PUT", path, head.encode() + content + b"\r\n--_--\r\n", headers)
    answer = connection.getresponse()
    said = answer.read()
    connection.close()
    if answer.status >= 300:
        raise RuntimeError(f"{answer.status}: {said[:200]!r}")


def process_of(server: Server) -> psutil.Process:
    assert server._process is not None
    return psutil.Process(server._process.pid)


def spent(server: Server) -> float:
    """Seconds of the processor that the server has used so far, its own and the system's."""
    times = process_of(server).cpu_times()
    return float(times.user + times.system)


def memory(server: Server) -> float:
    return float(process_of(server).memory_info().rss) / 2**20
