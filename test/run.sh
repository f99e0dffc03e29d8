#!/bin/sh
# What needs nothing of this machine comes first: types, layout, shell scripts, and the units, whose tests lie beside their
# code. Then test/ on the real thing, one file at a time, for each would disturb the next.
#   run.sh            all of it: what `./lab test` does
#   run.sh FILE...    these test files instead of all
#   run.sh --units    the units alone, in seconds: what `npm test` does
# shellcheck disable=SC2046 # a word a file: no test has a blank in its name
set -eu
cd "$(dirname "$0")/.."

units() { find ./*/ -name '*.test.ts' | grep -v -e ^./node_modules/ -e ^./test/ | sort; }
# In place of this shell, so that a signal to it reaches the tests.
run_tests() { exec node --import tsx --test --test-reporter=spec "$@"; }
run_units() { run_tests --test-concurrency="$(nproc)" $(units); }

if [ "${1:-}" = --units ]; then run_units; fi
for check in typecheck lint lint:shell; do npm run --silent $check; done
if [ $# = 0 ]; then
    (run_units)
    set -- $(find test -name '*.test.ts' | sort)
fi
run_tests --test-concurrency=1 "$@"
