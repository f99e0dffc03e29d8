import assert from "node:assert/strict";
import { test } from "node:test";
import { retry } from "./retry.ts";

const maxAttempts = 8;

test("a probe that fails is repeated, and its first success is the result", async () => {
  let calls = 0;
  const failTwice = async () => {
    if (++calls <= 2) throw new Error(`failure ${calls}`);
    return calls;
  };
  assert.equal(await retry(failTwice), 3);
});

test("a probe that fails each time ends with the last error, after 8 attempts", async () => {
  let calls = 0;
  const fail = () => Promise.reject(new Error(`failure ${++calls}`));
  await assert.rejects(retry(fail), { message: `failure ${maxAttempts}` });
  assert.equal(calls, maxAttempts);
});
