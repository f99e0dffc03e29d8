import assert from "node:assert/strict";
import { test } from "node:test";
import { adaptive } from "../schema/settings.ts";
import { quicAbilities, quicOptions } from "./quic-options.ts";

const quicCongestion = { controls: ["cubic", "reno"], usedIn: () => [] };
const route = { initcwnd: 32, congestion: "reno" };

test("a server gets the configured window and congestion control only if it has options for them", () => {
  const both = quicAbilities({ can: ["quicWindow", "gzip"], quicCongestion });
  assert.deepEqual(both, { quicWindow: true, quicCongestion: ["cubic", "reno"] });
  assert.deepEqual(quicOptions(both, route), { quicWindow: 32, quicCongestion: "reno" });
  assert.deepEqual(quicOptions(quicAbilities({ can: ["gzip"] }), route), {});
  assert.deepEqual(quicOptions(quicAbilities({ can: [], quicCongestion }), route), { quicCongestion: "reno" });
});

test("settings that only TCP has do not become options for QUIC", () => {
  const both = quicAbilities({ can: ["quicWindow"], quicCongestion });
  assert.deepEqual(quicOptions(both, { initcwnd: adaptive, congestion: "abc1" }), {});
});

test("quicAbilities records whether a server's log shows its initial window", () => {
  const quicWindowsIn = () => [];
  assert.deepEqual(quicAbilities({ can: ["quicWindow"], quicWindowsIn }), { quicWindow: "logged" });
  assert.deepEqual(quicAbilities({ can: [], quicWindowsIn }), {});
});
