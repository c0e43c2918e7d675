# Two commands set everything up: `make demo` and `make test`.
PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check
# Where the system has no ffmpeg, a package brings one; where there is none for it either, all else works.
FFMPEG_WHEEL := $(if $(shell command -v ffmpeg 2>/dev/null),,$(VENV)/ffmpeg)

.PHONY: demo test lint types bench bench-clips requirements clean

demo: $(VENV)/core $(FFMPEG_WHEEL)
	@PORT=$(PORT) exec $(BIN)/python -m config.demo

test: $(VENV)/core $(VENV)/test $(FFMPEG_WHEEL)
	$(BIN)/python -m pytest -n auto -q $(ARGS)

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djlint templates --lint --quiet

bench: $(VENV)/core  ## times of the quote check, medians
	PYTHONPATH=. $(BIN)/python tests/bench/check_quote.py

bench-clips: $(VENV)/core $(FFMPEG_WHEEL)  ## CPU time of clips at 0:20 and at 1:41:50 of a long film
	DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python -c \
	  'import django; django.setup(); from tests.bench.render_clips import main; raise SystemExit(main())'

types: $(VENV)/dev
	$(BIN)/mypy config publishing episodes quotes

requirements: $(VENV)/dev  ## pin again after a change in requirements/*.in
	for pair in "base ../requirements" "test test" "ffmpeg ffmpeg" "prod prod" "dev dev"; do set -- $$pair; \
	  (cd requirements && ../$(BIN)/pip-compile -q --generate-hashes --allow-unsafe --strip-extras --no-header \
	   --no-emit-index-url --no-emit-trusted-host --no-emit-find-links -o $$2.txt $$1.in) || exit 1; done

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; this is %s." % sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/core: requirements.txt $(VENV)/made
	$(PIP) install -q --require-hashes -r requirements.txt
	@touch $@

$(VENV)/ffmpeg: requirements/ffmpeg.txt $(VENV)/core
	@if $(PIP) install -q --require-hashes -r $<; then touch $@; \
	  else echo "There is no ffmpeg here and no package of it: clips cannot be made. All else works."; fi

$(VENV)/%: requirements/%.txt $(VENV)/core
	$(PIP) install -q --require-hashes -r $<
	@touch $@

clean:
	rm -rf $(VENV) var
