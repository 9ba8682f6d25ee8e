#!/usr/bin/env bash
# Makes a checkout ready: system packages, the virtual environment, the compiled simulator, the web page.
# `setup.sh` prepares what `make up` needs, `setup.sh --tests` what `make test` needs beside it. Doing it again is quick.
set -euo pipefail
cd "$(dirname "$0")/.."
tests=no
[ "${1:-}" = --tests ] && tests=yes

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

# --- system packages: each line is the command or file that proves it, and Debian's name for the package ---
missing=()
need() { # need PROOF PACKAGE
    case "$1" in
        /*) compgen -G "$1" >/dev/null || missing+=("$2") ;;
        *) command -v "$1" >/dev/null || missing+=("$2") ;;
    esac
}
need cc gcc
need python3 python3
need /usr/include/stdio.h libc6-dev
if command -v python3 >/dev/null; then
    python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
    python3 -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' ||
        missing+=(python3-dev)
else
    missing+=(python3-venv python3-dev)
fi
if [ $tests = yes ]; then
    need git git
    need fio fio
    need blkparse blktrace
    need redis-server redis-server
    need '/usr/lib/postgresql/*/bin/initdb' postgresql
    need chromium chromium
fi
if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "installing ${missing[*]}"
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -qq
        # Debian would start its own servers, which nobody needs here
        printf '#!/bin/sh\nexit 101\n' >/tmp/lodestone-policy.$$ && chmod +x /tmp/lodestone-policy.$$
        policy=/usr/sbin/policy-rc.d
        [ -e $policy ] || { cp /tmp/lodestone-policy.$$ $policy; trap 'rm -f /usr/sbin/policy-rc.d' EXIT; }
        rm -f /tmp/lodestone-policy.$$
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    else
        fail "missing: ${missing[*]} (Debian's names); install them and run this again"
    fi
fi
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "Python 3.11 or newer is needed, found $(python3 -V)"

# --- the virtual environment, exactly as locked ---
lock=requirements/dev.lock
stamp=.venv/.installed-$(sha256sum "$lock" | cut -c1-16)
if [ ! -e "$stamp" ]; then
    say "installing the Python packages"
    [ -x .venv/bin/python ] || python3 -m venv .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r "$lock"
    rm -f .venv/.installed-*
    touch "$stamp"
fi

# --- fio-plot, which the tests let read fio's JSON, in an environment of its own ---
stamp=.venv/fio-plot/.installed-$(sha256sum requirements/fio-plot.lock | cut -c1-16)
if [ $tests = yes ] && [ ! -e "$stamp" ]; then
    say "installing fio-plot"
    [ -x .venv/fio-plot/bin/python ] || python3 -m venv .venv/fio-plot
    .venv/fio-plot/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/fio-plot.lock
    rm -f .venv/fio-plot/.installed-*
    touch "$stamp"
fi

# --- the compiled simulator and the `lodestone` command ---
sources=$(find workers/simulator -name '*.py' -o -name '*.pxd' | sort | xargs cat setup.py pyproject.toml | sha256sum | cut -c1-16)
stamp=.venv/.compiled-$sources
if [ ! -e "$stamp" ]; then
    say "compiling the simulator"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . ||
        fail "the simulator did not compile; the compiler's message stands above"
    rm -f .venv/.compiled-*
    touch "$stamp"
fi

# the command starts in a third of the time from compiled files
.venv/bin/python -m compileall -q app workers

# --- Node.js and the web page ---
new_enough() { "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null; }
if command -v node >/dev/null && command -v npm >/dev/null && new_enough node; then
    :
else
    if [ ! -x .venv/bin/node ]; then
        say "installing Node.js"
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/node.lock
    fi
    export PATH="$PWD/.venv/bin:$PATH"
    new_enough node || fail "Node.js 20.19 or newer is needed"
fi
if [ -f frontend/package.json ]; then
    stamp=frontend/node_modules/.installed-$(cat frontend/package.json frontend/package-lock.json | sha256sum | cut -c1-16)
    if [ ! -e "$stamp" ]; then
        say "installing the web page's packages"
        (cd frontend && npm ci --no-audit --no-fund --loglevel=error)
        rm -f frontend/node_modules/.installed-*
        touch "$stamp"
    fi
    page=$(cd frontend && find . -path ./node_modules -prune -o -path ./dist -prune -o -type f -print | sort | xargs cat | sha256sum | cut -c1-16)
    if [ ! -e "frontend/dist/.built-$page" ]; then
        say "building the web page"
        (cd frontend && npm run --silent build)
        touch "frontend/dist/.built-$page"
    fi
fi
say "ready"
