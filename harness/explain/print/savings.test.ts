import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistries } from "../../../axes/registries.ts";
import { conditionOf } from "../../plan/conditions.ts";
import type { Part } from "../parts.ts";
import { errorOf, meansOf, predictedMs, savingsOf } from "./savings.ts";
import { savingsMarkdown } from "./savings-markdown.ts";
import { type ExplainedCondition, partsOf } from "./summary.ts";

const registries = readRegistries();
const shared = { page: "A", servers: 1, protocol: "h2", initcwnd: 10 } as const;

/** A condition whose loads' time is the sum of the parts given. */
function explained(link: string, own: Partial<Record<Part, number>>, congestion = "cubic"): ExplainedCondition {
  const parts = partsOf((part) => own[part] ?? 0);
  const pageLoadMs = Object.values(parts).reduce((sum, ms) => sum + ms, 0);
  const condition = conditionOf({ ...shared, link, congestion }, registries);
  return { condition, loads: 1, pageLoadMs, floorMs: null, parts };
}
const lossy = explained("10x1-100ms-1%", { connections: 200, "window after loss": 500, timeout: 300, rate: 100 });
const lossless = explained("10x1-100ms-0%", { connections: 200, window: 200, rate: 100 });

test("without loss, what losses cost is saved, and the error is what another part then costs", () => {
  const [saving, ...more] = savingsOf([lossy, lossless]);
  assert.deepEqual(more, []);
  assert.equal(saving!.cause, "random loss");
  assert.equal(predictedMs(saving!), 800);
  assert.equal(errorOf(saving!), 300 / 500 - 1);
  assert.deepEqual(meansOf([saving!], ["window"]), { predicted: 0, measured: -200 });
});

test("of a shorter RTT the same share of each round trip is saved", () => {
  const short = explained("20x2-20ms-0%", { connections: 40, window: 20, rate: 90 });
  const long = explained("20x2-100ms-0%", { connections: 200, window: 100, rate: 90 });
  const [saving] = savingsOf([short, long]);
  assert.deepEqual([saving!.cause, predictedMs(saving!), errorOf(saving!)], ["RTT", 240, 0]);
});

test("HyStart that is switched off is a cause of its own", () => {
  const without = explained("10x1-100ms-0%", { connections: 200, rate: 100 }, "cubic-no-hystart");
  assert.deepEqual(
    savingsOf([lossless, without]).map(({ cause }) => cause),
    ["HyStart"],
  );
});

test("conditions that differ in two things are not compared", () => {
  assert.deepEqual(savingsOf([lossy, explained("20x2-100ms-0%", { rate: 50 })]), []);
});

test("errors are printed beside the aims, with and without random loss", () => {
  const short = explained("10x1-20ms-0%", { connections: 40, window: 40, rate: 100 });
  const text = savingsMarkdown(savingsOf([lossy, lossless, short]));
  assert.match(text, /all without random loss +\|\s+1 \|\s+0\.0% \|\s+0\.0% \|\s+5\.0%/);
  assert.match(text, /all with random loss +\|\s+1 \|\s+40\.0% \|\s+40\.0% \|\s+10\.0%/);
});
