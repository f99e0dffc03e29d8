/** Tests which addresses a public page must not reach. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isPrivateAddress } from "./private-addresses.ts";

test("isPrivateAddress is true for addresses of this machine and of local networks, and false for addresses on the internet", () => {
  for (const one of [
    "127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "::1",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
  ])
    assert.ok(isPrivateAddress(one), one);
  for (const one of ["1.1.1.1", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1"])
    assert.ok(!isPrivateAddress(one), one);
});
