import assert from "node:assert/strict";
import { test } from "node:test";
import { foreignTraffic } from "./foreign-traffic.ts";
import type { UdpPacket, Unreachable } from "./packet.ts";

const known = { hosts: new Set(["198.18.0.10", "198.18.1.11"]), quicPorts: new Set([4433]) };
const [client, server] = ["198.18.0.10:40000", "198.18.1.11:4433"];
const seen = { timeMs: 0, frameBytes: 72, mark: 0 };
const udp = (source: string, destination: string): UdpPacket => ({
  ...seen,
  transport: "udp",
  source,
  destination,
  payloadBytes: 30,
  payload: Buffer.alloc(30),
});
const unreachable = (about: { source: string; destination: string }): Unreachable => ({
  ...seen,
  transport: "icmp",
  source: "198.18.0.10:0",
  destination: "198.18.1.11:0",
  about,
});

test("QUIC in both directions and the ICMP response to a late datagram are not foreign traffic", () => {
  assert.equal(foreignTraffic(udp(client, server), known), null);
  assert.equal(foreignTraffic(udp(server, client), known), null);
  assert.equal(foreignTraffic(unreachable({ source: server, destination: client }), known), null);
});

test("UDP from an unknown host, or to a port that is not for QUIC, is foreign traffic, and so is the ICMP response to this UDP", () => {
  const other = "198.18.1.11:9";
  assert.equal(foreignTraffic(udp(client, other), known), `UDP from ${client} to ${other}`);
  assert.equal(foreignTraffic(udp("198.18.0.2:4433", client), known), `UDP from 198.18.0.2:4433 to ${client}`);
  assert.equal(
    foreignTraffic(unreachable({ source: other, destination: client }), known),
    `ICMP from 198.18.0.10:0 to 198.18.1.11:0, about UDP from ${other} to ${client}`,
  );
  assert.match(foreignTraffic(udp(client, server), { ...known, quicPorts: new Set() })!, /^UDP from/);
});
