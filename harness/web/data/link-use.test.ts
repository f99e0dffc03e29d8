import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../../schema/evidence.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { RateStep } from "../../../schema/rate-trace.ts";
import { linkUse } from "./link-use.ts";

const steps: RateStep[] = [
  [1000, 8],
  [500, 0],
];
const condition = (traced: boolean) =>
  ({
    settings: { link: { downMbps: 5, ...(traced && { trace: { name: "x", down: steps, up: steps } }) } },
  }) as Condition;
const background = { inSteps: { down: [1514, 0], up: [66, 66] } };
const evidence = (parts: object) => ({ link: {}, processor: { elapsedMs: 1300 }, ...parts }) as unknown as Evidence;

test("a constant link that the page has alone is not drawn", () =>
  assert.equal(linkUse(evidence({}), condition(false)), null));

test("a trace's rates are those from the navigation on, until the load was over", () => {
  const link = { trace: { offsetMs: 500, navigationMs: 200.04 } };
  assert.deepEqual(linkUse(evidence({ link }), condition(true)), {
    rates: { fromMs: [0, 300, 800], mbps: [8, 0, 8] },
    stepMs: 100,
    background: [],
  });
});

test("beside flows a constant link has one rate, and their bytes are those towards the client", () => {
  const use = linkUse(evidence({ background }), condition(false));
  assert.deepEqual(use, { rates: { fromMs: [0], mbps: [5] }, stepMs: 100, background: [1514, 0] });
});
