/** Values that a load's evidence does not show. Lost packets hid some of them; others are missing although no packet was lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { flows, judge, link, server, withFlows } from "./sample-load.fixture.ts";

/** No handshake was fully captured. */
const blind = withFlows(
  ...flows.map((one) => ({ ...one, handshakeMs: null, receiveWindow: null, server: { ...server, initcwnd: null } })),
);

test("values that lost packets hid are inconclusive; if no packet was lost, their absence is a contradiction", () => {
  const dropped = { ...blind, link: { ...link, up: { ...link.up, queueDroppedPackets: 2, queuedPackets: 0 } } };
  const hidden = judge(dropped);
  assert.deepEqual(hidden.contradictions, []);
  assert.deepEqual(Object.keys(hidden.inconclusive), ["initcwnd", "initrwnd", "windowScaling"]);
  const missing = judge(blind).contradictions.join("\n");
  for (const text of ["no handshake was fully captured", "no connection's first flights reached the window"])
    assert.match(missing, new RegExp(`${text}, and the link lost no packet that could explain it`));
});
