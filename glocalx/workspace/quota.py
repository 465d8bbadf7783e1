"""What one person may keep on a server that is shared, and have waiting there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from glocalx.errors import GLocalXError

RUNS, MEGABYTES = "GLOCALX_MOST_RUNS", "GLOCALX_MOST_MEGABYTES"
WAITING, USUALLY_WAITING = "GLOCALX_MOST_WAITING", 20


@dataclass(frozen=True, slots=True)
class Quota:
    """At most so many runs, so many megabytes in all of them, so many that wait; None: no limit."""

    runs: int | None = None
    megabytes: int | None = None
    waiting: int = USUALLY_WAITING

    @classmethod
    def from_environment(cls, given: Mapping[str, str]) -> Quota:
        """As whoever starts the server has set it.

        Examples
        --------
        >>> Quota.from_environment({"GLOCALX_MOST_RUNS": "20"})
        Quota(runs=20, megabytes=None, waiting=20)
        """
        waiting = _number(given, WAITING)
        return cls(
            _number(given, RUNS),
            _number(given, MEGABYTES),
            USUALLY_WAITING if waiting is None else waiting,
        )

    def check(self, folders: Sequence[Path], coming: int) -> None:
        """Refuse one more run beside those in these folders, with so many bytes in it."""
        if self.runs is not None and len(folders) >= self.runs:
            raise GLocalXError(
                f"You have {len(folders):,} runs, and may have {self.runs:,} on this server. "
                "Delete one, or export it and then delete it."
            )
        self.check_room(folders, coming)

    def check_room(self, folders: Sequence[Path], coming: int) -> None:
        """Refuse so many bytes more than there are in these folders."""
        if self.megabytes is None:
            return
        size = coming + sum(map(_size, folders))
        if size > self.megabytes * 2**20:
            raise GLocalXError(
                f"Your runs would take {size / 2**20:,.0f} MB, and may take {self.megabytes:,} MB "
                "on this server. Delete one, or export it and then delete it."
            )

    def check_waiting(self, waiting: int) -> None:
        """Refuse one more run that waits."""
        if waiting >= self.waiting:
            raise GLocalXError(
                f"{waiting} of your runs are waiting already. Wait for one of them, or cancel it."
            )


def _number(given: Mapping[str, str], name: str) -> int | None:
    text = given.get(name, "").strip()
    if not text:
        return None
    if not text.isdecimal():
        raise GLocalXError(f"{name} is “{text}”. Give a whole number.")
    return int(text)


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.glob("*") if file.is_file())
