# diptych: `make site` and `make test` are all a newcomer needs
.DEFAULT_GOAL := help
.PHONY: help install test lint types check golden site serve bench dist lowest newest clean screenshot students fuzz ci

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	@touch $(STAMP)

install: $(STAMP)  ## install the package, editable, with what its tests need

test: install  ## pass the tests
	$(BIN)/python -m pytest $(ARGS)

lint: install  ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install  ## types
	$(BIN)/mypy

check: lint types test golden-unchanged  ## everything that must hold before a commit

.PHONY: golden-unchanged
golden-unchanged: install
	$(BIN)/diptych batch site/diptych.toml --quiet --again
	git diff --exit-code --stat -- site/artifacts

golden: install  ## write the golden files again, then show what changed
	$(BIN)/python -m pytest tests/test_golden.py --update-golden -q
	git diff --stat -- tests/golden

site: install  ## compare, decide and render the sample runs
	$(BIN)/diptych batch site/diptych.toml
	$(BIN)/diptych build site/diptych.toml --out site/build

serve: site  ## look at the archive on 127.0.0.1
	$(BIN)/diptych serve site/build --manifest site/diptych.toml
