.DEFAULT_GOAL := help
.PHONY: help setup demo test quick fuzz torture check docs bench release lock clean

PYTHON ?= python3
VENV := .venv
WITNESS := .venv-witness
BIN := $(VENV)/bin

help: ## Show what there is to make
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

setup: $(VENV)/.ready $(WITNESS)/.ready ## Make the environments, compile the kernels, find a browser
	@$(BIN)/python -m tests.browser

INSTALL := pip install --quiet --disable-pip-version-check

# What publishing needs, and nothing else.
$(VENV)/.plain: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/$(INSTALL) --editable .
	@touch $@

$(VENV)/.ready: $(VENV)/.plain papers/pyproject.toml
	$(BIN)/$(INSTALL) --editable '.[dev]' --editable ./papers
	$(BIN)/python -m compileall -q src papers/src
	$(BIN)/shoal warm-up
	@touch $@

# Outside witnesses pin old versions of what we use, so they live apart.
$(WITNESS)/.ready: tests/witness/requirements.txt
	$(PYTHON) -m venv $(WITNESS)
	$(WITNESS)/bin/$(INSTALL) --requirement $<
	@touch $@

demo: $(VENV)/.plain ## Publish the bundled Adult table into ./shoal-demo
	$(BIN)/shoal demo

check: $(VENV)/.ready ## Format, lint, types, import rules
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: setup check ## Everything: checks, tests, doctests
	$(BIN)/pytest --numprocesses=auto

quick: check ## While working: checks, and one case of each test that is not long (a minute)
	$(BIN)/pytest --quick --numprocesses=auto

fuzz: setup ## Random tests with fresh draws; many random plans, command lines and kills (hours)
	HYPOTHESIS_PROFILE=random $(BIN)/pytest tests --numprocesses=auto
	$(BIN)/python -m fuzz --plans 20000 --commands 2000 --kills 200

torture: setup ## Large tables in real databases and on Spark, and whoever is killed meanwhile (an hour)
	$(BIN)/pytest torture --capture=no

docs: $(VENV)/.ready ## Write the generated pages and pictures, and all pages as a site into ./site
	$(BIN)/python -m docs.generate
	$(BIN)/python -m docs.site

bench: setup ## Measure speed (figures go to benchmarks/RESULTS.md)
	$(BIN)/python -m benchmarks

release: $(VENV)/.plain ## Build and check archive, wheels and bill of materials in ./dist; tag nothing
	$(BIN)/python -m release

lock: $(VENV)/.plain ## Write the versions for development, with hashes, into locked.txt
	$(BIN)/$(INSTALL) uv
	printf -- '--editable .[dev]\n--editable ./papers\n' | $(BIN)/uv pip compile - --output-file locked.txt \
		--universal --python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url --quiet \
		--no-emit-package shoal --no-emit-package shoal-papers --custom-compile-command 'make lock'

clean: ## Remove environments, caches, the site and the demo
	rm -rf $(VENV) $(WITNESS) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
	rm -rf shoal-demo shoal-demo.private site
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
