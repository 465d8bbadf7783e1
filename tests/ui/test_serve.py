"""What whoever starts the server is told."""

from pathlib import Path

from ui.serve import SETTINGS

ROOT = Path(__file__).parents[2]


def test_every_setting_of_the_environment_is_told_in_one_place():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    told = {word.partition("=")[0] for word in SETTINGS.split() if word.startswith("GLOCALX_")}
    assert told == {
        *("GLOCALX_WORKSPACE", "GLOCALX_HOSTS", "GLOCALX_MOST_RUNS", "GLOCALX_MOST_MEGABYTES"),
        *("GLOCALX_MODELS", "GLOCALX_ALLOW_PICKLE"),
    }
    assert all(name in readme for name in told)
