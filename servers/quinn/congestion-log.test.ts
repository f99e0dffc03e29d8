import assert from "node:assert/strict";
import { test } from "node:test";
import { congestionIn } from "./congestion-log.ts";

test("the server's log names each connection's congestion control; other lines do not", () => {
  const told = (control: string) => `congestion control: ${control}\n`;
  assert.deepEqual(congestionIn(told("reno") + told("reno")), ["reno"]);
  assert.deepEqual(congestionIn(`${told("cubic")}connection ended: timed out\n${told("bbr")}`), ["cubic", "bbr"]);
  assert.deepEqual(congestionIn("response ended: congestion control: cubic\n"), []);
});
