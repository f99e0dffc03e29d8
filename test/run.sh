#!/bin/sh
# What time does not change comes first, as many files at once as there are cores: types, layout, shell scripts, the units, whose
# tests lie beside their code, and test/, where loads are on the virtual clock. Then test/alone/, one file at a time, for they
# measure on the real clock, and each would disturb the next.
#   run.sh            all of it: what `./lab test` does
#   run.sh FILE...    these test files instead of all
#   run.sh --units    the units alone, in seconds: what `npm test` does
# shellcheck disable=SC2046 # a word a file: no test has a blank in its name
set -eu
cd "$(dirname "$0")/.."

units() { find ./*/ -name '*.test.ts' | grep -v -e ^./node_modules/ -e ^./test/ | sort; }
# In place of this shell, so that a signal to it reaches the tests.
run_tests() { exec node --import tsx --test --test-reporter=spec "$@"; }
run_beside() { run_tests --test-concurrency="$(nproc)" "$@"; }

if [ "${1:-}" = --units ]; then run_beside $(units); fi
for check in typecheck lint lint:shell; do npm run --silent $check; done
if [ $# != 0 ]; then run_tests --test-concurrency=1 "$@"; fi
# Pages and certificates, once: what the labs of all tests begin with.
mkdir -p .lab/state
node --import tsx servers/setup.ts .lab/state
failed=0
(run_beside test/*.test.ts $(units)) || failed=1
(run_tests --test-concurrency=1 test/alone/*.test.ts) || failed=1
exit $failed
