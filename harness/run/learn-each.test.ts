/** The results do not depend on how many lanes learn pages at the same time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { LaneMessage } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import { learnAll } from "./learn-each.ts";
import { LaneError } from "./run-events.ts";
import { onLinks } from "./test-lanes.fixture.ts";

const conditions = ["A", "B", "C"].flatMap((page) => onLinks(["10x1-20ms-0%"], page));
const { signal } = new AbortController();
const learnt = ({ id }: Condition) =>
  ({
    kind: "learned",
    learnt: { page: "A", as: id, requests: [], outside: [], dialogs: [], notFound: [] },
  }) satisfies LaneMessage;

/** @param dies whether a lane dies at this condition */
async function learnIn(atOnce: number, dies: (condition: Condition) => boolean = () => false, each = 6) {
  const groups: number[] = [];
  let [running, most] = [0, 0];
  async function* start(some: Condition[], lane: number): AsyncIterable<LaneMessage> {
    groups.push(some.length);
    most = Math.max(most, ++running);
    try {
      for (const condition of some) {
        await wait(lane === 0 ? 4 : 1);
        if (dies(condition)) throw new LaneError("the lane died");
        yield learnt(condition);
      }
    } finally {
      running--;
    }
  }
  const seen: string[] = [];
  const learned = ({ condition }: { condition: Condition }) => void seen.push(condition.id);
  const all = await learnAll(conditions, start, { each, atOnce, signal, learned });
  return { all, groups, most, seen };
}

test("two lanes share the pages, and the results are in the order of the conditions", async () => {
  const [one, two] = [await learnIn(1), await learnIn(2)];
  assert.deepEqual([one.groups, one.most], [[6, 6], 1]);
  assert.deepEqual([two.groups, two.most], [[6, 6], 2]);
  assert.deepEqual(two.all, one.all);
  assert.deepEqual(
    two.all.map(({ condition }) => condition),
    conditions,
  );
  assert.notDeepEqual(two.seen, one.seen, "the faster lane's results arrive first");
});

test("if a lane ends early at a page, only the conditions of that page have a problem as their result", async () => {
  const { all } = await learnIn(2, ({ values }) => values.page === "B");
  assert.deepEqual(
    all.map((one) => [one.condition.values.page, "problem" in one]),
    conditions.map(({ values }) => [values.page, values.page === "B"]),
  );
});

test("if every lane ends at its first page, learning fails with the lane's error", () =>
  assert.rejects(
    learnIn(1, () => true, conditions.length),
    /the lane died/,
  ));
