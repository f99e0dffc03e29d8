import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { waitForHost } from "./control.ts";

test("if a host never responds, the error names it, and the attempts leak no event listeners", async () => {
  const warned = once(process, "warning").then(([warning]) => warning as Error);
  await assert.rejects(waitForHost("nobody", 1), /nobody does not answer \(connect ENOENT/);
  assert.equal(await Promise.race([warned, sleep(0, null)]), null);
});
