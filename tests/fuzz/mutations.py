"""Files damaged at random, always in the same way for the same number.

Bytes are flipped, cut out, doubled and overwritten with numbers that parsers stumble over. Zip
archives and JSON are damaged inside, too, and put together again, so that what lies behind their
outer checks is reached.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
from random import Random
from typing import Any

_NUMBERS = (0, 1, -1, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63), 0x7F, 0xFF, 0xFFFF)
_VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 10**30, 1e308, float("nan"), "", "x" * 5_000, "\u202e\x00", "\ud800"),
    *([], [[]], {}, {"a": {}}, [None]),
)


def damaged(data: bytes, random: Random) -> bytes:
    """The file with one to four changes."""
    if data.startswith(b"PK") and random.random() < 0.6:
        return _damaged_archive(data, random)
    if data[:1] in b"{[" and random.random() < 0.6:
        return _damaged_json(data, random)
    made = bytearray(data)
    for _ in range(random.randint(1, 4)):
        _change(made, random)
    return bytes(made)


def _change(made: bytearray, random: Random) -> None:
    if not made:
        made += random.randbytes(8)
    start = random.randrange(len(made))
    end = min(len(made), start + random.choice((1, 2, 8, 64, 1024)))
    match random.randrange(7):
        case 0:
            made[start] ^= 1 << random.randrange(8)
        case 1:
            made[start] = random.randrange(256)
        case 2:
            del made[start:end]
        case 3:
            made[start:start] = made[start:end]
        case 4:
            del made[start:]
        case 5:
            made[start:end] = random.randbytes(end - start)
        case _:
            kind = random.choice(("<i", "<q", ">i"))
            size = struct.calcsize(kind)
            number = random.choice(_NUMBERS) % (1 << 8 * size)
            made[start : start + size] = number.to_bytes(size, "little")


def _damaged_archive(data: bytes, random: Random) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w") as new:
        names = old.namelist()
        hit = random.choice(names)
        for name in names:
            content = old.read(name)
            if name == hit:
                content = damaged(content, random)
            new.writestr(name, content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _damaged_json(data: bytes, random: Random) -> bytes:
    try:
        content = json.loads(data)
    except ValueError:
        return _damaged_lines(data.splitlines(keepends=True), random)
    for _ in range(random.randint(1, 3)):
        content = _replaced(content, random)
    return json.dumps(content).encode()


def _damaged_lines(lines: list[bytes], random: Random) -> bytes:
    """JSON line by line: one is damaged inside, left out, doubled or moved."""
    place = random.randrange(len(lines))
    line = lines.pop(place)
    match random.randrange(5):
        case 0:
            again = []
        case 1:
            again = [line, line]
        case 2:
            lines.insert(random.randrange(len(lines) + 1), line)
            again = []
        case _:
            again = [damaged(line.strip(), random) + b"\n"]
    return b"".join([*lines[:place], *again, *lines[place:]])


def _replaced(content: Any, random: Random) -> Any:
    """Somewhere inside another value, a name more or a name less."""
    if isinstance(content, dict) and content and random.random() < 0.85:
        name = random.choice(_inner(content, random) or sorted(content))
        if random.random() < 0.1:
            return {other: value for other, value in content.items() if other != name}
        return {**content, name: _replaced(content[name], random)}
    if isinstance(content, list) and content and random.random() < 0.85:
        place = random.randrange(len(content))
        return [*content[:place], _replaced(content[place], random), *content[place + 1 :]]
    return random.choice(_VALUES)


def _inner(content: dict[str, Any], random: Random) -> list[str]:
    """Mostly what holds more: the first thing that is wrong about a file ends its reading."""
    if random.random() < 0.2:
        return []
    return sorted(name for name, value in content.items() if isinstance(value, dict | list))
