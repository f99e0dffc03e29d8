/** From a worker, a run accepts the lines of the chunk that the worker was given, in order, and nothing else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { LaneMessage, LoadChunk } from "../../../schema/lane-messages.ts";
import type { LoadRecord } from "../../../schema/records.ts";
import { blockRun } from "../../record/find-run.ts";
import { readRun } from "../../record/records.ts";
import { conditions, registries } from "../../tables/synthetic-loads.fixture.ts";
import { linkOf } from "../share-work.ts";
import { packMessages } from "./packed-messages.ts";
import { RefusedResult, receivedResult } from "./received-result.ts";

const recorded = readRun(blockRun);
const [h1, h2] = conditions({ link: ["10x1-20ms-0%"] });
const loads = [h1!, h2!].map((condition) => ({ block: 2, attempt: 1, condition }));
const chunk: LoadChunk = {
  ...{ kind: "loads", number: 5, calibrate: [], calibrations: {}, loads, registries, timeoutMs: 1000 },
};
const measuring: LoadChunk = { ...chunk, calibrate: [h1!.settings], loads: [] };

const lane: LaneMessage = { kind: "lane", lane: { ...recorded.lanes[0]!, lane: 5 } };
const load = ({ block, attempt, condition }: (typeof loads)[number], news: Partial<LoadRecord> = {}): LaneMessage => ({
  kind: "load",
  load: {
    ...{ condition: condition.id, ...condition.fields, block, attempt, lane: 5 },
    ...{
      startedAt: "2000-01-01T00:00:00.000Z",
      wallMs: 3,
      ok: false,
      reason: "it broke",
      cause: "not observed",
      ...news,
    },
  } as LoadRecord,
});
const measured = (news: object = {}): LaneMessage => {
  const { samples: _, ...calibration } = recorded.calibrations[0]!;
  const { link } = h1!.settings;
  const own = { calibration: "5.0", link: linkOf(h1!.settings), configured: link, attempt: 1, final: true };
  return { kind: "calibration", calibration: { ...calibration, ...own, ...news } };
};
const whole = loads.map((one) => load(one));
const received = (messages: LaneMessage[], of = chunk, more: object = {}) =>
  receivedResult({ worker: "host-7", messages: packMessages(messages), ...more }, of);

test("a chunk's lines in order are accepted, also if its lane ended early or its client hung", () => {
  assert.deepEqual(received([lane, ...whole]).messages, [lane, ...whole]);
  assert.equal(received([lane, whole[0]!]).messages.length, 2);
  assert.deepEqual(received([lane], chunk, { broke: "the guest ended" }).messages, [lane]);
  assert.equal(received([], chunk, { broke: "it did not start" }).broke, "it did not start");
  const twice = [measured({ final: false }), measured({ calibration: "5.1", attempt: 2 }), lane];
  assert.equal(received(twice, measuring).messages.length, 3);
});

const longReason = "x".repeat(65e6);
const [first, second] = [loads[0]!, loads[1]!];
const refused: [what: string, messages: LaneMessage[], why: RegExp, of?: LoadChunk][] = [
  ["no message", [], /ends before its lane is described/],
  ["no load", [lane], /it has no load/],
  ["a load of an unknown condition", [lane, load(first, { condition: "nonexistent" })], /another load.*nonexistent/],
  ["a load of another block", [lane, load(first, { block: 99 })], /block 99, attempt 1, .* instead of block 2/],
  ["a load of another attempt", [lane, load(first, { attempt: 7 })], /attempt 7/],
  ["a load of another chunk", [lane, load(first, { lane: 12345 })], /names lane 12345, but belongs to chunk 5/],
  ["a load out of order", [lane, load(second)], /another load/],
  [
    "a load whose RTT differs from its condition's",
    [lane, load(first, { rttMs: 1 } as object)],
    /has a different rttMs than its condition/,
  ],
  [
    "a load whose line is longer than a reader accepts",
    [lane, load(first, { reason: longReason })],
    /its load's line would have 66 MB; a line may have at most 64 MB/,
  ],
  ["more loads than its chunk", [lane, ...whole, whole[1]!], /an extra load \(.*\), which the chunk does not ask for/],
  ["a load before the lane", [whole[0]!, lane], /before its lane is described/],
  [
    "a description of another lane",
    [{ ...lane, lane: { ...lane.lane, lane: 6 } }, ...whole],
    /describes lane 6, but belongs to chunk 5/,
  ],
  ["two descriptions of its lane", [lane, lane], /describes its lane twice/],
  ["a measurement that was not asked for", [measured(), lane, ...whole], /which the chunk does not ask for/],
  ["no measurement", [lane], /before all links are measured/, measuring],
  ["a measurement that is not final", [measured({ final: false }), lane], /before all links are measured/, measuring],
  ["a measurement with a wrong number", [measured({ calibration: "6.0" })], /6\.0 instead of 5\.0/, measuring],
  ["a measurement of another link", [measured({ link: "1x1-1ms-0%" })], /is for another link/, measuring],
  [
    "a measurement whose attempt has a wrong number",
    [measured({ attempt: 2 })],
    /is attempt 2 instead of 1/,
    measuring,
  ],
  ["a message of a lane that learns pages", [{ kind: "not learned", reason: "x" }], /kind "not learned"/],
  [
    "a capture",
    [{ kind: "captured", captured: { load: (whole[0] as { load: LoadRecord }).load, files: {} } }],
    /kind "captured"/,
  ],
];
for (const [what, messages, why, of] of refused)
  test(`a result with ${what} is refused`, () =>
    assert.throws(
      () => received(messages, of),
      (error) => error instanceof RefusedResult && why.test(error.message),
    ));

const packed = (content: string | Buffer) => ({ messages: gzipSync(content).toString("base64") });
const unreadable: [what: string, result: object, why: RegExp][] = [
  ["that is not gzip", { messages: "AAAA" }, /cannot be unpacked/],
  ["that is not base64", { messages: "!" }, /messages: /],
  ["without the fields of a result", { hello: 1 }, /is not a result/],
  ["with lines that are not JSON", packed("{"), /not a lane's message, "\{"/],
  ["with a file whose name is a path", packed(fileOf("../../OUTSIDE")), /not a lane's message/],
  ["with a million opening brackets", packed("[".repeat(1e6)), /not a lane's message/],
  ["with a million nested JSON arrays", packed("[".repeat(1e6) + "]".repeat(1e6)), /not a lane's message/],
  ["of only line feeds", packed(Buffer.alloc(200e6, 10)), /not a lane's message, ""/],
  [
    "whose worker's name has control characters",
    { worker: "other\x1b[31m\n::error::x" },
    /a worker's name has only letters/,
  ],
  ["whose reason has a million characters", { broke: "x".repeat(1e6) }, /broke: /],
];
for (const [what, result, why] of unreadable)
  test(`a result ${what} is refused`, () => assert.throws(() => received([lane, ...whole], chunk, result), why));

test("a result that unpacks to a gigabyte is refused within 5 s of CPU time", () => {
  const bomb = packed(Buffer.alloc(1e9, 10));
  const before = process.cpuUsage(); // only this process's processor time, because the machine may be busy
  assert.throws(() => received([], chunk, bomb), /unpack to more than 256 MB/);
  assert.ok(process.cpuUsage(before).user < 5e6);
});

function fileOf(name: string): string {
  const { load: failed } = load(loads[0]!) as { load: LoadRecord };
  return JSON.stringify({ kind: "captured", captured: { load: failed, files: { [name]: "" } } });
}
