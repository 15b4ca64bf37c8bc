# Everything a fresh machine needs: git, make and Python >= 3.11. The environment is .venv beside this file.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: demo test quick slow-tests lint bench measurements fuzz docs dist package lowest clean
.DELETE_ON_ERROR:

demo: .venv/core
	$(BIN)/karat demo

test: .venv/test
	@scripts/java.sh
	@scripts/browser.sh
	$(BIN)/python -m pytest -n auto --dist loadgroup

# While one works: no Spark, no browser, no pages, no slow tests, and few examples of each property.
quick: .venv/test
	HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest -n auto --dist loadgroup -q -m "not slow and not spark and not browser" \
		--ignore tests/docs --ignore tests/data

slow-tests: .venv/test
	$(BIN)/python -m pytest -n auto --dist loadgroup -q --durations=0 --durations-min=0.02 | $(BIN)/python scripts/slow_tests.py

lint: .venv/lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The table of speeds, docs/benchmarks.md: each case beside its best peer and its limit.
bench: .venv/test .venv/bench
	$(BIN)/python bench/speed/table.py --write

# Everything else that is measured, which takes hours: what grows, coverage, real data, and what breaks.
measurements: .venv/bench
	@set -e; for script in bench/speed/[!ct]*.py bench/coverage/*.py bench/real/*.py bench/robustness/*.py; do \
		echo "== $$script"; $(BIN)/python "$$script"; done

# A million cases or ten minutes for each parser of our own; CASES and SECONDS say otherwise. Run again, it goes on.
CASES ?= 1000000
SECONDS ?= 600
CORPUS ?= bench/results/fuzz
fuzz: .venv/fuzz
	$(BIN)/python bench/robustness/fuzzed_parsers.py $(CASES) $(SECONDS) --keep $(CORPUS)

docs: .venv/docs
	$(BIN)/mkdocs build --strict

# A wheel and a source distribution, checked.
dist: .venv/package
	rm -rf dist
	$(BIN)/python -m build --quiet
	$(BIN)/python -m twine check --strict dist/*

# The tests of the source distribution, run on the wheel where the repository is not.
package: dist
	scripts/try_package.sh $(BIN)/python

# The same with the lowest version of each library that pyproject.toml allows; on the oldest Python: PYTHON=python3.11.
lowest: dist
	scripts/try_package.sh $(BIN)/python --lowest

clean:
	rm -rf .venv site dist

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "karat needs Python 3.11 or newer; none was found"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/core: $(BIN)/python pyproject.toml
	$(PIP) install --editable .
	@touch $@

# Dependency groups need pip 25.1.
.venv/groups: .venv/core
	$(PIP) install 'pip>=25.1'
	@touch $@

.venv/test: .venv/groups
	$(PIP) install --editable '.[all]' --group test
	@touch $@

.venv/bench: .venv/test
	$(PIP) install --group bench
	@touch $@

.venv/lint: .venv/groups
	$(PIP) install --group lint
	@touch $@

.venv/fuzz: .venv/test
	$(PIP) install --group fuzz
	@touch $@

.venv/docs: .venv/groups
	$(PIP) install --group docs
	@touch $@

.venv/package: .venv/groups
	$(PIP) install --group package
	@touch $@
