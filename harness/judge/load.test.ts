import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  DirectionParameters,
  Evidence,
  FlowEvidence,
  LinkEvidence,
  TransitEvidence,
} from "../../schema/evidence.ts";
import type { Values } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import { conditionOf } from "../plan/conditions.ts";
import { judgeLoad } from "./load.ts";

const registries: Registries = {
  links: { c: { downMbps: 10, upMbps: 1, rttMs: 100, lossPercent: 0, queuePackets: 50 } },
  protocols: { h2: { scheme: "https", transport: "tcp", alpn: "h2", port: 4432, connections: 1 } },
  pages: { A: { requests: 2, bodyBytes: 30_000, objects: { "/A/1.jpg": 10_000 } } },
  servers: { nginx: { header: "nginx", protocols: ["h2"] } },
  clients: { chromium: { userAgent: "HeadlessChrome/", userAgentLacks: ".0.0.0 Safari/", protocols: ["h2"] } },
  hosts: [1, 2, 3].map((n) => ({ service: `server${n}`, name: `s${n}.lab`, address: `198.18.1.1${n}` })),
  defaults: {
    reorder: "off",
    server: "nginx",
    congestion: "cubic",
    client: "chromium",
    initrwnd: 44,
    windowScaling: "on",
    tls: "1.3",
    keyExchange: "x25519",
    certificates: "ec2",
  },
};
const asked: Values = { page: "A", servers: 2, link: "c", protocol: "h2", initcwnd: 10 };

const html = { path: "/A/2-h2.html", status: 200, bytes: 20_200, startMs: 0, endMs: 500 };
const request = { path: "/A/1.jpg", status: 200, bytes: 10_200, startMs: 350, endMs: 780 };
const connection = { protocol: "h2", software: ["nginx"], tls: { version: "TLS 1.3", group: "X25519" } };
const connections = [
  { id: 7, host: "s1.lab", address: "198.18.1.11:4432", ...connection, requests: [html] },
  { id: 9, host: "s2.lab", address: "198.18.1.12:4432", ...connection, requests: [request] },
];
const server: NonNullable<FlowEvidence["server"]> = {
  tls: "full",
  hello: { version: "1.3", group: 0x001d, resumed: false, retry: false },
  sentSegments: 18,
  retransmittedSegments: 0,
  firstFlightSegments: 3,
  handshakeBytes: 1021,
  turnMs: 0.2,
  initcwnd: { atLeast: 10, atMost: 10 },
  congestion: "cubic",
};
const flow = (host: string, news: Partial<typeof server> = {}): FlowEvidence => ({
  host,
  clientPort: 40000, // the same to both hosts, which may be
  handshakeMs: 100.9,
  upRetransmittedSegments: 0,
  receiveWindow: { synBytes: 64240, ackBytes: 64512, mssBytes: 1460, scale: 7 },
  server: { ...server, ...news },
});
const way = {
  sentPackets: { atLeast: 40, atMost: 44 },
  shapedPackets: 41,
  forwardedPackets: 39,
  arrivedPackets: { atLeast: 39, atMost: 39 },
};
/** What packets of a link with half an RTT of 50 ms show of its rate. */
const transit = (mbps: number) => ({
  packets: 39,
  least: { ms: 50.1 + (66 * 8) / 1000 / mbps, bytes: 66 },
  mostMs: 70,
  overtaken: 0,
  backToBack: { packets: 18, bytes: 18_000, ms: (18_000 * 8) / 1000 / mbps + 0.2 },
});
const path = { down: { ...way, transit: transit(10) }, up: { ...way, transit: transit(1) } };
const flows = [flow("s1.lab"), flow("s2.lab")];
const packets = {
  synToRequestMs: 205,
  requestToLastDataMs: 570,
  requestToLastAckMs: 571,
  path,
  largestFrameBytes: 1514,
  missedFrames: 0,
  foreign: [],
  flows,
};
const counters = { sentPackets: 39, sentBytes: 34_000, lostPackets: 0, queueDroppedPackets: 0, queuedPackets: 2 };
const is = { delayMs: 50, lossPercent: 0, queuePackets: 50 };
const always = (rateMbps: number, news: Partial<DirectionParameters> = {}) => ({
  atStart: { ...is, rateMbps, ...news },
  atEnd: { ...is, rateMbps, ...news },
});
const link: LinkEvidence = { down: { ...counters, ...always(10) }, up: { ...counters, ...always(1) } };
const processor = { cores: 2, elapsedMs: 1000, labMs: 300, otherMs: 50, stealMs: 0, waitMs: 20, labMemoryMiB: 900 };
const good: Evidence = {
  version: 3,
  userAgent: "Mozilla/5.0 HeadlessChrome/156",
  requests: 2,
  failed: 0,
  fromCache: 0,
  receivedBytes: 30_400,
  connections,
  timing: {
    connectStart: 2,
    connectEnd: 205,
    requestStart: 206,
    responseStart: 310,
    responseEnd: 500,
    domContentLoadedEventStart: 510,
    loadEventStart: 800,
  },
  link,
  packets,
  metricsSaved: [],
  processor,
  ended: [],
};
const judge = (change: Partial<Evidence> = {}, values: Values = {}, pageLoadMs = 800) =>
  judgeLoad(pageLoadMs, { ...good, ...change }, conditionOf({ ...asked, ...values }, registries), registries);
const withFlows = (...changed: FlowEvidence[]): Partial<Evidence> => ({ packets: { ...packets, flows: changed } });
const withTransit = (direction: "down" | "up", transit: TransitEvidence): Partial<Evidence> => ({
  packets: { ...packets, path: { ...path, [direction]: { ...path[direction], transit } } },
});
const withLink = (change: Partial<LinkEvidence["down"]>): Partial<Evidence> => ({
  link: { ...link, down: { ...link.down, ...change } },
});

/** Of a condition that asks for nothing. */
const unseenAlways = { cpu: "nothing slows the page down, and nothing in its evidence would show it" };

test("a load that is a sample of its condition contradicts nothing, and every axis holds that can be seen", () =>
  assert.deepEqual(judge(), { contradictions: [], undecided: {}, unseen: unseenAlways, flags: [] }));

test("a page that was slowed down says by how much, and one that was not says nothing", () => {
  const slowed = (slowedMs: number) => ({ slowdown: { slowedMs, plainMs: 10 } });
  assert.deepEqual(judge(slowed(41), { cpu: 4 }), { contradictions: [], undecided: {}, unseen: {}, flags: [] });
  assert.deepEqual(judge(slowed(20), { cpu: 4 }).contradictions, [
    "the page computed 2.00 times slower, 4 times was asked for",
  ]);
  assert.deepEqual(judge({}, { cpu: 4 }).contradictions, ["nothing says how much slower the page was"]);
  assert.match(judge(slowed(41)).contradictions.join(), /the page was slowed down/);
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
    withTransit("down", { ...transit(10), overtaken: 3 }),
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

/** Nothing of the handshakes was seen whole. */
const blind = withFlows(
  ...flows.map((one) => ({ ...one, handshakeMs: null, receiveWindow: null, server: { ...server, initcwnd: null } })),
);

test("what the link's chance hid is undecided; where it lost nothing, it is missing", () => {
  const dropped = { ...blind, link: { ...link, up: { ...link.up, queueDroppedPackets: 2, queuedPackets: 0 } } };
  const hidden = judge(dropped);
  assert.deepEqual(hidden.contradictions, []);
  assert.deepEqual(Object.keys(hidden.undecided), ["initcwnd", "initrwnd", "windowScaling"]);
  const missing = judge(blind).contradictions.join("\n");
  for (const text of ["no handshake was seen whole", "no connection's first flights reached the window"])
    assert.match(missing, new RegExp(`${text}, and the link lost no packet that could explain it`));
});

test("a receive window above 44 segments is read from the first ACK, where it is scaled", () => {
  const wide = { synBytes: 65535, ackBytes: 146432, mssBytes: 1460, scale: 7 };
  const seen = withFlows(...flows.map((one) => ({ ...one, receiveWindow: wide })));
  assert.deepEqual(judge(seen, { initrwnd: 100 }).contradictions, []);
  assert.match(judge({}, { initrwnd: 100 }).contradictions.join(), /64512 bytes \(44\.2 segments\) instead of 100/);
});

test("what version 2 did not keep cannot be seen, and a line of version 3 cannot pass for one", () => {
  const never = { atStart: null, atEnd: null };
  const old: Partial<Evidence> = {
    version: 2,
    userAgent: null,
    connections: connections.map((one) => ({ ...one, software: null })),
    link: { down: { ...link.down, ...never }, up: { ...link.up, ...never } },
    ...withFlows(...flows.map((one) => ({ ...one, receiveWindow: null }))),
  };
  const { contradictions, unseen } = judge(old);
  assert.deepEqual(contradictions, []);
  assert.deepEqual(Object.keys(unseen), [
    "down",
    "up",
    "loss",
    "queue",
    "jitter",
    "reorder",
    "burst",
    "aqm",
    "initrwnd",
    "windowScaling",
    "server",
    "client",
    "cpu",
  ]);
  assert.match(judge({ ...old, version: 3 }).contradictions.join("\n"), /its evidence lacks what version 3 keeps/);
});

test("a link with jitter, reordering and an AQM is held against what its kernel says, and its packets' bounds move with it", () => {
  const changed = { jitter: 10, reorder: "on", aqm: "fq_codel" };
  const news = { jitterMs: 10, reorders: true as const, aqm: "fq_codel" };
  // Below a token bucket the first packet takes no time; jitter adds some.
  const seen = { ...transit(10), least: { ms: 53, bytes: 66 }, overtaken: 2 };
  const evidence = {
    link: { down: { ...counters, ...always(10, news) }, up: { ...counters, ...always(1, news) } },
    packets: {
      ...packets,
      path: {
        down: { ...way, transit: seen },
        up: { ...way, transit: { ...transit(1), least: { ms: 50, bytes: 66 }, overtaken: 0 } },
      },
    },
  };
  assert.deepEqual(judge(evidence, changed).contradictions, []);
  assert.match(
    judge({}, changed).contradictions.join("; "),
    /down jitterMs none instead of 10.*down reorders none instead of true.*down aqm none/s,
  );
  assert.match(
    judge(evidence, { ...changed, jitter: 1 }).contradictions.join("; "),
    /the quickest packet took 53 ms instead of 50/,
  );
});

/** The document was asked for, and had not changed; the rest was kept. */
const kept = [{ host: "s2.lab", path: "/A/1.jpg", status: 200, caching: "max-age=31536000" }];
const revalidated: Partial<Evidence> = {
  requests: 1,
  fromCache: 1,
  receivedBytes: 100,
  connections: [{ ...connections[0]!, requests: [{ ...html, status: 304, bytes: 100 }] }],
  cached: kept,
  packets: {
    ...packets,
    requestToLastDataMs: 290,
    requestToLastAckMs: 291,
    flows: [flow("s1.lab", { initcwnd: { atLeast: 1, atMost: null } })],
  },
};
const repeat = (change: Partial<Evidence>) => judge({ ...revalidated, ...change }, { view: "repeat" });

test("a repeat view asks for the document alone, and has all else from the cache", () => {
  const { contradictions, unseen } = repeat({});
  assert.deepEqual(contradictions, []);
  assert.deepEqual(Object.keys(unseen), ["initcwnd", "cpu"]);
  for (const [change, message] of [
    [
      { cached: [] },
      /1\.jpg did not come from the cache.*hosts s1\.lab instead of.*1 responses from a cache, 0 of them/s,
    ],
    [{ cached: [...kept, ...kept] }, /1\.jpg came from the cache, and was not to/],
    [{ cached: [{ ...kept[0]!, caching: "" }] }, /its server said "" of keeping it/],
    [{ connections: good.connections, requests: 2 }, /2 requests instead of 1.*1\.jpg is not the page's/s],
  ] as const)
    assert.match(repeat(change as Partial<Evidence>).contradictions.join("; "), message);
  assert.match(judge(revalidated).contradictions.join("; "), /1 responses from a cache/);
  assert.match(judge({}, { view: "repeat" }).contradictions.join("; "), /nothing came from the cache/);
});

test("a session is resumed on a connection to each host, in TLS 1.2 on all", () => {
  const hello = (version: "1.2" | "1.3", resumed: boolean) => ({
    tls: resumed ? ("resumed" as const) : ("full" as const),
    hello: { version, group: version === "1.2" ? null : 0x001d, resumed, retry: false },
  });
  const held = (version: "1.2" | "1.3", ...resumed: boolean[]) =>
    judge(
      {
        ...withFlows(
          flow("s1.lab", hello(version, true)),
          ...resumed.map((is, i) => ({ ...flow("s2.lab", hello(version, is)), clientPort: 40001 + i })),
        ),
        connections: connections.map((one) => ({ ...one, tls: { version: `TLS ${version}`, group: "X25519" } })),
      },
      { handshake: "resumed", tls: version },
    )
      .contradictions.filter((problem) => problem.includes("had one to resume"))
      .join("; ");
  assert.deepEqual([held("1.3", true, false), held("1.2", true, true)], ["", ""]);
  assert.match(held("1.3", false, false), /0 of 2 connections to s2\.lab resumed a TLS session; 1 had one to resume/);
  assert.match(held("1.2", true, false), /1 of 2 connections to s2\.lab resumed a TLS session; 2 had one to resume/);
});

test("an initial window that BBR did not fill is unseen, and one that it exceeded is named", () => {
  const bbr = (initcwnd: { atLeast: number; atMost: number | null }) =>
    judge(withFlows(flow("s1.lab", { congestion: "bbr", initcwnd }), flow("s2.lab", { congestion: "bbr", initcwnd })), {
      congestion: "bbr",
    });
  assert.match(bbr({ atLeast: 5, atMost: null }).unseen.initcwnd!, /BBR's window grows while it is not in use/);
  assert.deepEqual(bbr({ atLeast: 10, atMost: null }).unseen, unseenAlways);
  assert.match(bbr({ atLeast: 16, atMost: null }).contradictions.join(), /initcwnd at least 16 instead of 10/);
});

test("a server that asked for another key takes a round trip more, before any request", () => {
  const hello = { version: "1.3" as const, group: 0x0017, resumed: false, retry: true };
  const asked = flows.map(({ host }) => flow(host, { hello }));
  const { contradictions } = judge(withFlows(...asked), { keyExchange: "secp256r1" });
  assert.match(
    contradictions.join("\n"),
    /the first request came 205 ms after the first packet; its handshakes take 300/,
  );
  assert.match(contradictions.join("\n"), /from connectStart \(2 ms\) to connectEnd \(205 ms\) it takes 300 ms/);
});

test("window scaling is what each client's SYN says", () => {
  const plain = withFlows(...flows.map((one) => ({ ...one, receiveWindow: { ...one.receiveWindow!, scale: null } })));
  assert.deepEqual(judge(plain, { windowScaling: "off" }).contradictions, []);
  assert.match(judge(plain).contradictions.join("\n"), /its SYN has no window scaling/);
  assert.match(judge(good, { windowScaling: "off" }).contradictions.join("\n"), /its SYN scales windows by 2\^7/);
  const missing = withFlows(
    ...flows.map((one) => ({ ...one, receiveWindow: { ...one.receiveWindow!, scale: undefined } })),
  );
  assert.match(judge(missing).contradictions.join("\n"), /what its SYN says of window scaling is missing/);
});

test("a run that was begun before the lab had the axes of TLS says nothing of them", () => {
  const { tls: _, keyExchange: __, certificates: ____, ...before } = registries.defaults;
  const then = { ...registries, defaults: before };
  const condition = conditionOf(asked, then);
  assert.deepEqual([condition.fields.tls, condition.id], [undefined, conditionOf(asked, registries).id]);
  const old = { ...good, connections: connections.map(({ tls: ___, ...one }) => one) };
  const { contradictions, unseen } = judgeLoad(800, old, condition, then);
  assert.deepEqual([contradictions, Object.keys(unseen)], [[], ["tls", "keyExchange", "certificates", "cpu"]]);
});

test("of a small page no two packets need have waited for one another: its rates are unseen", () => {
  const seen = { ...packets, path: { ...path, down: { ...path.down, transit: { ...transit(10), backToBack: null } } } };
  const small = { ...registries, pages: { A: { ...registries.pages.A!, bodyBytes: 12_000 } } } as Registries;
  const judged = (known: Registries) => judgeLoad(800, { ...good, packets: seen }, conditionOf(asked, known), known);
  assert.match(judged(small).unseen.down ?? "", /too few packets waited for one another/);
  assert.match(judged(registries).contradictions.join(), /down: no two packets were seen/);
});

test("certificates that are not encrypted are held against the chain by their own length", () => {
  const hello = { version: "1.2" as const, group: null, resumed: false, retry: false };
  const judged = (certificateBytes: number, handshakeBytes: number) => {
    const seen = flows.map(({ host }) => flow(host, { hello: { ...hello, certificateBytes }, handshakeBytes }));
    return judge(withFlows(...seen), { tls: "1.2", certificates: "rsa3" }).contradictions.join("\n");
  };
  assert.doesNotMatch(judged(3490, 3950), /certificates|a handshake/);
  assert.match(judged(629, 3950), /certificates of 629 bytes; rsa3 has 3490 to 3490/);
  assert.match(judged(3490, 1100), /a handshake of 1100 bytes; rsa3 has 3631 to 4331/);
});

test("an initcwnd that a second hello let grow is unseen, not missing", () => {
  const hello = { version: "1.3" as const, group: 0x0017, resumed: false, retry: true };
  const grown = flows.map(({ host }) => flow(host, { hello, initcwnd: { atLeast: 1, atMost: 15 } }));
  const { unseen } = judge(withFlows(...grown), { keyExchange: "secp256r1" });
  assert.match(unseen.initcwnd ?? "", /the handshake let the window grow: by first flights it began with 1 to 15/);
});

test("where the RTT outlasts the SYN timer, handshakes and windows are unseen, and the rest is judged", () => {
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
  assert.match(judged.unseen.initcwnd!, /the RTT outlasts the SYN timer/);
  assert.deepEqual(judged.undecided, {});
  assert.doesNotMatch(judged.contradictions.join("\n"), /handshake was|window was not seen/);
  const near = judge({ ...evidence, ...withFlows(...evidence.packets!.flows) });
  assert.match(near.contradictions.join("\n"), /no handshake was seen whole/);
});

test("behind a smaller receive window a server may stop sooner, and a larger initcwnd is unseen", () => {
  const room = { synBytes: 7300, ackBytes: 7300, mssBytes: 1460 };
  const stopped = flows.map((one) => ({
    ...one,
    receiveWindow: room,
    server: { ...server, initcwnd: { atLeast: 5, atMost: 5 } },
  }));
  assert.match(judge(withFlows(...stopped), { initrwnd: 5 }).unseen.initcwnd!, /has room for 5 segments alone/);
  const sooner = stopped.map((one) => ({ ...one, server: { ...server, initcwnd: { atLeast: 3, atMost: 3 } } }));
  assert.match(judge(withFlows(...sooner), { initrwnd: 5 }).contradictions.join(), /initcwnd at most 3 instead of 10/);
});

test("a rate that all of a direction's bytes together could not tell is unseen; where they could, one is to be there", () => {
  const none = withTransit("up", { ...transit(1), backToBack: null });
  const little = { link: { ...link, up: { ...link.up, sentPackets: 9, sentBytes: 900 } } };
  assert.match(judge(none).contradictions.join(), /up: no two packets were seen to leave the queue back to back/);
  assert.match(judge({ ...none, ...little }).unseen.up!, /up: too few packets waited/);
  const clear = { connections: connections.map(({ tls: _, ...one }) => one) };
  assert.match(judge({ ...none, ...clear }).unseen.up!, /up: each connection carried one request alone/);
  assert.match(judge({ ...none, ...clear, requests: 3 }).contradictions.join(), /up: no two packets were seen/);
});

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
