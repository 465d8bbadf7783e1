"""Who may import whom. Imports point one way only; change this table together with the house."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent

# Each room may import the rooms in its list, and nothing else of glocalx. A module that stands on
# another floor than its room has a line of its own.
SAYING = ["words.escape", "words.figures", "words.phrases"]
DRAWING = ["plots.canvas", "plots.colours", "plots.scale"]  # without plotly, for whoever draws
LAYERS = {
    "apportionment": [],
    "errors": [],
    "file_bytes": ["errors"],
    **{room: [] for room in SAYING},
    "words.spoken": ["errors", *SAYING],
    "rules": ["errors", "words.spoken", *SAYING],
    "words": ["rules", "words.spoken", *SAYING],
    "merging": ["apportionment", "errors", "rules"],
    "selection": ["errors", "merging", "rules"],
    "steering": ["errors", "merging", "rules", "selection", *SAYING],
    "table": [
        "apportionment",
        "confined",
        "errors",
        "file_bytes",
        "rules",
        "words.spoken",
        *SAYING,
    ],
    "confined": ["errors", "file_bytes"],
    "blackbox": ["confined", "errors", "file_bytes", "rules", *SAYING],
    "extraction": ["blackbox", "errors", "rules", "words"],
    "questions.permissions": ["errors", "rules", *SAYING],
    "questions": [
        "blackbox",
        "errors",
        "extraction",
        "questions.permissions",
        "rules",
        "words",
        *SAYING,
    ],
    "lessons": [
        "blackbox",
        "errors",
        "extraction",
        "merging",
        "rules",
        "table",
        "words",
        *DRAWING,
        *SAYING,
    ],
    "files": ["confined", "errors", "file_bytes", "extraction", "merging", "rules"],
    "export": ["errors", "rules", "words", *SAYING],
    "audit": ["errors", "export", "rules", "table", "words", *SAYING],
    "baselines": ["blackbox", "errors", "rules", *SAYING],
    "evaluation": ["audit", "baselines", "errors", "pipeline", "rules", "words", *SAYING],
    "plots.colours": ["errors", *SAYING],
    "plots.canvas": ["plots.colours", *SAYING],
    "plots.scale": SAYING,
    "report": [
        "audit",
        "errors",
        "evaluation",
        "export",
        "questions",
        "rules",
        "words",
        *DRAWING,
        *SAYING,
    ],
    "plots": [
        "audit",
        "blackbox",
        "errors",
        "lessons",
        "merging",
        "questions",
        "rules",
        "words",
        *DRAWING,
        *SAYING,
    ],
    "marginals": ["errors", "files", "rules", *SAYING],
    "synthetic": ["blackbox", "errors", "extraction", "rules", *SAYING],
    "pipeline": [
        "blackbox",
        "errors",
        "extraction",
        "file_bytes",
        "files",
        "merging",
        "questions",
        "questions.permissions",
        "rules",
        "selection",
        "steering",
        "synthetic",
        "table",
        *SAYING,
    ],
    "workspace": [
        "blackbox",
        "confined",
        "errors",
        "file_bytes",
        "extraction",
        "files",
        "merging",
        "pipeline",
        "rules",
        "selection",
        "table",
        *SAYING,
    ],
    "estimator": [
        "blackbox",
        "errors",
        "merging",
        "pipeline",
        "rules",
        "selection",
        "steering",
        "synthetic",
        "words",
    ],
}
ANYTHING = {"cli", "__main__", "__init__"}  # they put the parts together
PLOTTING = {"plots"}  # the only room that may import plotly
MOST_LINES = 350


@cache
def _read(path: Path) -> tuple[set[str], list[str]]:
    """What a file imports, and the classes in it: read once for all that is asked here."""
    imported, classes = set(), []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module)
        elif isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ClassDef):
            classes.append(node.name)
    return imported, classes


def _imports(path: Path) -> set[str]:
    return _read(path)[0]


def _place(parts: tuple[str, ...]) -> str:
    """The line of the table that a module belongs to."""
    own = ".".join(parts[:2])
    return own if own in LAYERS else parts[0]


def _modules() -> dict[str, set[str]]:
    """For each line of the table all that its modules import."""
    modules: dict[str, set[str]] = {}
    for path in (ROOT / "glocalx").rglob("*.py"):
        parts = path.relative_to(ROOT / "glocalx").with_suffix("").parts
        modules.setdefault(_place(parts), set()).update(_imports(path))
    return modules


def test_every_module_has_its_place():
    assert set(_modules()) == set(LAYERS) | ANYTHING


def test_imports_point_one_way():
    for name, imported in _modules().items():
        if name in ANYTHING:
            continue
        inner = {
            _place(tuple(module.split(".")[1:]))
            for module in imported
            if module.startswith("glocalx.")
        }
        assert inner - {name} <= set(LAYERS[name]), name


def test_the_table_has_no_cycle():
    seen: set[str] = set()
    left = dict(LAYERS)
    while left:
        ready = [name for name, needs in left.items() if set(needs) <= seen]
        assert ready, f"these import each other: {sorted(left)}"
        seen.update(ready)
        left = {name: needs for name, needs in left.items() if name not in ready}


def test_the_library_knows_no_streamlit_and_plots_in_one_place():
    for name, imported in _modules().items():
        roots = {module.split(".")[0] for module in imported}
        assert "streamlit" not in roots, name
        assert "plotly" not in roots or name in PLOTTING, name
        assert "study" not in roots or name == "cli", name


def test_nobody_imports_the_pages():
    for folder in ("glocalx", "study", "ui"):
        for path in (ROOT / folder).rglob("*.py"):
            roots = {module.split(".")[0] for module in _imports(path)}
            assert not roots & {"pages", "app"}, path
            assert folder == "ui" or "ui" not in roots, path


def test_no_file_is_too_long_to_be_read():
    for folder in ("glocalx", "pages", "study", "ui"):
        for path in (ROOT / folder).rglob("*.py"):
            lines = len(path.read_text(encoding="utf-8").splitlines())
            assert lines <= MOST_LINES, f"{path} has {lines} lines"


def test_no_two_classes_have_the_same_name():
    """Whoever reads a name should not have to ask which one."""
    places: dict[str, list[str]] = {}
    for folder in ("glocalx", "pages", "study", "ui"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for name in _read(path)[1]:
                places.setdefault(name, []).append(str(path.relative_to(ROOT)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_the_map_of_the_house_names_what_is_there():
    """Whoever looks for a line finds its room in CONTRIBUTING.md, and what is named is there."""
    for line in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines():
        row = re.match(r"\| `([a-z_]+)/`[^|]*\|(.*)", line)
        if row is None:
            continue
        room = next(each / row[1] for each in (ROOT / "glocalx", ROOT) if (each / row[1]).is_dir())
        there = {part for path in room.rglob("*") for part in path.relative_to(room).parts}
        text = " ".join(path.read_text(encoding="utf-8") for path in room.rglob("*.py"))
        for name in re.findall(r"`([a-z_]+)`", row[2]):
            known = {name, f"{name}.py"} & there or re.search(rf"\b(def|class) {name}\b", text)
            assert known, f"{row[1]}/ has no {name}"


def test_no_test_in_a_browser_waits_for_a_time():
    """A slow machine is slower than any time; only `serving` looks until a server answers."""
    for path in (ROOT / "tests" / "browser").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "wait_for_timeout" not in text, path
        assert "time.sleep" not in text or path.name == "serving.py", path
