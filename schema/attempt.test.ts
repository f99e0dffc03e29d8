import assert from "node:assert/strict";
import { test } from "node:test";
import { attemptInWords, attemptKey, attemptTitle, loadKey } from "./attempt.ts";

test("a planned load and its record have the same keys and titles; attempts at a load share `loadKey`, but not `attemptKey`", () => {
  const [planned, recorded] = [{ id: "A/h1" }, "A/h1"].map((condition) => ({ block: 2, attempt: 1, condition }));
  for (const name of [loadKey, attemptKey, attemptInWords, attemptTitle]) assert.equal(name(planned!), name(recorded!));
  assert.equal(attemptInWords(planned!), "block 2, attempt 1, A/h1");
  const again = { ...planned!, attempt: 2 };
  assert.equal(loadKey(planned!), loadKey(again));
  assert.notEqual(attemptKey(planned!), attemptKey(again));
});
