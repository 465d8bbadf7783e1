#!/bin/sh
# Puts anchor-exp, lore_sa and dice-ml into an environment of their own, beside the project's: they bring
# dependencies that the project does not want. The scikit-learn there must be the one here, as
# both ask the same fitted black box.
#
# Usage: benchmarks/other_extractors.sh PYTHON FOLDER
#   PYTHON  the python of the project's environment
#   FOLDER  where the other environment goes (build/others is ignored by git)
set -eu

python="$1"
folder="$2"
pins=$("$python" -c 'from importlib.metadata import version
print(*(f"{name}=={version(name)}" for name in ("scikit-learn", "numpy", "pandas", "joblib")))')

if [ ! -x "$folder/bin/python" ]; then
    "$python" -m venv "$folder"
fi
# shellcheck disable=SC2086  # one word for each pin
"$folder/bin/python" -m pip install --quiet anchor-exp==0.0.2.0 lore_sa==1.1.3 dice-ml==0.12 $pins
