import assert from "node:assert/strict";
import { test } from "node:test";
import { onHarnessHost } from "../../lab.ts";

test("after a load over a lossy link, the server keeps no connection whose port a later load could reuse", async () => {
  const kept = await onHarnessHost("test/inside/left-open.ts");
  assert.deepEqual(kept, Array(8).fill("0"));
});
