#!/bin/sh
# Types, then every test: units beside their code, then test/ on the real thing, one file at a time. Arguments: test files
# instead of all.
set -eu
cd "$(dirname "$0")/.."
node_modules/.bin/tsc --noEmit
[ $# -gt 0 ] || set -- $(git ls-files -co --exclude-standard '*.test.ts' | sort)
exec node --import tsx --test --test-concurrency=1 --test-reporter=spec "$@"
