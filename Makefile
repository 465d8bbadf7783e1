# make app    open the dashboard        make test   lint, types, all tests
# make bench  speed and quality         make lint   lint and types alone
# make fuzz          20,000 damaged files for each reader
# make kills         200 kills of real processes, two servers, a full disk
# make mutants       small changes to the core that the tests have to notice
# make test-busy     all tests beside four processes that keep the machine busy
# make screenshots   pictures of every page into build/screenshots
# make samples       the run of the sample that opens at once

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

unexport PYTHONDONTWRITEBYTECODE # or every process compiles everything again

.PHONY: setup app test pytest test-busy fuzz kills mutants bench screenshots samples lint constraints clean

setup: .venv/test.done

.venv/run.done: requirements.txt constraints.txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) --requirement requirements.txt
	$(PIP) --no-deps --editable .
	@touch $@

.venv/test.done: .venv/run.done requirements-test.txt
	$(PIP) --requirement requirements-test.txt
	@touch $@

app: .venv/run.done
	$(BIN)/python -m ui.serve

lint: .venv/test.done
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# Both at once: lint takes one core for half a minute.
test: .venv/test.done
	$(MAKE) --jobs 2 lint pytest

# Three processes on two cores: one often waits for a browser.
pytest: .venv/test.done
	$(BIN)/python tests/browser/find_chromium.py
	$(BIN)/python -m pytest -n 3

fuzz: .venv/test.done
	$(BIN)/python -m tests.fuzz

kills: .venv/test.done
	$(BIN)/python -m tests.kills
	$(BIN)/python -m tests.kills.full_disk

mutants: .venv/test.done
	$(BIN)/python -m tests.mutants

test-busy: .venv/test.done
	$(BIN)/python -m benchmarks.busy $(MAKE) test

bench: .venv/test.done
	$(BIN)/python -m benchmarks

screenshots: .venv/test.done
	$(BIN)/python -m tests.browser.screenshots build/screenshots

samples: .venv/run.done
	$(BIN)/python -m sample_data.make_runs

# The exact versions that were tested; run it after changing a requirement.
constraints: .venv/test.done
	$(BIN)/python -m pip freeze --exclude-editable > constraints.txt

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis
