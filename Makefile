# `make up` serves Lodestone from a bare checkout; `make test` is exactly what CI runs.
SHELL := /bin/bash
PY := .venv/bin/python
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: help setup up test unit lint format bench bench-check lock generate

help: ## say what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: ## install and build what `make up` needs
	@scripts/setup.sh

up: setup ## serve everything at http://127.0.0.1:8000
	@exec $(PY) -m app.cli.main up

test: ## every lint and test, as CI runs them
	@scripts/test.sh

lint: ## style, types and import rules
	@scripts/lint.sh

format: ## rewrite the sources in the house style
	@.venv/bin/ruff check --fix --quiet . ; .venv/bin/ruff format --quiet .

bench: setup ## measure, each bound beside its figure
	@$(PY) -m bench

bench-check: setup ## the same; fails where a bound is missed
	@$(PY) -m bench --check

generate: ## write the generated files anew
	@$(PY) -m app.web.openapi > frontend/src/api/openapi.generated.json
	@cd frontend && npm run --silent generate
	@$(PY) -m workers.selftest > app/catalog/selftest_generated.json

lock: ## resolve the Python requirements anew (needs uv)
	@for f in runtime dev node fio-plot; do uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header \
	  --universal --python-version 3.11 requirements/$$f.in -o requirements/$$f.lock; done
