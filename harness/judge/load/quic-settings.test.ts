/** Settings over QUIC: the window and congestion control of some servers can be configured, and TCP's settings are refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { conditionOf } from "../../plan/conditions.ts";
import { judgeLoad } from "./load.ts";
import { asked, flow, good, registries, server } from "./quic-load.fixture.ts";

test("if the server software's initial window over QUIC can be configured, packets confirm or contradict it", () => {
  const told = { ...registries, servers: { caddy: { ...registries.servers.caddy!, quicWindow: true as const } } };
  const judged = (initcwnd: number, opened: Partial<typeof server.opened> = {}) => {
    const quicFlows = [{ ...flow, server: { ...server, opened: { ...server.opened!, ...opened } } }];
    const evidence = { ...good, packets: { ...good.packets, quicFlows } };
    return judgeLoad(490, evidence, conditionOf({ ...asked, initcwnd }, told), told);
  };
  assert.deepEqual([judged(10).contradictions, judged(10).notObservable.initcwnd], [[], undefined]);
  assert.match(judged(9).contradictions.join(), /an initial window of at least 10900 bytes instead of 10800/);
  assert.match(judged(12).contradictions.join(), /an initial window of at most 13200 bytes instead of 14400/);
  const early = { ...server, tls: "resumed" as const, longHeaders: { ...server.longHeaders, zeroRtt: 2 } };
  const limited = { ...server.opened!, initialWindowAtLeastBytes: 5000, stoppedBytes: 8420 };
  const beforeValidation = judgeLoad(
    490,
    { ...good, packets: { ...good.packets, quicFlows: [{ ...flow, server: { ...early, opened: limited } }] } },
    conditionOf({ ...asked, handshake: "0-rtt" }, told),
    told,
  );
  assert.match(
    beforeValidation.notObservable.initcwnd!,
    /limited by the client's bytes until its address is validated/,
  );
  assert.doesNotMatch(beforeValidation.contradictions.join(), /initial window/);
  const unfilled = judged(30, { initialWindowAtLeastBytes: 3000, stoppedBytes: null });
  assert.match(unfilled.notObservable.initcwnd!, /no response was long enough to fill 30 packets/);
  const untold = judgeLoad(490, good, conditionOf(asked, registries), registries);
  assert.match(untold.notObservable.initcwnd!, /the server software's own/);
  const paced = { initialWindowAtLeastBytes: 9000, stoppedBytes: null };
  const { contradictions, notObservable } = judged(20, paced);
  assert.deepEqual([contradictions, notObservable.initcwnd], [[], "no server stopped at its window, because it paces"]);
});

test("an initial window over QUIC is confirmed by the log of each server that reports it, unless packets show a larger window", () => {
  const caddy = { ...registries.servers.caddy!, quicWindow: "logged" as const };
  const told = { ...registries, servers: { caddy } };
  const judged = (initcwnd: number, quicInitialBytes?: Record<string, number[]>, opened = {}) => {
    const quicFlows = [{ ...flow, server: { ...server, opened: { ...server.opened!, ...opened } } }];
    const evidence = { ...good, packets: { ...good.packets, quicFlows } };
    const withLog = { ...evidence, ...(quicInitialBytes && { quicInitialBytes }) };
    return judgeLoad(490, withLog, conditionOf({ ...asked, initcwnd }, told), told);
  };
  const paced = { initialWindowAtLeastBytes: 9000, stoppedBytes: null };
  const right = judged(20, { server1: [24_000] }, paced);
  assert.deepEqual([right.contradictions, right.notObservable.initcwnd], [[], undefined]);
  for (const [windows, words] of [
    [{ server1: [22_800] }, "an initial window of 22800 bytes"],
    [{ server1: [24_000, 12_000] }, "an initial window of 24000 and 12000 bytes"],
    [{ server1: [] }, "no initial window"],
    [{ server2: [24_000] }, "no initial window"],
    [undefined, "no initial window"],
  ] as const) {
    const { contradictions } = judged(20, windows as Record<string, number[]> | undefined, paced);
    assert.deepEqual(contradictions, [`s1.lab: its log has ${words}; 24000 bytes are configured`]);
  }
  const waiting = judged(20, { server1: [24_000] }, { initialWindowAtLeastBytes: 9000, stoppedBytes: 13_200 });
  assert.deepEqual(waiting.contradictions, [], "a server may stop sending for a reason other than its window");
  const larger = judged(9, { server1: [10_800] });
  assert.match(larger.contradictions.join(), /an initial window of at least 10900 bytes instead of 10800/);
});

test("a congestion control over QUIC is confirmed by the log of each server on which it can be set", () => {
  const caddy = { ...registries.servers.caddy!, quicCongestion: ["cubic", "reno"] };
  const told = { ...registries, servers: { caddy } };
  const judged = (congestion: string, quicCongestion?: Record<string, string[]>) =>
    judgeLoad(
      490,
      { ...good, ...(quicCongestion && { quicCongestion }) },
      conditionOf({ ...asked, congestion }, told),
      told,
    );
  const right = judged("reno", { server1: ["reno"] });
  assert.deepEqual([right.contradictions, right.notObservable.congestion], [[], undefined]);
  for (const [named, words] of [
    [{ server1: ["cubic"] }, "cubic"],
    [{ server1: ["cubic", "reno"] }, "cubic and reno"],
    [{ server1: [] }, "no congestion control"],
    [undefined, "no congestion control"],
  ] as const) {
    const { contradictions } = judged("reno", named && { server1: [...named.server1] });
    assert.deepEqual(contradictions, [`s1.lab: its log names ${words}; reno is configured`]);
  }
  assert.throws(
    () => conditionOf({ ...asked, congestion: "bbr" }, told),
    /server caddy has no bbr over QUIC; allowed: cubic, reno/,
  );
  const untold = judgeLoad(
    490,
    { ...good, quicCongestion: { server1: ["reno"] } },
    conditionOf(asked, registries),
    registries,
  );
  assert.match(untold.notObservable.congestion!, /the server software's own/);
});

test("honoured and ignored priorities are distinguished by the bytes sent while a more urgent response waited", () => {
  const told = { ...registries, defaults: { ...registries.defaults, priorities: "own" } };
  const judged = (priorities: string, earlyBytes: number, contestedBytes?: number, known = told) => {
    const streams = {
      responses: 2,
      bytes: 30_200,
      waitedBytes: 0,
      blockedBytes: 0,
      longestBlockedMs: 0,
      passedBytes: 0,
      earlyBytes,
    };
    const quicFlows = [{ ...flow, streams: { ...streams, ...(contestedBytes !== undefined && { contestedBytes }) } }];
    const evidence = { ...good, packets: { ...good.packets, quicFlows } };
    return judgeLoad(490, evidence, conditionOf({ ...asked, priorities }, known), known);
  };
  for (const [priorities, early] of [
    ["honoured", 0],
    ["ignored", 20_000],
  ] as const) {
    const right = judged(priorities, early, 20_000);
    assert.deepEqual([right.contradictions, right.notObservable.priorities], [[], undefined]);
    const wrong = judged(priorities, 20_000 - early, 20_000);
    assert.match(wrong.contradictions.join(), priorities === "honoured" ? /they are ignored/ : /they are honoured/);
    for (const contested of [undefined, 5000, 15_000])
      assert.match(judged(priorities, 8000, contested).notObservable.priorities!, /no more urgent request came while/);
  }
  assert.equal(judged("ignored", 20_000).notObservable.priorities, undefined, "both were requested at once");
  assert.match(judged("honoured", 20_000).contradictions.join(), /20000 bytes were sent while .* they are ignored/);
  assert.match(judged("honoured", 0, 5000).notObservable.priorities!, /no more urgent request came while/);
  assert.match(judged("own", 20_000, 20_000).notObservable.priorities!, /no order is configured/);
  assert.match(judged("own", 0, 20_000, registries as typeof told).notObservable.priorities!, /recorded before/);
});

test("a condition over QUIC is refused if a TCP axis has a value other than its default", () => {
  for (const [name, value, other] of [
    ["initcwnd", 32, 10],
    ["congestion", "reno", "cubic"],
    ["initrwnd", 20, 44],
    ["delayedAcks", "always", "linux"],
  ] as const)
    assert.throws(
      () => conditionOf({ ...asked, [name]: value }, registries),
      new RegExp(`${name} ${value}: h3 has no TCP, .* only ${other}`),
    );
});
