#!/bin/sh
# Makes test/recorded-run, which test/recorded-run.test.ts repeats: a few loads on the virtual clock, over a link with
# packet loss and a link without. Only the code that made the run repeats its bytes, so make it again when code that runs in guests changes.
set -eu
cd "$(dirname "$0")/.."
./lab run --clock virtual --lanes 1 --loads 2 --only page=A --only servers=1 --only initcwnd=10 \
    --only link=20x2-100ms-0%,20x2-100ms-1%
for made in results/spdy-initcwnd-*; do :; done # the newest
rm -rf test/recorded-run/traces
mkdir -p test/recorded-run
for file in run.json run.sha256 calibration.jsonl lanes.jsonl loads.jsonl traces; do mv "$made/$file" test/recorded-run/; done
rm -r "$made"
