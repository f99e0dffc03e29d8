import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../schema/evidence.ts";
import { conditionOf } from "../plan/conditions.ts";
import { judgeLoad } from "./load.ts";
import { paintProblems } from "./paint.ts";
import {
  always,
  asked,
  connections,
  flow,
  flows,
  good,
  html,
  is,
  judge,
  notObservableAlways,
  packets,
  path,
  processor,
  registries,
  transit,
  withFlows,
  withLink,
  withTransit,
} from "./sample-load.ts";

test("a load that is a sample of its condition contradicts nothing, and every axis holds that can be seen", () =>
  assert.deepEqual(judge(), { contradictions: [], inconclusive: {}, notObservable: notObservableAlways, flags: [] }));

test("a page that was slowed down says by how much, and one that was not says nothing", () => {
  const slowed = (slowedMs: number) => ({ slowdown: { slowedMs, plainMs: 10 } });
  assert.deepEqual(judge(slowed(41), { cpu: 4 }).contradictions, []);
  assert.deepEqual(judge(slowed(20), { cpu: 4 }).contradictions, [
    "the page computed 2.00 times slower, 4 times was asked for",
  ]);
  assert.deepEqual(judge({}, { cpu: 4 }).contradictions, ["nothing says how much slower the page was"]);
  assert.match(judge(slowed(41)).contradictions.join(), /the page was slowed down/);
});

test("what was painted may be told by a frame's painting or by its presentation, and by a browser alone", () => {
  const paint = { firstContentfulMs: 448, largestContentfulMs: 360 };
  assert.deepEqual(judge({ paint }).contradictions, []);
  assert.deepEqual(paintProblems({ ...good, paint }, 1000, { connections: 6, pipelines: false }), [
    "a client that shows nothing says when it painted",
  ]);
});

const wrong: Record<string, [Partial<Evidence>, RegExp]> = {
  "a server that answers HTTP/1.1 when asked for HTTP/2": [
    { connections: connections.map((one) => ({ ...one, protocol: "http/1.1" })) },
    /2 responses over http\/1\.1 instead of h2/,
  ],
  "one connection too many": [
    { connections: [...connections, { ...connections[1]!, id: 11 }] },
    /2 connections to s2\.lab; 1 expected/,
  ],
  "hosts that share a connection": [
    { connections: [connections[0]!, { ...connections[1]!, id: 7 }] },
    /connection 7 is shared/,
  ],
  "a host that is not asked": [{ connections: [connections[0]!] }, /hosts s1\.lab instead of s1\.lab, s2\.lab/],
  "a host elsewhere": [
    { connections: [{ ...connections[0]!, address: "10.0.0.1:4432" }, connections[1]!] },
    /s1\.lab answered from 10\.0\.0\.1:4432/,
  ],
  "a screen that had content before the HTML came": [
    { paint: { firstContentfulMs: 300, largestContentfulMs: 800 } },
    /it painted after 300 ms, and the HTML began to come after 310/,
  ],
  "an error page": [
    { connections: [{ ...connections[0]!, requests: [{ ...html, status: 404 }] }, connections[1]!] },
    /1 responses with status 404/,
  ],
  "another server": [
    { connections: [{ ...connections[0]!, software: ["node"] }, connections[1]!] },
    /s1\.lab calls itself node instead of nginx/,
  ],
  "a server that does not say what it is": [
    { connections: [{ ...connections[0]!, software: [] }, connections[1]!] },
    /s1\.lab calls itself nothing instead of nginx/,
  ],
  "another client": [{ userAgent: "curl/8" }, /the client calls itself curl\/8; HeadlessChrome\/ is chromium/],
  "a client of the same name": [
    { userAgent: "Mozilla/5.0 HeadlessChrome/156.0.0.0 Safari/537.36" },
    /the client calls itself .*156\.0\.0\.0 Safari.*; HeadlessChrome\/ is chromium/,
  ],
  "a response from a cache": [{ fromCache: 1 }, /1 responses from a cache/],
  "a request that failed": [{ failed: 1 }, /1 requests failed/],
  "a request nobody asked for": [{ requests: 3 }, /3 requests instead of 2/],
  "bytes that never came": [{ receivedBytes: 100 }, /100 bytes received; the page has 30000/],
  "packets around the shaper": [
    { packets: { ...packets, path: { ...path, up: { ...path.up, shapedPackets: 2 } } } },
    /up: 40 to 44 packets sent, 2 through the shaper/,
  ],
  "packets lost behind the shaper": [
    { packets: { ...packets, path: { ...path, down: { ...path.down, arrivedPackets: { atLeast: 30, atMost: 31 } } } } },
    /down: 39 packets left the shaper, 30 to 31 arrived/,
  ],
  superpackets: [{ packets: { ...packets, largestFrameBytes: 2962 } }, /a superpacket of 2962 bytes/],
  "a capture with holes": [{ packets: { ...packets, missedFrames: 4 } }, /captures missed 4 frames/],
  "somebody else's packets": [
    { packets: { ...packets, foreign: ["EtherType 0x86dd"] } },
    /packets that are not the load's: EtherType 0x86dd/,
  ],
  "TLS 1.2 that passes for 1.3": [
    withFlows(flow("s1.lab", { hello: { version: "1.2", group: null, resumed: false, retry: false } }), flows[1]!),
    /connection 40000 to s1\.lab: TLS 1\.2 instead of 1\.3, by its ServerHello/,
  ],
  "TLS 1.2, by the client": [
    { connections: connections.map((one) => ({ ...one, tls: { version: "TLS 1.2", group: "X25519" } })) },
    /connection 7 to s1\.lab: TLS 1\.2 instead of 1\.3, by the client/,
  ],
  "another key exchange": [
    withFlows(flow("s1.lab", { hello: { version: "1.3", group: 0x0017, resumed: false, retry: true } }), flows[1]!),
    /key exchange secp256r1 instead of x25519, by its ServerHello/,
  ],
  "another key exchange, by the client": [
    { connections: connections.map((one) => ({ ...one, tls: { version: "TLS 1.3", group: "P-256" } })) },
    /key exchange secp256r1 instead of x25519, by the client/,
  ],
  "a hello that was left out": [
    withFlows(flow("s1.lab", { hello: null }), flows[1]!),
    /connection 40000 to s1\.lab: no ServerHello was seen/,
  ],
  "a longer chain of certificates": [
    withFlows(flow("s1.lab", { handshakeBytes: 4010 }), flows[1]!),
    /connection 40000 to s1\.lab: a handshake of 4010 bytes; ec2 has 768 to 1476/,
  ],
  "no chain of certificates": [
    withFlows(flow("s1.lab", { handshakeBytes: null }), flows[1]!),
    /1 connections show no end of their handshake, and the link lost no packet/,
  ],
  "a client that does not say what it agreed to": [
    { connections: connections.map(({ tls: _, ...one }) => one) },
    /connection 7 to s1\.lab: the client does not say its TLS/,
  ],
  "a resumed session": [withFlows(flow("s1.lab", { tls: "resumed" }), flows[1]!), /a resumed TLS session/],
  "another congestion control": [
    withFlows(flow("s1.lab", { congestion: "bbr" }), flows[1]!),
    /congestion control bbr instead of cubic/,
  ],
  "a window too small": [
    withFlows(flow("s1.lab", { initcwnd: { atLeast: 3, atMost: 3 } }), flows[1]!),
    /initcwnd at most 3 instead of 10/,
  ],
  "a window too large": [
    withFlows(flow("s1.lab", { initcwnd: { atLeast: 16, atMost: 16 } }), flows[1]!),
    /initcwnd at least 16 instead of 10/,
  ],
  "another receive window": [
    withFlows(
      { ...flows[0]!, receiveWindow: { synBytes: 29200, ackBytes: 29312, mssBytes: 1460, scale: 7 } },
      flows[1]!,
    ),
    /a receive window of 29200 bytes \(20\.0 segments\) instead of 44/,
  ],
  "a connection the captures do not know": [
    withFlows(flows[0]!),
    /the browser used 1 connections to s2\.lab, the captures saw 0/,
  ],
  "another RTT": [
    withFlows(...flows.map((one) => ({ ...one, handshakeMs: 20.2 }))),
    /the quickest handshake took 20\.2 ms; the RTT is 100 ms/,
  ],
  "another rate": [withLink(always(20)), /when the load began, the link had down rateMbps 20 instead of 10/],
  "another delay": [
    withLink(always(10, { delayMs: 90 })),
    /when the load began, the link had down delayMs 90 instead of 50/,
  ],
  "another queue": [
    withLink(always(10, { queuePackets: 1000 })),
    /when the load began, the link had down queuePackets 1000 instead of 50/,
  ],
  "jitter that nobody asked for": [
    withLink(always(10, { jitterMs: 10 })),
    /when the load began, the link had down jitterMs 10 instead of none/,
  ],
  "losses in bursts": [
    withLink(always(10, { lossBurstPackets: 4 })),
    /when the load began, the link had down lossBurstPackets 4 instead of none/,
  ],
  "a queue that is managed": [
    withLink(always(10, { aqm: "fq_codel" })),
    /when the load began, the link had down aqm fq_codel instead of none/,
  ],
  "packets that overtook others": [
    withTransit("down", { ...transit(10), reordered: 3 }),
    /3 packets were overtaken on a link that keeps their order/,
  ],
  "loss that nobody asked for": [
    withLink(always(10, { lossPercent: 1 })),
    /when the load began, the link had down lossPercent 1 instead of 0/,
  ],
  "a link that was changed during the load": [
    withLink({ atEnd: { ...is, rateMbps: 20 } }),
    /when the load ended, the link had down rateMbps 20 instead of 10/,
  ],
  "another rate, by its packets": [
    withTransit("up", transit(2)),
    /up: 18 packets that waited for one another came in 72\.2 ms, at 1\.99 Mb\/s instead of 1/,
  ],
  "another delay, by its packets": [
    withTransit("down", { ...transit(10), least: { ms: 10.1, bytes: 66 } }),
    /down: the quickest packet took 10\.1 ms instead of 50\.05/,
  ],
  "another queue, by its packets": [
    withTransit("down", { ...transit(10), mostMs: 900 }),
    /down: a packet took 900 ms; behind a full queue it takes 117\.4/,
  ],
  "packets that tell nothing of the rate, on a link that lost none": [
    withTransit("down", { ...transit(10), backToBack: null }),
    /down: no two packets were seen to leave the queue back to back, and the link lost no packet/,
  ],
  "a packet lost on a link that loses none": [
    withLink({ lostPackets: 1 }),
    /1 packets were lost on a link that loses none/,
  ],
  "TCP that remembers": [{ metricsSaved: ["server2"] }, /TCP remembers earlier connections .* on server2/],
  "a program beside the browser": [{ processor: { ...processor, otherMs: 900 } }, /other programs took 0\.90 cores/],
  "a part of the lab that ended": [
    { ended: ["nginx: worker process"] },
    /a part of the lab ended during the load: nginx: worker/,
  ],
  "a machine beside this one": [{ processor: { ...processor, stealMs: 300 } }, /steal\) took 0\.30 cores/],
};
for (const [what, [change, message]] of Object.entries(wrong))
  test(`is named: ${what}`, () => assert.match(judge(change).contradictions.join("\n"), message));

test("is named: a time no network can do, and one the browser did not say", () => {
  const { contradictions } = judge({}, {}, 322);
  assert.match(contradictions.join(), /322 ms is less than physics allows: 324 ms/);
  assert.match(contradictions.join(), /its page load time is 322 ms, the browser's timing says 800/);
});

test("is flagged: a load that the processor limits", () =>
  assert.match(judge({ processor: { ...processor, labMs: 1950 } }).flags.join(), /CPU-bound: 100% of 2 cores/));

test("a browser uses the processor; a client that only fetches may use less than a tick of it", () => {
  const idle = { processor: { ...processor, labMs: 0 } };
  assert.match(judge(idle).contradictions.join(), /the lab used no processor/);
  const fetching = { ...registries.clients.chromium!, replays: { connections: 1, pipelines: false } };
  const judged = judgeLoad(800, { ...good, ...idle }, conditionOf(asked, registries), {
    ...registries,
    clients: { chromium: fetching },
  });
  assert.doesNotMatch(judged.contradictions.join(), /used no processor/);
});
