/** A run's digest is the same for the same lines, no matter who made them and when. Any other difference changes it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contentHash, Digest } from "./digest.ts";

interface Line {
  lane: number;
  block: number;
  startedAt: string;
  previous?: string;
  machine?: object;
}
const lines: Line[] = [1, 2, 3, 4].map((block) => ({ lane: block % 2, block, startedAt: "then" }));
const manifest = { seed: 1, createdAt: "then", commit: "one" };

function digestOf(of: object, all: readonly Line[]): string {
  const digest = new Digest(contentHash(of));
  for (const line of all) digest.add(line.lane, contentHash(line));
  return String(digest);
}
const honest = digestOf(manifest, lines);

test("a run that is repeated later, on another machine, by another commit and with its chunks in another order has the same digest", () => {
  const again = lines
    .map((line) => ({ ...line, startedAt: "now", machine: { cpu: "another" } }))
    .sort((a, b) => a.lane - b.lane);
  assert.equal(digestOf({ seed: 1, createdAt: "now", commit: "other" }, again), honest);
});

const changes: Record<string, Line[]> = {
  "a line left out": lines.slice(1),
  "a line twice": [lines[0]!, ...lines],
  "two lines of a chunk swapped": [lines[2]!, lines[1]!, lines[0]!, lines[3]!],
  "a line moved to another chunk": [{ ...lines[0]!, lane: 7 }, ...lines.slice(1)],
  "the last line altered": [...lines.slice(0, 3), { ...lines[3]!, block: 5 }],
};
for (const [what, changed] of Object.entries(changes))
  test(`a run with ${what} has another digest`, () => assert.notEqual(digestOf(manifest, changed), honest));

test("a run with another seed has another digest", () =>
  assert.notEqual(digestOf({ ...manifest, seed: 2 }, lines), honest));
