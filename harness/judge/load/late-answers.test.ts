/** Connections whose first packet was retransmitted, either because the answer was late or for no visible reason. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlowEvidence } from "../../../schema/evidence.ts";
import type { Values } from "../../../schema/plan.ts";
import { always, counters, flow, flows, judge, packets, path, server, transit, way } from "./sample-load.fixture.ts";

/** A connection with a retransmitted SYN or SYN/ACK, which hides the server's initial window. */
const again = (answerMs?: number, port = 40001): FlowEvidence => ({
  ...flow("s1.lab", { initcwnd: null }),
  clientPort: port,
  handshakeMs: null,
  ...(answerMs !== undefined && { answerMs }),
});

/** Paths whose slowest packets took this long. */
const slowest = (downMs: number, upMs: number) => ({
  down: { ...path.down, transit: { ...transit(10), mostMs: downMs } },
  up: { ...path.up, transit: { ...transit(1), mostMs: upMs } },
});
const judged = (seen: FlowEvidence[], delays = slowest(980, 80)) =>
  judge({ packets: { ...packets, flows: seen, path: delays } });
const problems = (...given: Parameters<typeof judged>) =>
  judged(...given).contradictions.filter((text) => /handshake|initcwnd/.test(text));
const unexplained = [
  "1 handshakes were not fully captured, but the link lost only 0 packets",
  "1 connections show no initcwnd or receive window, but the link lost no packet",
];

test("a SYN that was retransmitted because its SYN/ACK waited in a queue is accepted", () => {
  assert.deepEqual(problems([...flows, again(1040)]), []);
});

test("a SYN/ACK that was retransmitted because its acknowledgment waited in a queue is accepted", () => {
  assert.deepEqual(problems([...flows, again(300)], slowest(80, 760)), []);
});

test("a retransmission in a handshake is reported if the answer came before the timer expired, later than the slowest packets explain, or at an unknown time", () => {
  for (const [answerMs, delays] of [
    [100.9, slowest(980, 80)], // the SYN's timer had not expired
    [300, slowest(80, 740)], // the SYN/ACK's timer had not expired
    [1101, slowest(980, 80)], // the first SYN never arrived
    [1101, slowest(70, 70)],
    [undefined, slowest(980, 80)],
  ] as const)
    assert.deepEqual(problems([...flows, again(answerMs)], delays), unexplained, `${answerMs} ms`);
});

test("each lost packet may hide one handshake, in addition to handshakes whose SYN/ACK came late", () => {
  const lost = (lostPackets: number, ...seen: FlowEvidence[]) =>
    judge({
      link: { down: { ...counters, ...always(10), lostPackets }, up: { ...counters, ...always(1) } },
      packets: { ...packets, flows: [...flows, ...seen], path: slowest(980, 80) },
    }).contradictions.filter((text) => text.includes("not fully captured"));
  assert.deepEqual(lost(1, again(1040), again(1050, 40002), again(1200, 40003)), []);
  assert.deepEqual(lost(1, again(1040), again(1200, 40002), again(1200, 40003)), [
    "2 handshakes were not fully captured, but the link lost only 1 packets",
  ]);
});

test("if a late SYN/ACK hides one window, another connection still shows a wrong initcwnd; if no window is filled, initcwnd is not observable", () => {
  const small = flow("s1.lab", { initcwnd: { atLeast: 3, atMost: null } });
  assert.match(judged([small, again(1040)]).notObservable.initcwnd!, /answers took longer than the SYN timer/);
  const wrong = flow("s1.lab", { initcwnd: { atLeast: 3, atMost: 3 } });
  assert.deepEqual(problems([wrong, again(1040)]), [
    "connection 40000 to s1.lab: initcwnd at most 3 instead of 10, by its first flights",
  ]);
  assert.match(judged([small, again(1101)]).notObservable.initcwnd!, /no server had enough to send at once/);
});

test("if every SYN was retransmitted, the quickest handshake must take at least the RTT, and at most as long as over an idle link", () => {
  const far = { delayMs: 500 };
  const at = (...answersMs: number[]) =>
    judge(
      {
        link: { down: { ...counters, ...always(10, far) }, up: { ...counters, ...always(1, far) } },
        packets: {
          ...packets,
          flows: answersMs.map((ms, i) => again(ms, 40000 + i)),
          path: {
            down: { ...way, transit: { ...transit(10), least: { ms: 500.15, bytes: 66 }, mostMs: 3000 } },
            up: { ...way, transit: { ...transit(1), least: { ms: 500.6, bytes: 66 }, mostMs: 510 } },
          },
        },
      },
      { rtt: 1000 } as Values,
    ).contradictions.filter((text) => text.includes("quickest"));
  assert.deepEqual(at(1001, 3400), []);
  assert.deepEqual(at(990, 3400), ["the quickest handshake took 990 ms; the RTT is 1000 ms"]);
  assert.deepEqual(at(2001, 3400), [
    "the quickest handshake took 2001 ms; the RTT is 1000 ms, and the link lost no packet that could explain it",
  ]);
});

test("over a link with an RTT of 100 ms, background flows may lengthen a handshake to 300 ms, but not to 800 ms", () => {
  // Up to 50 packets wait in each direction, at 10 and 1 Mb/s: 60.6 and 605.6 ms.
  const at = (handshakeMs: number, background?: object) =>
    judge({ packets: { ...packets, flows: [{ ...flows[0]!, handshakeMs }] }, ...background } as Parameters<
      typeof judge
    >[0]).contradictions.filter((text) => text.includes("quickest"));
  const beside = { background: { flows: [], strayPackets: 0, before: { ms: 0 }, during: { ms: 0 } } };
  assert.equal(at(300).length, 1);
  assert.deepEqual(at(300, beside), []);
  assert.equal(at(800, beside).length, 1);
});

test("a late SYN/ACK does not explain a missing receive window", () => {
  const seen = [...flows, { ...again(1040), server, receiveWindow: null }];
  assert.deepEqual(problems(seen), [unexplained[1]]);
});
