import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../../schema/evidence.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { RateStep } from "../../../schema/rate-trace.ts";
import type { Trace } from "../../../schema/trace.ts";
import { linkUse } from "./link-use.ts";

const steps: RateStep[] = [
  [1000, 8],
  [500, 0],
];
const condition = (traced: boolean) =>
  ({
    settings: { link: { downMbps: 5, upMbps: 1, ...(traced && { trace: { name: "x", down: steps, up: steps } }) } },
  }) as Condition;
const background = { inSteps: { down: [1514, 0], up: [66, 66] } };
const evidence = (parts: object) => ({ link: {}, processor: { elapsedMs: 1300 }, ...parts }) as unknown as Evidence;

/** Packets that were all sent at the same time, in microseconds since navigation start. @param tookUs null for a lost packet */
const columns = (sentUs: number, tookUs: (number | null)[]) => ({
  sentUs: tookUs.map((_, i) => (i === 0 ? sentUs : 0)),
  tookUs,
  frameBytes: tookUs.map(() => 1000),
});
const trace = {
  flows: [{ down: columns(99_000, [500, 1000, null]), up: columns(0, [250_000]) }],
  quicFlows: [{ down: columns(0, [1]), up: columns(200_000, [10]) }],
} as unknown as Trace;

test("a link with a constant rate and without background flows is not drawn", () =>
  assert.equal(linkUse(evidence({}), condition(false), trace), null));

test("if a link's rate varies, its rates are given from navigation start to the end of the load", () => {
  const link = { trace: { offsetMs: 500, navigationMs: 200.04 } };
  const rates = { fromMs: [0, 300, 800], mbps: [8, 0, 8] };
  const use = { rates, page: [], background: [] };
  assert.deepEqual(linkUse(evidence({ link }), condition(true), null), { stepMs: 100, down: use, up: use });
});

test("a constant link with background flows has one rate in each direction; bytes count in the step in which they arrive", () => {
  assert.deepEqual(linkUse(evidence({ background }), condition(false), trace), {
    stepMs: 100,
    down: { rates: { fromMs: [0], mbps: [5] }, page: [2000, 1000], background: [1514, 0] },
    up: { rates: { fromMs: [0], mbps: [1] }, page: [0, 0, 2000], background: [66, 66] },
  });
});
