/** The chain of a run's lines: whole as recorded, whichever lane was quicker; broken by every change but its last line's. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import type { LaneMessage } from "../../schema/lane-messages.ts";
import { ChainCheck, chunkOf } from "./chain.ts";
import { readLines } from "./journal.ts";
import { Recorder } from "./recorder.ts";

const folder = mkdtempSync("/tmp/chain-test-");
after(() => rmSync(folder, { recursive: true }));

const manifest = '{"seed": 1, "createdAt": "now"}';
const messages = [
  { calibration: { calibration: "0.0" } },
  { kind: "lane", lane: { lane: 0 } },
  { kind: "lane", lane: { lane: 1 } },
  ...[1, 2, 3, 4].map((block) => ({ kind: "load", load: { lane: block % 2, block } })),
] as unknown as LaneMessage[];
writeFileSync(`${folder}/run.json`, manifest);
const recorder = new Recorder(folder);
for (const message of messages) recorder.keep(message);
recorder.close();

type Line = [chunk: number, text: string];
const read = (file: string, chunk: (record: Record<string, unknown>) => number): Line[] =>
  [...readLines(`${folder}/${file}`)].map(({ bytes }) => [chunk(JSON.parse(bytes.toString())), bytes.toString()]);
const before = [
  ...read("calibration.jsonl", ({ calibration }) => chunkOf(String(calibration))),
  ...read("lanes.jsonl", ({ lane }) => Number(lane)),
];
const loads = read("loads.jsonl", ({ lane }) => Number(lane));

function check(lines: Line[], first = manifest): { breaks: number; head: string } {
  const chain = new ChainCheck(first);
  for (const [chunk, text] of lines) chain.see(chunk, JSON.parse(text).previous, text);
  return { breaks: chain.breaks.length, head: chain.head() };
}
const whole = check([...before, ...loads]);

test("what was recorded is whole, in whichever order lanes took turns", () => {
  assert.equal(whole.breaks, 0);
  assert.deepEqual(check([...before, ...loads.toSorted(([a], [b]) => a - b)]), whole);
});

const forgeries: Record<string, (lines: Line[]) => Line[]> = {
  "a line that is gone": (lines) => lines.slice(1),
  "a lane that is gone": (lines) => lines,
  "two lines of a lane the other way round": ([a, b, c, ...rest]) => [c!, b!, a!, ...rest],
  "a line with another number": (lines) =>
    lines.map(([chunk, text]): Line => [chunk, text.replace('"block":1', '"block":9')]),
  "a line twice": ([first, ...rest]) => [first!, first!, ...rest],
};
for (const [what, forge] of Object.entries(forgeries))
  test(`breaks it: ${what}`, () => {
    const lanes = what.startsWith("a lane") ? before.filter(([, text]) => !text.startsWith('{"lane":1')) : before;
    assert.ok(check([...lanes, ...forge(loads)]).breaks > 0);
  });

test("breaks it: a manifest that other loads would follow from; one that differs otherwise changes the head", () => {
  assert.equal(check([...before, ...loads], '{"seed": 2, "createdAt": "now"}').breaks, 2);
  const later = check([...before, ...loads], '{"seed": 1, "createdAt": "later"}');
  assert.equal(later.breaks, 0);
  assert.notEqual(later.head, whole.head);
});

test("the last line of a chunk, rewritten or gone, changes the head", () => {
  const changed = loads.map(([chunk, text]): Line => [chunk, text.replace('"block":4', '"block":5')]);
  for (const lines of [changed, loads.slice(0, -1)]) {
    const forged = check([...before, ...lines]);
    assert.equal(forged.breaks, 0);
    assert.notEqual(forged.head, whole.head);
  }
});
