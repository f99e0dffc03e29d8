/** Synthetic loads on a link with 50 ms one-way delay that transmits a full frame in 1 ms, so it is known where their time went. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestEvidence } from "../../schema/evidence.ts";
import type { GoodLoad } from "../../schema/records.ts";
import { columnsOf } from "../../schema/trace.ts";
import { accountOf } from "./account.ts";
import { ack, ask, link, loadOver, packet, type Row, request, segment, server, syn } from "./made-up-load.fixture.ts";

/** @returns the parts above 0 of a load over one connection */
function partsOf(pageLoadMs: number, requests: RequestEvidence[], up: Row[], down: Row[]) {
  const { load, trace } = loadOver(pageLoadMs, requests, up, down);
  const account = accountOf(load, trace)!;
  const told = Object.entries(account.parts).filter(([, ms]) => ms >= 0.01);
  assert.equal(
    Object.values(account.parts).reduce((sum, ms) => sum + ms, 0),
    pageLoadMs,
  );
  return Object.fromEntries(told.map(([part, ms]) => [part, Math.round(ms * 100) / 100]));
}

test("the time of a single request splits into the handshake, two one-way delays, the response's transmission and the browser's time", () =>
  assert.deepEqual(partsOf(205, [request("/", 0, 100, 201)], [ask(100)], [segment(150, 201, 0)]), {
    connections: 100,
    propagation: 100,
    rate: 1,
    browser: 4,
  }));

test("a document after a redirect waits for the redirect, and the page's other requests wait for the document", () => {
  const redirect = { ...request("/", 0, 100, 201), status: 302 };
  const others = [request("/home", 201, 201, 302), request("/home.css?v=1", 302, 302, 403)];
  const up = [ask(100), ask(201, 1, 1), ask(302, 2, 2)];
  const down = [segment(150, 201, 0), segment(251, 302, 1), segment(352, 403, 2)];
  assert.deepEqual(partsOf(403, [redirect, ...others], up, down), { connections: 100, propagation: 300, rate: 3 });
});

test('an unexplained delay of a packet on the link counts as "background" with background flows, and otherwise as "unknown"', () => {
  const late = loadOver(245, [request("/", 0, 100, 241)], [ask(100)], [segment(150, 241, 0)]);
  const parts = () => {
    const { background, unknown } = accountOf(late.load, late.trace)!.parts;
    return [background, unknown].map(Math.round);
  };
  assert.deepEqual(parts(), [0, 40]);
  Object.assign(late.load.evidence, { background: { flows: [] } });
  assert.deepEqual(parts(), [40, 0]);
});

test('the time in which a server computes counts as "server"', () =>
  assert.deepEqual(partsOf(231, [request("/", 0, 100, 231)], [ask(100)], [segment(180, 231, 0)]), {
    connections: 100,
    propagation: 100,
    rate: 1,
    server: 30,
  }));

test('a round trip in which the sender waited for an acknowledgment counts as "window"', () =>
  assert.deepEqual(
    partsOf(
      303,
      [request("/", 0, 100, 303)],
      [ask(100), ack(201, 1)],
      [segment(150, 201, 0), segment(251, 302, 1), segment(251, 303, 2)],
    ),
    { connections: 100, propagation: 100, window: 100, rate: 3 },
  ));

/** A request of 2.5 MB, transmitted in 20 ms, and an acknowledgment sent 1 ms later. Both also wait `elseMs` behind other flows' packets. */
function acknowledgmentBehindRequest(elseMs: number) {
  const large = packet(200, 270 + elseMs, { offset: 100, bytes: 100, frameBytes: 2_500_000 });
  const behind = { ...ack(201, 1, 1, 2), arrivedUs: 1000 * (270.1 + elseMs) };
  const down = [segment(150, 201, 0), ...[1, 2].map((n) => segment(270.1 + elseMs, 320.1 + elseMs + n, n))];
  const endMs = 322.1 + elseMs;
  const requests = [request("/", 0, 100, endMs), request("/large", 200, 200, endMs)];
  return loadOver(endMs, requests, [ask(100), large, behind], down);
}

test('the time that an acknowledgment queues counts as "acknowledgments" behind packets of the page, and as "background" behind other flows', () => {
  const parts = (elseMs: number, evidence = {}) => {
    const { load, trace } = acknowledgmentBehindRequest(elseMs);
    Object.assign(load.evidence, evidence);
    const { window, acknowledgments, background } = accountOf(load, trace)!.parts;
    return [window, acknowledgments, background].map((ms) => Math.round(10 * ms) / 10);
  };
  assert.deepEqual(parts(0), [100.1, 19, 0]);
  assert.deepEqual(parts(30, { background: { flows: [] } }), [100, 20, 29.1]);
});

test('the time of packets that queue behind one another counts as "rate", not as "window"', () =>
  assert.deepEqual(
    partsOf(
      204,
      [request("/", 0, 100, 204)],
      [ask(100)],
      [0, 1, 2, 3].map((n) => segment(150, 201 + n, n)),
    ),
    { connections: 100, propagation: 100, rate: 4 },
  ));

test('a wait for an acknowledgment counts as "slow start left" if the data in flight hardly grew in a round trip without loss', () => {
  const first = [0, 1, 2, 3].map((n) => segment(150, 201 + n, n));
  const second = [0, 1, 2, 3].map((n) => segment(251 + n, 302 + n, 4 + n));
  const acks = [1, 2, 3, 4].map((n) => ack(200 + n, n));
  assert.deepEqual(partsOf(305, [request("/", 0, 100, 305)], [ask(100), ...acks], [...first, ...second]), {
    connections: 100,
    propagation: 100,
    "slow start left": 100,
    rate: 5,
  });
});

test("the wait for a fast retransmit lasts from the arrival of the last packet after the lost one to the arrival of the retransmission", () => {
  const up = [ask(100), ack(201, 1), ack(202, 1, 3)];
  const down = [segment(150, 201, 0), segment(150, null, 1), segment(150, 202, 2), segment(252, 303, 1)];
  assert.deepEqual(partsOf(303, [request("/", 0, 100, 303)], up, down), {
    connections: 100,
    propagation: 100,
    rate: 2,
    "fast retransmit": 101,
  });
});

test("a lost segment that is retransmitted in two smaller segments counts as delivered when the second one arrives", () => {
  const half = (sentMs: number, arrivedMs: number, offset: number) =>
    packet(sentMs, arrivedMs, { offset, bytes: 724, frameBytes: 790 });
  const down = [segment(150, null, 0), segment(150, 202, 1), half(252, 303, 0), half(252, 304, 724)];
  const parts = partsOf(304, [request("/", 0, 100, 304)], [ask(100), ack(202, 0, 2)], down);
  assert.equal(parts["fast retransmit"], 102, "it lasts from the arrival of the segment after the lost one");
});

test('the wait for a lost last segment counts as "tail probe", and as "timeout" if the probe is lost, too', () => {
  const lost = [segment(150, 201, 0), segment(150, null, 1)];
  const [up, whole] = [[ask(100), ack(201, 1)], (ms: number) => [request("/", 0, 100, ms)]];
  assert.deepEqual(partsOf(501, whole(501), up, [...lost, segment(450, 501, 1)]), {
    connections: 100,
    propagation: 100,
    rate: 2,
    "tail probe": 299,
  });
  assert.deepEqual(partsOf(801, whole(801), up, [...lost, segment(450, null, 1), segment(750, 801, 1)]), {
    connections: 100,
    propagation: 100,
    rate: 2,
    timeout: 599,
  });
});

test('the wait for the retransmission of a lost SYN counts as "timeout", not as "connections"', () => {
  const up = [packet(1000, 1050, { syn: true }), ask(1100)];
  const flow = {
    server,
    clientPort: 1,
    up: columnsOf([packet(0, null, { syn: true }), ...up]),
    down: columnsOf([syn(1050), segment(1150, 1201, 0)]),
  };
  const evidence = {
    connections: [{ address: server, host: "s1.lab", protocol: "x", requests: [request("/", 0, 1100, 1201)] }],
    link: { down: { atStart: { ...link, rateMbps: 12.112 } }, up: { atStart: { ...link, rateMbps: 1000 } } },
  };
  const trace = { firstRequestUs: 0, flows: [flow], quicFlows: [] };
  const { parts } = accountOf({ pageLoadMs: 1201, evidence } as unknown as GoodLoad, trace)!;
  assert.deepEqual([parts.timeout, parts.connections, parts.propagation], [1000, 100, 100]);
});

test('over HTTP/1.1 a request that ends after the load event adds nothing to "waiting"', () =>
  assert.deepEqual(
    partsOf(
      302,
      [request("/", 0, 100, 201), request("/a.png", 201, 201, 302), request("/b.png", 201, 302, 403)],
      [ask(100), ask(201, 1), ask(302, 2)],
      [segment(150, 201, 0), segment(251, 302, 1), segment(352, 403, 2)],
    ),
    { connections: 100, propagation: 200, rate: 2 },
  ));

test('over HTTP/1.1 the time that a request waits for a busy connection counts as "waiting"', () =>
  assert.deepEqual(
    partsOf(
      403,
      [request("/", 0, 100, 201), request("/a.png", 201, 201, 302), request("/b.png", 201, 302, 403)],
      [ask(100), ask(201, 1), ask(302, 2)],
      [segment(150, 201, 0), segment(251, 302, 1), segment(352, 403, 2)],
    ),
    { connections: 100, propagation: 200, waiting: 101, rate: 2 },
  ));

test("over HTTP/2 a request waits while the connection has its maximum number of active requests, here two", () =>
  assert.deepEqual(
    partsOf(
      403,
      [
        request("/", 0, 100, 201),
        request("/a.png", 201, 201, 302),
        request("/b.png", 201, 201, 303),
        request("/c.png", 201, 302, 403),
      ],
      [ask(100), ask(201, 1), ask(201, 2), ask(302, 3)],
      [segment(150, 201, 0), segment(251, 302, 1), segment(251, 303, 2), segment(352, 403, 3)],
    ),
    { connections: 100, propagation: 200, waiting: 101, rate: 2 },
  ));

test("a request that is delayed for a script in the head waits first for this script, and then for a connection", () =>
  assert.deepEqual(
    partsOf(
      504,
      [
        request("/", 0, 100, 201),
        request("/head.js", 201, 201, 302),
        request("/a.png", 201, 302, 403),
        request("/b.png", 201, 403, 504),
      ],
      [ask(100), ask(201, 1), ask(302, 2), ask(403, 3)],
      [segment(150, 201, 0), segment(251, 302, 1), segment(352, 403, 2), segment(453, 504, 3)],
    ),
    { connections: 100, propagation: 300, waiting: 101, rate: 3 },
  ));

test("a load is not explained if the packets of a request were not found", () =>
  assert.equal(
    accountOf(
      {
        pageLoadMs: 1,
        evidence: { link: {}, connections: [{ address: server, requests: [request("/", 0, 1, 1)] }] },
      } as unknown as GoodLoad,
      { firstRequestUs: 0, flows: [], quicFlows: [] },
    ),
    null,
  ));

test("a load on a link whose rate varies is not explained, because the result would be wrong", () =>
  assert.equal(
    accountOf(
      {
        pageLoadMs: 1,
        evidence: { link: { trace: { offsetMs: 0, navigationMs: 1, readMs: [1, 2] } }, connections: [] },
      } as unknown as GoodLoad,
      { firstRequestUs: 0, flows: [], quicFlows: [] },
    ),
    null,
  ));
