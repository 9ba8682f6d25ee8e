#!/usr/bin/env bash
# Style, types, import rules and the house's own rules. Prints what is wrong and fails.
set -uo pipefail
cd "$(dirname "$0")/.."
bad=0
run() { printf '%s\n' "lint: $1"; shift; "$@" || bad=1; }
run "style (ruff)" .venv/bin/ruff check --quiet .
run "format (ruff)" .venv/bin/ruff format --quiet --check .
run "types (mypy)" .venv/bin/mypy --no-error-summary
run "import rules (import-linter)" .venv/bin/lint-imports --no-logo
if [ -d frontend/node_modules ]; then
    run "web page: lint" bash -c 'cd frontend && npm run --silent lint'
    run "web page: types" bash -c 'cd frontend && npm run --silent types'
fi
exit $bad
