#!/usr/bin/env bash
# Every lint and test, as CI runs them: prepares the checkout, then lints, unit tests, and a real browser.
set -uo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh --tests || exit 1
[ -x .venv/bin/node ] && export PATH="$PWD/.venv/bin:$PATH"
bad=0
scripts/lint.sh || bad=1
if [ -f frontend/package.json ]; then
    (cd frontend && npm run --silent test) || bad=1
fi
.venv/bin/python -m pytest "$@" || bad=1
exit $bad
