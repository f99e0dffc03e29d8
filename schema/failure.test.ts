/** Records of failed loads from before 2026-11-27 get the cause that their reasons and fields show. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { blockRun } from "../harness/record/find-run.ts";
import { readRun } from "../harness/record/records.ts";
import { type Cause, causeOfOld } from "./failure.ts";
import { loadSchema } from "./records.ts";

const [first] = [...readRun(blockRun).loads()].flatMap((line) => ("load" in line && line.load.ok ? [line.load] : []));
const { ok: _, pageLoadMs: __, trace: ___, ...rest } = first!;
const { evidence, ...bare } = rest;
const failed = (news: object) => loadSchema.safeParse({ ...bare, ok: false, reason: "it broke", ...news });

const causes: [Cause, object][] = [
  ["time-out", { reason: "timeout: not loaded after 120 s", evidence }],
  ["evidence", { reason: "evidence: its link was not measured", evidence }],
  ["after loading", { reason: "after loading, index.html loads itself again", evidence }],
  ["transfer broken", { reason: "net::ERR_CONNECTION_RESET at https://s1.lab:4432/", evidence }],
  ["not observed", { reason: "timeout: not loaded after 120 s" }],
  ["lane ended", { wallMs: 0 }],
  ["transfer broken", { wallMs: 0, evidence }],
];
for (const [cause, news] of causes)
  test(`an old record with ${JSON.stringify(news).slice(0, 60)} gets the cause "${cause}"`, () =>
    assert.equal((failed(news).data as { cause?: Cause }).cause, cause));

test("a recorded cause is kept even if the reason's text suggests another, and becomes the last field", () => {
  const { data } = failed({ cause: "transfer broken", reason: "timeout: not loaded after 120 s", evidence });
  assert.equal((data as { cause?: Cause }).cause, "transfer broken");
  assert.equal(Object.keys(data!).at(-1), "cause");
});

test('a record with the cause "lane ended" must have no evidence, and its wallMs must be 0', () => {
  assert.ok(failed({ cause: "lane ended", wallMs: 0 }).success);
  assert.match(failed({ cause: "lane ended" }).error!.message, /must have wallMs 0 and no evidence/);
  assert.ok(!failed({ cause: "lane ended", wallMs: 0, evidence }).success);
  assert.ok(!failed({ cause: "bad luck" }).success);
  assert.equal(causeOfOld({ reason: "it broke", wallMs: 0, evidence }), "transfer broken");
});
