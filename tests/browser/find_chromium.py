"""Find a Chromium for the browser tests, or get one; print where it is.

One on the PATH; else Debian's package where it may be installed; else playwright's own download.
The one without windows comes first: the same engine, a third less work for a page, and what
playwright itself takes where nobody looks on.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

WITHOUT_WINDOWS = "chromium-headless-shell"
NAMES = (WITHOUT_WINDOWS, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def on_path() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def from_debian() -> str | None:
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return None
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in ("update -qq", f"install -y -qq {WITHOUT_WINDOWS}", "install -y -qq chromium"):
        if not on_path():
            asked = ["apt-get", *command.split()]
            subprocess.run(asked, env=environment, check=False, stdout=subprocess.DEVNULL)
    return on_path()


def from_playwright() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    if not os.path.exists(path):
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    return path if os.path.exists(path) else None


def find_chromium() -> str:
    """The path of a Chromium; it is an error if there is none, never a skipped test."""
    found = on_path() or from_debian() or from_playwright()
    if found is None:
        raise SystemExit(
            "No Chromium was found and none could be installed. Install the package “chromium”."
        )
    return found


if __name__ == "__main__":
    sys.stdout.write(f"browser tests use {find_chromium()}\n")
