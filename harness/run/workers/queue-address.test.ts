import assert from "node:assert/strict";
import { test } from "node:test";
import { ExitCode } from "../../../schema/errors.ts";
import { queueAddress } from "./queue-address.ts";

test("a queue address on the command line overrides that in LAB_QUEUE; if neither is given, there is a usage error", () => {
  assert.equal(queueAddress("redis://a", "redis://b"), "redis://a");
  for (const given of [undefined, true] as const) {
    assert.equal(queueAddress(given, "redis://b"), "redis://b");
    for (const empty of [undefined, ""])
      assert.throws(() => queueAddress(given, empty), { exitCode: ExitCode.usage, message: /set LAB_QUEUE/ });
  }
});
