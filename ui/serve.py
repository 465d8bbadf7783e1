"""Start the dashboard: `python -m ui.serve [options of streamlit run]`.

The same as `streamlit run app.py`, but for four things. Memory is searched for cycles seldom, as
pages make many small things and leave few behind. A doorkeeper looks at who asks, see
:mod:`ui.doorkeeper`. What a person can put right is a sentence wherever it comes up, and what is
our fault speaks of no other service. And a link to a page must work as the first visit to a fresh
server: Streamlit sees a folder named `pages` and, until the table of contents in `app.py` has run
once, believes that each file in it is a page by its file name; a link to `/theory` is then greeted
with "Page not found".
"""

import gc
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from starlette.middleware import Middleware
from streamlit.elements import exception
from streamlit.runtime import fragment
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import exec_code
from streamlit.web import cli
from streamlit.web.server.starlette import starlette_app

from glocalx.errors import GLocalXError
from ui.doorkeeper import Doorkeeper

APP = Path(__file__).parent.parent / "app.py"
Handler: TypeAlias = Callable[[Exception, Any], None]
HANDLER = "handle_user_script_exception"
FAULT = (
    "Something went wrong here that should not. What you did is kept: load the page again. Whoever "
    "runs this server finds the reason in its log."
)
SELDOM = (50_000, 20, 20)  # to look for cycles as often as Python does takes a tenth of a page
FIRST = ("pandas", "ui.session", "ui.layout", "ui.start.cards", "ui.start.showcase")


SETTINGS = """\
What whoever runs the server can set, in its environment:

  GLOCALX_WORKSPACE       the folder with all runs; ~/.glocalx unless it is set
  GLOCALX_HOSTS           names by which people call the server, with commas; others are refused
  GLOCALX_MOST_RUNS       how many runs one person may keep
  GLOCALX_MOST_MEGABYTES  how much one person may keep
  GLOCALX_MOST_WAITING    how many runs of one person may wait for their turn; 20 unless it is set
  GLOCALX_MODELS          who may bring a model: “no” for nobody, or addresses of people who sign in
  GLOCALX_ALLOW_PICKLE=1  models may be pickles, which are programs: not on a shared server

Options, such as --server.address and --server.port, are those of streamlit run:

"""


def import_first_page() -> None:
    """Import what the first page needs while the server starts and the browser loads its part."""
    for part in FIRST:
        import_module(part)


def stand_at_the_door() -> None:
    """Have :class:`ui.doorkeeper.Doorkeeper` look at every request before Streamlit does."""
    inner = starlette_app.create_streamlit_middleware
    starlette_app.create_streamlit_middleware = lambda: [Middleware(Doorkeeper), *inner()]


def speak_plainly() -> None:
    """Have errors told in our words, in fragments and callbacks too."""
    exception._GENERIC_UNCAUGHT_EXCEPTION_TEXT = FAULT  # type: ignore[misc]
    for place in (exec_code, fragment):
        setattr(place, HANDLER, _told(getattr(place, HANDLER)))


def _told(otherwise: Handler) -> Handler:
    def tell(error: Exception, handler: Any) -> None:
        if isinstance(error, GLocalXError):
            from ui.layout import problem  # the server starts without it

            problem(error)
        else:
            otherwise(error, handler)

    return tell


if __name__ == "__main__":
    if "--help" in sys.argv:
        sys.stdout.write(SETTINGS)
        sys.stdout.flush()
    stand_at_the_door()
    speak_plainly()
    gc.set_threshold(*SELDOM)
    threading.Thread(target=import_first_page, daemon=True).start()
    PagesManager.uses_pages_directory = False
    sys.argv = ["streamlit", "run", str(APP), *sys.argv[1:]]
    sys.exit(cli.main(prog_name="streamlit"))
