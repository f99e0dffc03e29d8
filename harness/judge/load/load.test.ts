import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "../../../test/faults/registry.ts";
import { conditionOf } from "../../plan/conditions.ts";
import { judgeLoad } from "./load.ts";
import { asked, good, judge, notObservableAlways, processor, registries } from "./sample-load.fixture.ts";

test("a valid load has no contradictions, and every observable axis is confirmed", () =>
  assert.deepEqual(judge(), { contradictions: [], inconclusive: {}, notObservable: notObservableAlways, flags: [] }));

test("the configured CPU slowdown must be measured; a measured slowdown that is not configured is a contradiction", () => {
  const slowed = (slowedMs: number) => ({ slowdown: { slowedMs, plainMs: 10 } });
  assert.deepEqual(judge(slowed(41), { cpu: 4 }).contradictions, []);
  assert.deepEqual(judge(slowed(20), { cpu: 4 }).contradictions, [
    "the page computed 2.00 times slower instead of 4 times",
  ]);
  assert.deepEqual(judge({}, { cpu: 4 }).contradictions, ["the evidence has no measurement of the slowdown"]);
  assert.match(judge(slowed(41)).contradictions.join(), /the page was slowed down/);
});

test("packets after the load event are a contradiction, unless a non-blocking request continues", () => {
  const later = { packets: { ...good.packets, requestToLastDataMs: 620, requestToLastAckMs: 621 } };
  const font = { url: "https://s1.lab:4432/font.woff2", why: "", nonBlocking: true as const };
  assert.match(judge(later).contradictions.join(), /the page had loaded after 800 ms; its packets took 825\.0 ms/);
  assert.doesNotMatch(judge({ ...later, unanswered: [font] }).contradictions.join(), /its packets took/);
});

for (const { what, inEvidence, message, notInSample } of faults)
  if (inEvidence && !notInSample)
    test(`${what} is reported`, () => {
      const evidence = structuredClone(good);
      inEvidence(evidence);
      assert.match(judge(evidence).contradictions.join("\n"), message);
    });

test("a page load time that is too short for the link, or differs from the browser's timing, is reported", () => {
  const { contradictions } = judge({}, {}, 322);
  assert.match(contradictions.join(), /322 ms is less than the link allows: at least 324 ms/);
  assert.match(contradictions.join(), /its page load time is 322 ms, but the client's timing has 800/);
});

test("a packet that is 61 ms later than a full queue explains is accepted if the machine paused for 90 ms, but not for 60 ms", () => {
  const late = structuredClone(good);
  late.packets.path.up.transit!.mostMs = 740; // in ms; a full queue explains 678.8, and a pause of 60 ms explains 738.8
  const of = (longestMs: number) => ({ ...late, processor: { ...processor, pauses: { longestMs, totalMs: 90 } } });
  assert.match(judge(of(60)).contradictions.join(), /up: a packet took 740 ms; behind a full queue it takes 738\.8/);
  assert.deepEqual(judge(of(90)).contradictions, []);
});

test("the last data may come long after the last acknowledgment if packets were lost and the load ends when this data arrives", () => {
  const { requestToLastDataMs } = good.packets;
  const idle = structuredClone(good);
  idle.packets.requestToLastAckMs = requestToLastDataMs! - 510;
  const missing = /its acknowledgment after/;
  assert.match(judge(idle).contradictions.join(), missing);
  idle.link.up.lostPackets++;
  assert.doesNotMatch(judge(idle).contradictions.join(), missing);
  assert.match(judge(idle, {}, 800 + 510).contradictions.join(), missing);
});

test("a load that is recorded until the network is quiet must be observed for two seconds after its load event and its last request", () => {
  const observed = (elapsedMs: number) => ({ recordedUntil: "quiet" as const, processor: { ...processor, elapsedMs } });
  assert.deepEqual(judge(observed(2800)).contradictions, []);
  assert.match(judge(observed(2799)).contradictions.join(), /quiet after 2800 ms, but it was observed for 2799 ms/);
});

test("data may come long after the load event if recording goes on; only a recording that reached its limit may lack the last acknowledgment", () => {
  const later = structuredClone(good);
  const [{ requests }] = later.connections as [(typeof good)["connections"][number]];
  requests.push({
    ...requests.at(-1)!,
    path: "/late.png",
    bytes: 20_000,
    startMs: 900,
    endMs: 2000,
    nonBlocking: true,
  });
  later.receivedBytes += 20_000;
  later.packets = { ...later.packets, requestToLastDataMs: 1795, requestToLastAckMs: 1796 };
  later.link.down.lostPackets++;
  later.processor = { ...processor, elapsedMs: 4000 };
  const problems = (change: object) =>
    judge({ ...later, ...change }).contradictions.filter((one) => /acknowledgment|observed|loaded/.test(one));
  assert.deepEqual(problems({ recordedUntil: "quiet" }), []);
  const cut = { ...later.packets, requestToLastAckMs: 1100 };
  assert.deepEqual(problems({ recordedUntil: "limit", packets: cut }), []);
  assert.match(problems({ recordedUntil: "quiet", packets: cut }).join(), /its acknowledgment after 1100/);
});

test("the last acknowledgment may come long after the last data if an acknowledgment was lost and its segment was retransmitted", () => {
  const repeated = structuredClone(good);
  repeated.packets.requestToLastAckMs = repeated.packets.requestToLastDataMs! + 555;
  const late = /its acknowledgment after/;
  assert.match(judge(repeated).contradictions.join(), late);
  repeated.link.down.lostPackets++;
  assert.match(judge(repeated).contradictions.join(), late);
  repeated.link.up.lostPackets++;
  assert.doesNotMatch(judge(repeated).contradictions.join(), late);
});

test("a rate is not observable if the machine paused for so long that the pause may have delayed the measured packets", () => {
  const slow = structuredClone(good);
  slow.packets.path.down.transit!.backToBack!.ms += 22;
  assert.match(judge(slow).contradictions.join(), /down: 18 packets that waited for one another came in/);
  const paused = { ...slow, processor: { ...processor, pauses: { longestMs: 22, totalMs: 22 } } };
  assert.deepEqual(judge(paused).contradictions, []);
  assert.match(String(judge(paused).notObservable.down), /too few packets/);
});

test("a CPU-bound load is flagged", () =>
  assert.match(judge({ processor: { ...processor, labMs: 1950 } }).flags.join(), /CPU-bound: 100% of 2 cores/));

test("a browser that used no CPU time is reported, except in a guest; a client that only fetches may use none", () => {
  const idle = { processor: { ...processor, labMs: 0 } };
  assert.match(judge(idle).contradictions.join(), /the lab used no CPU time/);
  const inGuest = { processor: { ...idle.processor, labMemoryMiB: null } };
  assert.doesNotMatch(judge(inGuest).contradictions.join(), /used no CPU time/);
  const fetching = { ...registries.clients.chromium!, replays: { connections: 1, pipelines: false } };
  const judged = judgeLoad(800, { ...good, ...idle }, conditionOf(asked, registries), {
    ...registries,
    clients: { chromium: fetching },
  });
  assert.doesNotMatch(judged.contradictions.join(), /used no CPU time/);
});
