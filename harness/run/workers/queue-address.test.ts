import assert from "node:assert/strict";
import { test } from "node:test";
import { ExitCode } from "../../../schema/errors.ts";
import { queueAddress } from "./queue-address.ts";

test("the command line overrides the environment, and one of them must have an address", () => {
  assert.equal(queueAddress("redis://a", "redis://b"), "redis://a");
  for (const given of [undefined, true] as const) {
    assert.equal(queueAddress(given, "redis://b"), "redis://b");
    for (const empty of [undefined, ""])
      assert.throws(() => queueAddress(given, empty), { exitCode: ExitCode.usage, message: /set LAB_QUEUE/ });
  }
});
