# make run    the app, at http://localhost:8501
# make check  linters, types, and the tests that open no page, start no process, train nothing and are not long
# make test   linters, types, all tests
# Each first installs what it needs into .venv; a second call installs nothing.

PYTHON ?= python3
VENV := .venv
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check
# node comes from PyPI and the tools that it runs from npm, all of it into .venv.
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" NODE_USE_SYSTEM_CA=1 $(BIN)/npm
TESTS := $(BIN)/python -m pytest --numprocesses auto --dist worksteal
BIOME := $(BIN)/node $(VENV)/node_modules/@biomejs/biome/bin/biome
TSC := $(BIN)/node $(VENV)/node_modules/typescript/bin/tsc
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD := 1
# Some images set it: each of the Pythons that the tests start would compile all of the app again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run check test bench lint format translations lock screenshots site image install install-dev clean
.DEFAULT_GOAL := help

help:
	@echo "make run            start the app (ARGS=\"--server.port 8600\" for Streamlit's options)"
	@echo "make check          linters, types and the tests that open no page, start no process and train nothing"
	@echo "make test           linters, types and tests (PYTEST=\"-k words\" for pytest's options)"
	@echo "make lint           ruff and mypy; for JavaScript, Biome and TypeScript"
	@echo "make format         let ruff and Biome rewrite the code"
	@echo "make bench          speed against other libraries"
	@echo "make translations   extract the interface's texts and update its catalogues"
	@echo "make lock           write the locks from pyproject.toml (ARGS=--upgrade raises versions)"
	@echo "make screenshots    take the README's pictures again"
	@echo "make site           the project's own site, as static pages in site/"
	@echo "make image          the container that docs/serving.md tells of"
	@echo "make clean          remove caches (not .venv, not trained models)"

run: install
	$(BIN)/python -m app $(ARGS)

check: lint
	$(TESTS) --quick -m "not slow and not long" -rfE --ignore tests/browser --ignore tests/app/views $(PYTEST)

test: lint
	$(TESTS) $(PYTEST)

lint: install-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIOME) ci --error-on-warnings
	$(TSC)

format: install-dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIOME) check --write

bench: install-dev
	$(BIN)/python -m benchmarks $(ARGS)

# The template is a by-product: only the catalogues are kept. A changed text keeps its translation,
# marked as fuzzy, until somebody confirms it.
LOCALE ?= app/locale
translations: install
	$(BIN)/python -m babel.messages.frontend -q extract -F pyproject.toml --add-location=file --sort-output \
		--project="Illuminated Transformer" --copyright-holder="the contributors" --msgid-bugs-address="see CONTRIBUTING.md" \
		-o $(LOCALE)/messages.pot app model
	for language in es fr; do \
		$(BIN)/pybabel -q update -l $$language -i $(LOCALE)/messages.pot -d $(LOCALE) \
			--init-missing --ignore-obsolete --previous --ignore-pot-creation-date || exit 1; \
	done
	rm -f $(LOCALE)/messages.pot

# Raises nothing that still fits; ARGS=--upgrade raises all.
lock: install-dev
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python deploy/lock.py $(ARGS)

screenshots: install-dev
	$(BIN)/python docs/screenshots.py $(ARGS)

install: $(VENV)/.run-stamp
install-dev: $(VENV)/.dev-stamp $(VENV)/.npm-stamp

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' \
		|| { echo "Python's venv module is missing (on Debian: apt-get install python3-venv)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# torch has no hashes in the locks: each machine takes the build that fits it.
$(VENV)/.run-stamp: requirements.lock | $(BIN)/pip
	$(PIP) --require-hashes --only-binary :all: --requirement requirements.lock
	$(PIP) $$(grep '^torch==' requirements.txt)
	@touch $@

$(VENV)/.dev-stamp: requirements-dev.lock $(VENV)/.run-stamp
	$(PIP) --require-hashes --only-binary :all: --requirement requirements-dev.lock
	@touch $@

# Every tool is pinned and brings nothing along but itself, built for the machine.
$(VENV)/.npm-stamp: package.json $(VENV)/.dev-stamp
	cp package.json $(VENV)
	$(NPM) install --prefix $(VENV) --no-package-lock --ignore-scripts --no-audit --no-fund
	@touch $@

# Hours of one processor: two models, five sentences each, three languages.
SITE ?= site
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
site: install-dev
	rm -rf $(SITE)/es-en $(SITE)/fr-en
	for model in es-en fr-en; do \
		$(BIN)/python -m app.notebook book --model $$model --language en,es,fr --jobs $(JOBS) --out $(SITE)/$$model || exit 1; \
	done
	$(BIN)/python -m app.book.front $(SITE)

# PIP_EXTRA_INDEX_URL: where the CPU build of torch lies; without it, CUDA comes along.
image:
	docker build --file deploy/Dockerfile --tag illuminated-transformer:$(VERSION) --tag illuminated-transformer \
		--build-arg PIP_EXTRA_INDEX_URL="$$PIP_EXTRA_INDEX_URL" .

clean:
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find app model tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
