#!/bin/sh
# The tests, from the quickest to the slowest; the last line is the runner's own total. Arguments: test files instead.
set -eu
cd "$(dirname "$0")/.."
node_modules/.bin/tsc --noEmit
[ $# -gt 0 ] || set -- $(git ls-files -co --exclude-standard '*.test.ts' | sort)
exec node --import tsx --test --test-concurrency=1 --test-reporter=spec "$@"
