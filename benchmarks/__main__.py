"""Run the usual benchmarks, or those named: `python -m benchmarks merge quality million`."""

import sys

from benchmarks import (
    alarms,
    alpha,
    audit_stream,
    candidates,
    changes,
    classroom,
    crowd,
    dashboard,
    defaults,
    door,
    extractors,
    gaps,
    idle,
    merge_speed,
    million,
    rivals,
    stability,
    steady,
    theory_quality,
    unseen,
    whole,
)

BENCHMARKS = {
    "merge": merge_speed.main,
    "quality": theory_quality.main,
    "million": million.main,
    "audit": audit_stream.main,
    "alarms": alarms.main,
    "extractors": extractors.main,
    "changes": changes.main,
    "dashboard": dashboard.main,
    "classroom": classroom.main,
    "crowd": crowd.main,
    "door": door.main,
    "defaults": defaults.main,
    "candidates": candidates.main,
    "whole": whole.main,
    "unseen": unseen.main,
    "gaps": gaps.main,
    "idle": idle.main,
    "stability": stability.main,
    "steady": steady.main,
    "alpha": alpha.main,
    "rivals": rivals.main,
}
WHEN_NAMED = (  # too long to run along
    *("defaults", "candidates", "whole", "unseen", "gaps", "idle", "stability", "alpha", "rivals"),
    *("steady", "crowd", "alarms"),
)


def main() -> None:
    given = sys.argv[1:]
    for option in ("--cells", "--seconds"):
        if option in given:
            del given[given.index(option) : given.index(option) + 2]
    names = [name for name in given if name not in ("--quick", "--add", "--folds")]
    names = names or [name for name in BENCHMARKS if name not in WHEN_NAMED]
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.exit(f"There is no benchmark “{unknown[0]}”. There are: {', '.join(BENCHMARKS)}.")
    for name in names:
        print(f"\n=== {name}: {BENCHMARKS[name].__doc__}", flush=True)
        BENCHMARKS[name]()


if __name__ == "__main__":
    main()
