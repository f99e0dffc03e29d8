import assert from "node:assert/strict";
import { test } from "node:test";
import { Shell } from "./shell.ts";
import { guestTc } from "./wake.ts";

test("guest-tc.pl passes commands to tc, and gives the reason if it cannot wake a token bucket", async () => {
  const shell = new Shell(["sh", "-s"], process.env, null, () => {});
  try {
    const send = shell.become(guestTc(["cat"]), (line) => line.startsWith("["));
    assert.deepEqual(await send(["one", "[1]"]), ["one", "[1]"]);
    const [problem = "", end] = await send(["wake no-such-device"]); // without root rights the socket is refused
    assert.match(
      problem,
      /^cannot wake the queue of no-such-device: (SIOCGIFINDEX: No such device|socket: Operation not)/,
    );
    assert.equal(end, "[]");
    assert.deepEqual(await send(["[2]"]), ["[2]"]);
  } finally {
    shell.end();
  }
});

test("in the packet that wakes a token bucket, the length in the IP header includes the zeros after the headers", () => {
  const [start = "", zeros] = guestTc([]).slice(2);
  const bytes = Buffer.from(start, "hex");
  const [virtioBytes, ethernetBytes] = [10, 14];
  assert.equal(
    bytes.readUInt16BE(virtioBytes + ethernetBytes + 2),
    bytes.length - virtioBytes - ethernetBytes + Number(zeros),
  );
});
