import assert from "node:assert/strict";
import { test } from "node:test";
import { onHarnessHost } from "../../lab.ts";

test("after a load on a lossy link no server keeps a connection, because a later load could use the same port", async () => {
  const kept = await onHarnessHost("test/inside/left-open.ts");
  assert.deepEqual(kept, Array(8).fill("0"));
});
