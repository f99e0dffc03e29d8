/** Evidence of initial windows that servers compute from their records of the client's earlier visit. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { adaptiveWindow } from "../../../models/adaptive-window.ts";
import type { Evidence } from "../../../schema/evidence.ts";
import type { KnownClient, KnownConnection } from "../../../schema/known-client.ts";
import { connections, flow, good, judge, notObservableAlways, withFlows } from "./sample-load.fixture.ts";

const connection: KnownConnection = {
  minRttMs: 100.7,
  rttMs: 104,
  deliveryMbps: 1.6,
  cwnd: 14,
  retransmittedSegments: 0,
  deliveredBytes: 21_900,
};
const known = (news: Partial<KnownConnection> = {}): KnownClient[] =>
  ["s1.lab", "s2.lab"].map((host) => ({ host, connections: [{ ...connection, ...news }] }));
/** Evidence that shows these initial windows of the two hosts. */
const began = (first: number, second = first): Partial<Evidence> =>
  withFlows(
    ...[first, second].map((segments, i) =>
      flow(`s${i + 1}.lab`, { initcwnd: { atLeast: segments, atMost: segments }, sentSegments: 20 }),
    ),
  );
const adaptive = { initcwnd: "adaptive" };
const contradictions = (change: Partial<Evidence>) => judge(change, adaptive).contradictions.join("\n");

test("with an adaptive initcwnd, first flights must show the window computed from the servers' records of the client", () => {
  assert.equal(adaptiveWindow([connection]), 14);
  const judged = judge({ ...began(14), known: known() }, adaptive);
  assert.deepEqual([judged.contradictions, judged.notObservable], [[], notObservableAlways]);
  assert.match(contradictions({ ...began(10), known: known() }), /initcwnd at most 10 instead of 14/);
  assert.match(contradictions({ ...began(16), known: known() }), /initcwnd at least 16 instead of 14/);
});

test("each host's window must be the one computed from this host's own records of the client", () => {
  const [first, second] = [known()[0]!, known({ cwnd: 16 })[1]!];
  assert.equal(contradictions({ ...began(14, 16), known: [first, second] }), "");
  assert.match(
    contradictions({ ...began(16, 14), known: [first, second] }),
    /s1\.lab: initcwnd at least 16 instead of 14/,
  );
});

test("the evidence must have each requested host's records of the client, and no other host's", () => {
  assert.match(contradictions(began(14)), /the evidence lacks the servers' records of the client/);
  assert.match(
    contradictions({ ...began(14, 10), known: known().slice(0, 1) }),
    /the evidence lacks the record that s2\.lab has/,
  );
  const other = { ...known()[0]!, host: "s3.lab" };
  assert.match(
    contradictions({ ...began(14), known: [...known(), other] }),
    /s3\.lab recorded the client, but got no request/,
  );
});

test("if initcwnd is a fixed number, evidence with servers' records of the client is a contradiction", () =>
  assert.match(judge({ ...good, known: known() }).contradictions.join(), /servers' records .* the windows are fixed/));

/** Forged records of the client. The load's window follows from the forged records, so only their numbers can reveal the forgery. */
const forgeries: [what: string, Partial<KnownConnection>, RegExp][] = [
  ["a shorter round trip", { minRttMs: 20 }, /round trips of 20 to 104 ms; over this link they take 100 to/],
  [
    "a longer round trip",
    { minRttMs: 140, rttMs: 150 },
    /no round trip below 140 ms; a handshake takes at most 105\.7/,
  ],
  ["a round trip longer than full queues allow", { rttMs: 2000 }, /round trips of 100\.7 to 2000 ms/],
  ["a smoothed round trip below the minimum", { rttMs: 90 }, /round trips of 100\.7 to 90 ms/],
  [
    "a rate that the link does not have",
    { deliveryMbps: 40 },
    /s1\.lab recorded a delivery rate of 40 Mb\/s; over this link/,
  ],
  [
    "fewer bytes than the page has",
    { deliveredBytes: 9000 },
    /s1\.lab recorded 9000 delivered bytes; the page has 20200/,
  ],
  ["a window too large for the delivered bytes", { cwnd: 60 }, /a window of 60 segments after only 21900/],
];
for (const [what, news, message] of forgeries)
  test(`forged records of the client are reported: ${what}`, () => {
    const forged = known(news);
    const segments = adaptiveWindow(forged[0]!.connections);
    assert.match(contradictions({ ...began(segments), known: forged }), message);
  });

test("without TLS, a record of more delivered bytes than the page has is a contradiction", () => {
  const clear = connections.map(({ tls: _, ...one }) => one);
  const words = contradictions({ ...began(14), known: known(), connections: clear });
  assert.match(words, /s1\.lab recorded 21900 delivered bytes; the page has 20200/);
});

test("if the earlier visit lost segments, its minimum RTT may be longer than a handshake over the link", () => {
  const lossy = known({ minRttMs: 140, rttMs: 150, retransmittedSegments: 2 });
  assert.equal(contradictions({ ...began(14), known: lossy }), "");
});
