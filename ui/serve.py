"""Start the dashboard: `python -m ui.serve [options of streamlit run]`.

The same as `streamlit run app.py`, but for one thing: a link to a page must work as the first
visit to a fresh server. Streamlit sees a folder named `pages` and, until the table of contents
in `app.py` has run once, believes that each file in it is a page by its file name; a link to
`/theory` is then greeted with "Page not found".
"""

import sys
import threading
from importlib import import_module
from pathlib import Path

from streamlit.runtime.pages_manager import PagesManager
from streamlit.web import cli

APP = Path(__file__).parent.parent / "app.py"
FIRST = ("pandas", "ui.session", "ui.layout", "ui.start.cards", "ui.start.showcase")


def import_first_page() -> None:
    """Import what the first page needs while the server starts and the browser loads its part."""
    for part in FIRST:
        import_module(part)


if __name__ == "__main__":
    threading.Thread(target=import_first_page, daemon=True).start()
    PagesManager.uses_pages_directory = False
    sys.argv = ["streamlit", "run", str(APP), *sys.argv[1:]]
    sys.exit(cli.main(prog_name="streamlit"))
