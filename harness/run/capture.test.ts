import assert from "node:assert/strict";
import { test } from "node:test";
import type { Captured, LaneMessage } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import { makeCaptures } from "./capture.ts";
import { LaneError, type StartLane } from "./run-events.ts";

const conditions = Array.from({ length: 30 }, (_, i) => ({ id: `${i}` }) as Condition);
const captured = (id: string) =>
  ({ kind: "captured", captured: { load: { condition: id }, files: {} } }) as unknown as LaneMessage;

/** A lane that captures conditions one after another, and ends early at condition 5. */
const startLane: StartLane = async function* (chunk) {
  for (const { id } of chunk.kind === "capture" ? chunk.conditions : []) {
    if (id === "5") throw new LaneError("it ended at 5");
    yield captured(id);
  }
};

async function capture(signal = new AbortController().signal) {
  const kept: string[] = [];
  const numbers: number[] = [];
  const problems = await makeCaptures({
    conditions,
    registries: {} as Registries,
    firstChunk: 7,
    timeoutMs: 1000,
    startLane(chunk, ...rest) {
      numbers.push(chunk.number);
      return startLane(chunk, ...rest);
    },
    keep: ({ load }: Captured) => void kept.push(load.condition),
    signal,
  });
  return { kept, numbers, problems };
}

test("when a lane ends early at one condition, all other conditions are still captured", async () => {
  const { kept, numbers, problems } = await capture();
  assert.deepEqual(
    kept,
    conditions.map(({ id }) => id).filter((id) => id !== "5"),
  );
  assert.deepEqual([numbers, problems], [[7, 8], ["it ended at 5"]]);
});

test("a run that was stopped starts no lane for captures", async () => {
  assert.deepEqual((await capture(AbortSignal.abort())).numbers, []);
});
