/** Evidence that confirms or contradicts SPDY and HTTP/1.1, from browsers and other clients. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConnectionEvidence, Evidence, FlowEvidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis as handshake } from "./handshake.axis.ts";
import { axis as keyExchange } from "./key-exchange.axis.ts";
import { axis } from "./protocol.axis.ts";

const spoken = { scheme: "https", transport: "tcp", connections: 1 } as const;
const registries = {
  protocols: {
    h1: { ...spoken, alpn: "http/1.1", port: 4431, connections: 6 },
    "spdy3.1": { ...spoken, alpn: "spdy/3.1", port: 4435 },
  },
  pages: { A: { requests: 2, bodyBytes: 30_000, objects: {} } },
  clients: {
    replay: { userAgent: "LabReplay/", protocols: [], replays: { connections: 6, pipelines: false } },
    pipelining: { userAgent: "LabPipelining/", protocols: [], replays: { connections: 1, pipelines: true } },
    chromium: { userAgent: "HeadlessChrome/", protocols: [] },
  },
} as unknown as Registries;

const connection = (host: string, protocol: string, id: number) =>
  ({ id, host, protocol, requests: [{ path: `/${id}` }] }) as ConnectionEvidence;
const flow = (host: string, offered: string[] | undefined, clientPort: number) =>
  ({ host, clientPort, server: { tls: "full", sentSegments: 9, ...(offered && { offered }) } }) as FlowEvidence;

interface Seen {
  protocol?: string;
  answered?: string;
  offered?: string[] | undefined;
  client?: string;
  connections?: number;
}
function proof(seen: Seen = {}) {
  const { protocol = "spdy3.1", answered = "spdy/3.1", client = "replay", connections = 1 } = seen;
  const offered = "offered" in seen ? seen.offered : [answered];
  const all = Array.from({ length: connections }, (_, i) => i + 1);
  const evidence = {
    connections: all.map((id) => connection("s1.lab", answered, id)),
    packets: { flows: all.map((id) => flow("s1.lab", offered, 40_000 + id)) },
  } as unknown as Evidence;
  const verdict = axis.proves(protocol, { page: "A", protocol, client } as ConditionValues, evidence, registries);
  return verdict === "confirmed" ? "confirmed" : "contradicts" in verdict ? verdict.contradicts.join("; ") : "";
}

test("a protocol is confirmed by connections whose ClientHello offers only this protocol", () => {
  assert.equal(proof(), "confirmed");
  assert.equal(proof({ protocol: "h1", answered: "http/1.1", connections: 6 }), "confirmed");
});

test("a response over another protocol contradicts the configured protocol", () => {
  for (const answered of ["http/1.1", "h2", "spdy/2"])
    assert.match(
      proof({ answered, offered: ["spdy/3.1"] }),
      new RegExp(`^1 responses over ${answered} instead of spdy/3.1$`),
    );
});

test("the protocol is contradicted if the ClientHello of a client other than a browser offers another protocol or several, or was not captured", () => {
  const said = "connection 40001 to s1.lab: its ClientHello";
  assert.equal(proof({ offered: ["h2"] }), `${said} offers h2; only spdy/3.1 expected`);
  assert.equal(proof({ offered: ["spdy/3.1", "h2"] }), `${said} offers spdy/3.1, h2; only spdy/3.1 expected`);
  assert.equal(proof({ offered: undefined }), `${said} was not seen to offer spdy/3.1`);
});

test("a browser's ClientHello may offer other protocols besides the configured one, or be too long for the capture", () => {
  const browser = { client: "chromium", protocol: "h1", answered: "http/1.1" };
  assert.equal(proof({ ...browser, offered: ["h2", "http/1.1"] }), "confirmed");
  assert.equal(proof({ ...browser, offered: undefined }), "confirmed");
  assert.match(proof({ ...browser, offered: ["h2"] }), /offers h2; http\/1\.1 expected/);
});

test("the protocol is contradicted by more than 1 connection to a host over SPDY or with pipelining, or more than 6 over HTTP/1.1", () => {
  assert.equal(proof({ connections: 2 }), "2 connections to s1.lab; at most 1 expected");
  const pipelining = { client: "pipelining", protocol: "h1", answered: "http/1.1" };
  assert.equal(proof({ ...pipelining, connections: 2 }), "2 connections to s1.lab; at most 1 expected");
  assert.equal(
    proof({ protocol: "h1", answered: "http/1.1", connections: 7 }),
    "7 connections to s1.lab; at most 6 expected",
  );
});

test("resumed sessions and ML-KEM are refused for the client `replay`, and allowed for a browser", () => {
  const all = { protocol: "h1", client: "replay", tls: "1.3" } as ConditionValues;
  assert.equal(handshake.refuses?.("resumed", all, registries), "client replay keeps no TLS session; full is allowed");
  assert.equal(
    keyExchange.refuses?.("x25519mlkem768", all, registries),
    "client replay offers only x25519 and secp256r1, which are allowed",
  );
  for (const client of ["replay", "chromium"]) {
    assert.equal(keyExchange.refuses?.("secp256r1", { ...all, client }, registries), null);
    assert.equal(handshake.refuses?.("full", { ...all, client }, registries), null);
  }
  assert.equal(handshake.refuses?.("resumed", { ...all, client: "chromium" }, registries), null);
  assert.equal(keyExchange.refuses?.("x25519mlkem768", { ...all, client: "chromium" }, registries), null);
});

test("for each WebSocket, one more connection may offer another protocol than the page's", () => {
  const sockets = (count: number) => {
    const evidence = {
      connections: [connection("s1.lab", "http/1.1", 1)],
      unanswered: Array.from({ length: count }, () => ({
        url: "wss://s1.lab:4431/socket",
        why: "",
        nonBlocking: true,
      })),
      packets: { flows: [flow("s1.lab", ["http/1.1"], 40_001), flow("s1.lab", ["h2"], 40_002)] },
    } as unknown as Evidence;
    return axis.proves(
      "h1",
      { page: "A", protocol: "h1", client: "chromium" } as ConditionValues,
      evidence,
      registries,
    );
  };
  assert.equal(sockets(1), "confirmed");
  assert.deepEqual(sockets(0), {
    contradicts: ["connection 40002 to s1.lab: its ClientHello offers h2; http/1.1 expected"],
  });
});
