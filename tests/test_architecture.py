"""Who may import whom. Imports point one way only; change this table together with the house."""

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent

# Each module, or package, may import what stands before it in its own line's list, and nothing
# else of glocalx.
LAYERS = {
    "errors": [],
    "phrases": [],
    "spoken": ["errors", "phrases"],
    "rule": ["errors"],
    "schema": ["errors", "phrases", "rule", "spoken"],
    "coverage": ["errors", "rule", "schema"],
    "scoring": ["coverage", "errors", "rule", "schema"],
    "theory": ["rule", "scoring"],
    "sql": ["errors", "rule", "schema"],
    "operators": ["rule"],
    "merging": ["coverage", "operators", "rule", "scoring"],
    "batch": ["coverage", "scoring"],
    "pairs": ["coverage"],
    "search": ["batch", "coverage", "errors", "merging", "operators", "pairs", "rule", "scoring"],
    "shards": ["coverage", "rule", "scoring"],
    "step": ["operators", "rule", "search"],
    "hierarchy": ["errors", "rule", "scoring", "search", "step", "theory"],
    "merges": [
        "errors",
        "hierarchy",
        "rule",
        "scoring",
        "search",
        "shards",
        "step",
        "theory",
    ],
    "selection": ["coverage", "errors", "hierarchy", "rule", "scoring", "theory"],
    "classifier": ["coverage", "errors", "rule", "schema", "scoring", "sql", "theory"],
    "what_if": ["classifier", "coverage", "rule"],
    "wording": ["coverage", "rule", "schema", "spoken"],
    "table": ["errors", "phrases", "schema", "spoken"],
    "samples": ["errors", "phrases", "spoken", "table"],
    "blackbox": ["errors", "phrases", "schema"],
    "extraction": ["blackbox", "coverage", "errors", "rule", "schema", "scoring"],
    "files": [
        "classifier",
        "errors",
        "extraction",
        "hierarchy",
        "operators",
        "rule",
        "schema",
        "search",
        "step",
    ],
    "export": ["classifier", "errors", "phrases", "rule", "schema", "wording"],
    "audit": [
        "classifier",
        "coverage",
        "errors",
        "export",
        "phrases",
        "rule",
        "schema",
        "sql",
        "table",
        "wording",
    ],
    "baselines": [
        "blackbox",
        "classifier",
        "coverage",
        "errors",
        "phrases",
        "rule",
        "schema",
        "scoring",
    ],
    "evaluation": ["coverage", "errors", "phrases", "rule", "schema", "scoring"],
    "report": [
        "audit",
        "classifier",
        "errors",
        "evaluation",
        "export",
        "phrases",
        "wording",
    ],
    "plots": [
        "audit",
        "blackbox",
        "classifier",
        "coverage",
        "errors",
        "hierarchy",
        "operators",
        "phrases",
        "rule",
        "schema",
        "scoring",
        "search",
        "step",
        "wording",
    ],
    "synthetic": [
        "blackbox",
        "coverage",
        "errors",
        "extraction",
        "phrases",
        "rule",
        "schema",
        "scoring",
    ],
    "workspace": [
        "blackbox",
        "classifier",
        "coverage",
        "errors",
        "extraction",
        "files",
        "hierarchy",
        "merges",
        "phrases",
        "rule",
        "samples",
        "schema",
        "scoring",
        "search",
        "selection",
        "step",
        "table",
    ],
    "study": [
        "audit",
        "baselines",
        "blackbox",
        "classifier",
        "coverage",
        "errors",
        "evaluation",
        "export",
        "extraction",
        "hierarchy",
        "merges",
        "phrases",
        "rule",
        "samples",
        "schema",
        "scoring",
        "search",
        "selection",
        "synthetic",
        "table",
        "wording",
    ],
    "model": [
        "blackbox",
        "classifier",
        "coverage",
        "errors",
        "hierarchy",
        "merges",
        "rule",
        "schema",
        "scoring",
        "search",
        "selection",
        "synthetic",
        "wording",
    ],
}
ANYTHING = {"cli", "__main__", "__init__"}  # they put the parts together
PLOTTING = {"plots"}  # the only place that may import plotly


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found


def _modules() -> dict[str, set[str]]:
    """For each module or package of the library all that it imports."""
    modules: dict[str, set[str]] = {}
    for path in (ROOT / "glocalx").rglob("*.py"):
        name = path.relative_to(ROOT / "glocalx").parts[0].removesuffix(".py")
        modules.setdefault(name, set()).update(_imports(path))
    return modules


def test_every_module_has_its_place():
    assert set(_modules()) == set(LAYERS) | ANYTHING


def test_imports_point_one_way():
    for name, imported in _modules().items():
        if name in ANYTHING:
            continue
        inner = {module.split(".")[1] for module in imported if module.startswith("glocalx.")}
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


def test_nobody_imports_the_pages():
    for folder in ("glocalx", "ui"):
        for path in (ROOT / folder).rglob("*.py"):
            roots = {module.split(".")[0] for module in _imports(path)}
            assert not roots & {"pages", "app"}, path
            assert folder == "ui" or "ui" not in roots, path
