# Two commands set everything up: `make demo` and `make test`.
PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check

.PHONY: demo test lint types bench requirements clean

demo: $(VENV)/core
	@PORT=$(PORT) exec $(BIN)/python -m config.demo

test: $(VENV)/core $(VENV)/test
	$(BIN)/python -m pytest -n auto -q $(ARGS)

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djlint templates --lint --quiet

bench: $(VENV)/core  ## times of the quote check, medians
	PYTHONPATH=. $(BIN)/python tests/bench/check_quote.py

types: $(VENV)/dev
	$(BIN)/mypy config publishing episodes quotes

requirements: $(VENV)/dev  ## pin again after a change in requirements/*.in
	for pair in "base ../requirements" "test test" "prod prod" "dev dev"; do set -- $$pair; \
	  (cd requirements && ../$(BIN)/pip-compile -q --generate-hashes --allow-unsafe --strip-extras --no-header \
	   --no-emit-index-url --no-emit-trusted-host --no-emit-find-links -o $$2.txt $$1.in) || exit 1; done

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; this is %s." % sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/core: requirements.txt $(VENV)/made
	$(PIP) install -q --require-hashes -r requirements.txt
	@touch $@

$(VENV)/%: requirements/%.txt $(VENV)/core
	$(PIP) install -q --require-hashes -r $<
	@touch $@

clean:
	rm -rf $(VENV) var
