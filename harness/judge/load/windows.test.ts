/** The server's initial congestion window, the client's receive window and ACKs, and byte counting. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../../schema/evidence.ts";
import {
  always,
  counters,
  flow,
  flows,
  good,
  judge,
  notObservableAlways,
  packets,
  server,
  transit,
  way,
  withFlows,
} from "./sample-load.fixture.ts";

test("with BBR, initcwnd is not observable if no flight fills it, and a flight that exceeds it is a contradiction", () => {
  const bbr = (initcwnd: { atLeast: number; atMost: number | null }) =>
    judge(withFlows(flow("s1.lab", { congestion: "bbr", initcwnd }), flow("s2.lab", { congestion: "bbr", initcwnd })), {
      congestion: "bbr",
    });
  assert.match(bbr({ atLeast: 5, atMost: null }).notObservable.initcwnd!, /BBR's window grows while unused/);
  assert.deepEqual(bbr({ atLeast: 10, atMost: null }).notObservable, notObservableAlways);
  assert.match(bbr({ atLeast: 16, atMost: null }).contradictions.join(), /initcwnd at least 16 instead of 10/);
});

test("an initcwnd is not observable if the window grew in a handshake with a HelloRetryRequest", () => {
  const hello = { version: "1.3" as const, group: 0x0017, resumed: false, retry: true };
  const grown = flows.map(({ host }) => flow(host, { hello, initcwnd: { atLeast: 1, atMost: 15 } }));
  const { notObservable } = judge(withFlows(...grown), { keyExchange: "secp256r1" });
  assert.match(
    notObservable.initcwnd ?? "",
    /the window grew during the handshake, so the first flights show only that it began with 1 to 15/,
  );
});

test("if the RTT is longer than the SYN timer, initcwnd is not observable, and missing handshake times are no contradiction", () => {
  const slow = { rttMs: 1000 };
  const far = { delayMs: 500 };
  const later = { ...transit(10), least: { ms: 500.15, bytes: 66 }, mostMs: 520 };
  const evidence: Partial<Evidence> = {
    link: { down: { ...counters, ...always(10, far) }, up: { ...counters, ...always(1, far) } },
    packets: {
      ...packets,
      path: {
        down: { ...way, transit: later },
        up: { ...way, transit: { ...later, least: { ms: 500.6, bytes: 66 } } },
      },
      flows: flows.map((one) => ({ ...one, handshakeMs: null, server: { ...server, initcwnd: null } })),
    },
  };
  const judged = judge(evidence, { rtt: slow.rttMs });
  assert.match(judged.notObservable.initcwnd!, /the RTT outlasts the SYN timer/);
  assert.deepEqual(judged.inconclusive, {});
  assert.doesNotMatch(judged.contradictions.join("\n"), /handshake was|show no initcwnd/);
  const near = judge({ ...evidence, ...withFlows(...evidence.packets!.flows) });
  assert.match(near.contradictions.join("\n"), /no handshake was fully captured/);
});

test("if jitter reorders packets, an initcwnd that no first flight reached is not observable; a wrong initcwnd is a contradiction", () => {
  const jitter = { jitterMs: 20, reorders: true as const };
  const shaken = (initcwnd: { atLeast: number; atMost: number | null }, reordered = 3, lostPackets = 0) =>
    judge(
      {
        link: { down: { ...counters, ...always(10, jitter), lostPackets }, up: { ...counters, ...always(1, jitter) } },
        packets: {
          ...packets,
          path: { down: { ...way, transit: { ...transit(10), reordered } }, up: { ...way, transit: transit(1) } },
          flows: flows.map(({ host }) => flow(host, { initcwnd })),
        },
      },
      { jitter: 20, reorder: "on" },
    );
  for (const lostPackets of [0, 1]) {
    const { contradictions, inconclusive, notObservable } = shaken({ atLeast: 1, atMost: null }, 3, lostPackets);
    assert.match(notObservable.initcwnd!, /jitter reordered packets/);
    assert.deepEqual([contradictions.join().includes("initcwnd"), inconclusive.initcwnd], [false, undefined]);
  }
  assert.match(shaken({ atLeast: 1, atMost: null }, 0).contradictions.join(), /no connection's first flights reached/);
  assert.match(shaken({ atLeast: 3, atMost: 3 }).contradictions.join(), /initcwnd at most 3 instead of 10/);
});

test("an initcwnd larger than the receive window is not observable", () => {
  const room = { synBytes: 7300, ackBytes: 7300, mssBytes: 1460, scale: 7 };
  const stopped = flows.map((one) => ({
    ...one,
    receiveWindow: room,
    server: { ...server, initcwnd: { atLeast: 5, atMost: 5 } },
  }));
  assert.match(judge(withFlows(...stopped), { initrwnd: 5 }).notObservable.initcwnd!, /has room for only 5 segments/);
  const sooner = stopped.map((one) => ({ ...one, server: { ...server, initcwnd: { atLeast: 3, atMost: 3 } } }));
  assert.match(judge(withFlows(...sooner), { initrwnd: 5 }).contradictions.join(), /initcwnd at most 3 instead of 10/);
});

test("a receive window above 44 segments is read from the first ACK, because the window in a SYN is never scaled", () => {
  const wide = { synBytes: 65535, ackBytes: 146432, mssBytes: 1460, scale: 7 };
  const seen = withFlows(...flows.map((one) => ({ ...one, receiveWindow: wide })));
  assert.deepEqual(judge(seen, { initrwnd: 100 }).contradictions, []);
  assert.match(judge({}, { initrwnd: 100 }).contradictions.join(), /64512 bytes \(44\.2 segments\) instead of 100/);
});

test("SYNs without window scaling contradict windowScaling=on, and SYNs with window scaling contradict windowScaling=off", () => {
  const plain = withFlows(...flows.map((one) => ({ ...one, receiveWindow: { ...one.receiveWindow!, scale: null } })));
  assert.deepEqual(judge(plain, { windowScaling: "off" }).contradictions, []);
  assert.match(judge(plain).contradictions.join("\n"), /its SYN has no window scaling/);
  assert.match(judge(good, { windowScaling: "off" }).contradictions.join("\n"), /its SYN scales windows by 2\^7/);
});

const withAcks = (atOnce: number, delayed: number) =>
  withFlows(...flows.map((one) => ({ ...one, firstAcks: { atOnce, delayed } })));

test("delayedAcks=always is confirmed by packets and by the kernel's parameter together", () => {
  const always = { delayedAcks: "always" };
  const set = { maxQuickacks: 0 };
  // One immediate ACK for each connection is allowed: Linux sends it after a program has read everything.
  for (const atOnce of [0, 1]) assert.deepEqual(judge({ ...withAcks(atOnce, 3), ...set }, always).contradictions, []);
  assert.match(
    judge({ ...withAcks(2, 3), ...set }, always).contradictions.join(),
    /s1\.lab: 2 single segments were acknowledged without delay/,
  );
  for (const other of [{ maxQuickacks: 16 }, { maxQuickacks: null }])
    assert.match(
      judge({ ...withAcks(0, 3), ...other }, always).contradictions.join(),
      /the client acknowledges up to 16 segments without delay instead of 0/,
    );
  assert.match(
    judge({ ...withAcks(0, 0), ...set }, always).notObservable.delayedAcks!,
    /no first response had full segments in a row/,
  );
});

test("by default, a load is reported if all first ACKs were delayed, or if the client's kernel parameter is not 16, Linux's default", () => {
  assert.match(judge(withAcks(0, 3)).contradictions.join(), /all 6 ACKs were delayed, but Linux delays none at first/);
  assert.match(
    judge({ maxQuickacks: 0 }).contradictions.join(),
    /the client acknowledges up to 0 segments without delay instead of 16/,
  );
  assert.match(
    judge(withAcks(0, 3), { initrwnd: 3 }).notObservable.delayedAcks!,
    /no first response had full segments in a row/,
  );
});

test("an ACK of two segments may release one extra segment with abc1, and two with abc2; this is checked only if the client always delays ACKs", () => {
  const grown = (congestion: string, windowGrowth: number | null) =>
    flows.map(({ host }) => ({ ...flow(host, { congestion, windowGrowth }), firstAcks: { atOnce: 0, delayed: 3 } }));
  const counted = (congestion: string, windowGrowth: number | null) =>
    judge({ ...withFlows(...grown(congestion, windowGrowth)), maxQuickacks: 0 }, { congestion, delayedAcks: "always" })
      .contradictions;
  for (const [congestion, growth] of [
    ["abc0", 1],
    ["abc1", 1],
    ["abc2", 2],
    ["abc2", 0], // the server did not fill the window
    ["abc1", null],
  ] as const)
    assert.deepEqual(counted(congestion, growth), []);
  assert.match(counted("abc1", 2).join(), /ACKs of two segments released 2 extra; abc1 releases at most 1/);
  assert.match(counted("abc2", 3).join(), /ACKs of two segments released 3 extra; abc2 releases at most 2/);
  const ownAcks = withFlows(...flows.map(({ host }) => flow(host, { congestion: "abc1", windowGrowth: 3 })));
  assert.deepEqual(judge(ownAcks, { congestion: "abc1" }).contradictions, []);
});

test("an initcwnd that no server had enough data to fill is not observable, even if one connection sent only one segment", () => {
  const began = (...least: number[]) =>
    judge(withFlows(...least.map((atLeast, i) => flow(flows[i]!.host, { initcwnd: { atLeast, atMost: null } }))));
  assert.match(began(6, 1).notObservable.initcwnd!, /no server had enough to send at once/);
  assert.match(began(1, 1).contradictions.join(), /no connection's first flights reached/);
});
