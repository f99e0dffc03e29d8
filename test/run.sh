#!/bin/sh
# The folder of a test file decides when the test runs:
#   next to the code  unit tests: `npm test` runs these in a few minutes, without any privileges
#   test/             the lab as a whole, independent of timing: as many files at once as there are cores
#   test/alone/       measurements on the real clock, which would disturb each other: one file at a time
#   test/all/         slow tests of features that rarely break unnoticed: only with --all; on the virtual clock, as many files at once as cores
#   test/all/alone/   slow tests on the real clock: only with --all, one file at a time
#   run.sh            everything except test/all/: `./lab test` and .ci/run use this
#   run.sh --all      all tests
#   run.sh --units    the unit tests
#   run.sh FILE...    these test files from any folder, one at a time
# shellcheck disable=SC2046,SC2086 # each file is one word: no test's name has a blank
set -eu
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin # for servers: an ordinary user's PATH lacks these folders

# Lists the unit tests, twelve files per process, because each process takes about a second to load what its tests import. A file that
# changes its process's working directory gets a process of its own.
units() {
    found=$(find ./*/ -name '*.test.ts' | grep -v -e ^./node_modules/ -e ^./test/ | sort)
    rm -rf .lab/units && mkdir -p .lab/units
    grep -L process.chdir $found | sed 's|^\./.*|import "../../&";|' | split -l 12 -d --additional-suffix=.test.ts - .lab/units/
    echo .lab/units/* $(grep -l process.chdir $found)
}
# Replaces this shell, so that a signal to it reaches the tests.
run_tests() { exec node --import tsx --test --test-reporter=spec "$@"; }
run_beside() { run_tests --test-concurrency="$(nproc)" "$@"; }
run_alone() { run_tests --test-concurrency=1 "$@"; }

beside="test/*.test.ts" alone="test/alone/*.test.ts"
case ${1:-} in
--units) run_beside $(units) ;;
--all) beside="$beside test/all/*.test.ts" alone="$alone test/all/alone/*.test.ts" ;;
-*) echo "test/run.sh: unknown option $1; known: --all, --units, and names of test files" >&2 && exit 2 ;;
?*) run_alone "$@" ;;
esac

for check in typecheck lint lint:shell; do npm run --silent $check; done
# Creates the pages and certificates with which the labs of all tests start.
mkdir -p .lab/state
node --import tsx servers/setup.ts .lab/state
failed=0
(run_beside $beside $(units)) || failed=1
(run_alone $alone) || failed=1
exit $failed
