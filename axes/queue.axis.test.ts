import assert from "node:assert/strict";
import { test } from "node:test";
import { axis } from "./queue.axis.ts";

test("a queue of half a packet is refused by its value, not as a defect of the lab", () => {
  const refused = axis.value.safeParse(10.5);
  assert.match(refused.error!.issues[0]!.message, /"10\.5" is not a whole number, as in "50 packets"/);
  assert.equal(axis.value.parse(10), 10);
  assert.equal(axis.value.parse("10 packets"), 10);
});
