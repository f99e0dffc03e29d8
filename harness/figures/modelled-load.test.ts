import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistries } from "../../axes/registries.ts";
import { conditionOf } from "../plan/conditions.ts";
import { modelledLoad } from "./modelled-load.ts";

const registries = readRegistries();
const asked = { page: "A", servers: 2, link: "10x1-100ms-1%", protocol: "h2", initcwnd: 3, queueUp: "64000bytes" };
const load = (news: object = {}) => modelledLoad(conditionOf({ ...asked, ...news }, registries).values, 2, registries);

test("a model gets the condition's protocol, windows and link, but only the down direction's loss", () => {
  const { requests: _, ...seen } = load()!;
  assert.deepEqual(seen, {
    protocol: { name: "h2", alpn: "h2", scheme: "https", transport: "tcp" },
    ...{ connectionsPerHost: 1, segmentBytes: 1448, rttMs: 100, downMbps: 10, upMbps: 1, lossPercent: 1 },
    queue: { down: { queuePackets: 50 }, up: { queuePackets: 42, queueBytes: 64_000 } },
    ...{ initcwnd: 3, initrwnd: 44, growth: 2 },
  });
  assert.equal(load({ protocol: "h1" })!.connectionsPerHost, 6);
  assert.equal(load({ protocol: "h3", server: "caddy", initcwnd: 10 })!.protocol.transport, "quic");
  assert.equal(load({ lossIn: "up" })!.lossPercent, 0);
});

test("a modelled load has the page's requests, the document first, each with its host and its bytes", () => {
  const { requests } = load()!;
  const entry = registries.pages.A as { requests: number; bodyBytes: number };
  assert.equal(requests.length, entry.requests);
  assert.equal(
    requests.reduce((sum, { bytes }) => sum + bytes, 0),
    entry.bodyBytes,
  );
  assert.equal(requests[0]!.path, "/A/2-h2.html");
  assert.deepEqual(
    requests.slice(0, 3).map(({ host }) => host),
    ["s1.lab", "s2.lab", "s1.lab"],
  );
});

test("modelledLoad returns null if the initial window or the page's requests are unknown", () => {
  assert.equal(load({ initcwnd: "adaptive" }), null);
  assert.equal(load({ page: "article", servers: 1 }), null);
});
