import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence, PacketEvidence, QuicFlowEvidence } from "../schema/evidence.ts";
import type { Link } from "../schema/link.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./host-rtts.axis.ts";
import { isAnsweredLate } from "./late-answers.ts";
import { axis as rtt } from "./rtt.axis.ts";

const hosts = [1, 2].map((i) => ({ service: `server${i}`, name: `s${i}.lab`, address: `198.18.1.1${i}` }));
const registries = {
  pages: {
    A: { objects: {} },
    shop: { learnt: {}, recorded: { url: "https://a.test/", hosts: [["a.test"], ["b.test"]], rttsMs: [20, 80] } },
    abroad: { learnt: {}, recorded: { url: "https://a.test/", hosts: [["a.test"], ["b.test"]], rttsMs: [20, 1200] } },
    archive: { learnt: {}, recorded: { url: "https://a.test/", hosts: [["a.test"], ["b.test"]] } },
  },
  protocols: { h2: { transport: "tcp" } },
  hosts,
  defaults: { hostRtts: "equal" },
} as unknown as Registries;
const link = { down: 10, up: 1, rtt: 100, loss: 0, queue: 50, jitter: 0, reorder: "off", burst: 1, lossIn: "both" };
const all = {
  ...{
    page: "shop",
    servers: 2,
    serverQdisc: "noqueue",
    initcwnd: 10,
    protocol: "h2",
    aqm: "none",
    background: "none",
  },
  ...link,
} as unknown as ConditionValues;

/** @param delays what tc prints, by service @param handshakesMs how long the handshake with each host took */
const proof = (
  hostRtts: "equal" | "recorded",
  delays: Record<string, string>,
  handshakesMs: number[],
  lostPackets = 0,
) =>
  axis.proves(
    hostRtts,
    { ...all, hostRtts },
    {
      serverQdiscs: delays,
      processor: {},
      link: { down: { lostPackets, queueDroppedPackets: 0 }, up: { lostPackets: 0, queueDroppedPackets: 0 } },
      packets: {
        path: { up: { transit: { mostMs: 60 } }, down: { transit: { mostMs: 90 } } },
        flows: handshakesMs.map((handshakeMs, i) => ({ host: hosts[i]!.name, clientPort: 40_000 + i, handshakeMs })),
      },
    } as unknown as Evidence,
    registries,
  );

const delayed = { server2: "netem limit 100000 delay 60ms" };
const problemsOf = (verdict: ReturnType<typeof proof>) =>
  typeof verdict === "object" && "contradicts" in verdict ? verdict.contradicts : [];

test("hostRtts=recorded is confirmed by the delay that tc prints and by the handshakes' duration, and hostRtts=equal if tc prints no delay", () => {
  assert.equal(proof("recorded", delayed, [101, 161]), "confirmed");
  assert.equal(proof("equal", {}, [101, 101]), "confirmed");
  assert.equal(
    proof("equal", { server1: "fq limit 10000p flow_limit 100p", server2: "fq limit 10000p" }, [101, 101]),
    "confirmed",
  );
});

test("hostRtts is contradicted if the delay that tc prints for a host is wrong, missing or not configured", () => {
  assert.deepEqual(problemsOf(proof("equal", delayed, [101, 161])), [
    "server2: its queueing discipline is netem limit 100000 delay 60ms; a delay of 0 ms is configured",
  ]);
  assert.match(
    `${problemsOf(proof("recorded", {}, [101, 161]))}`,
    /server2: its queueing discipline is noqueue; a delay of 60 ms is configured/,
  );
  assert.match(
    `${problemsOf(proof("recorded", { server2: "netem limit 100000 delay 59ms" }, [101, 160]))}`,
    /server2: its queueing discipline is netem limit 100000 delay 59ms; a delay of 60 ms/,
  );
});

test("hostRtts=recorded is contradicted by a handshake that is shorter than its host's RTT, or longer than slow packets and losses explain", () => {
  assert.deepEqual(problemsOf(proof("recorded", delayed, [101, 101])), [
    "connection 40001 to s2.lab: its handshake took 101 ms; at least 159.9 expected",
  ]);
  assert.match(
    `${problemsOf(proof("recorded", delayed, [230, 161]))}`,
    /40000 to s1.lab: its handshake took 230 ms; at most 200.0 expected/,
  );
  assert.ok("inconclusive" in (proof("recorded", delayed, [230, 161], 1) as object));
  assert.equal(proof("equal", {}, [230, 161]), "confirmed", "with equal RTTs, only the axis rtt judges the handshakes");
});

test("hostRtts=recorded is refused with a page without recorded RTTs, one server, a host too far away, a server qdisc, background flows or an adaptive window", () => {
  const refusal = (values: object) => axis.refuses?.("recorded", { ...all, ...values }, registries) ?? null;
  assert.equal(refusal({}), null);
  assert.match(`${refusal({ page: "A" })}`, /page A has no recorded RTTs/);
  assert.match(`${refusal({ page: "archive" })}`, /page archive has no recorded RTTs/);
  assert.match(
    `${refusal({ servers: 1 })}`,
    /with one server all hosts are equally far; two or more servers are allowed/,
  );
  assert.match(`${refusal({ serverQdisc: "fq" })}`, /serverQdisc noqueue is allowed/);
  assert.match(`${refusal({ background: "down" })}`, /background none is allowed/);
  assert.match(
    `${refusal({ page: "abroad" })}`,
    /a host of page abroad was 1180 ms farther away than the nearest; at most 999/,
  );
  assert.match(`${refusal({ initcwnd: "adaptive" })}`, /a number of segments is allowed/);
});

test("the link's RTT is confirmed by a distant host's handshake minus this host's extra RTT", () => {
  const way = { atStart: { delayMs: 50 }, atEnd: { delayMs: 50 }, lostPackets: 0, queueDroppedPackets: 0 };
  const transit = { least: { ms: 50.1, bytes: 66 }, mostMs: 90 };
  const evidence = {
    link: { down: way, up: way },
    packets: {
      path: { up: { transit }, down: { transit } },
      flows: [{ host: "s2.lab", clientPort: 40_001, handshakeMs: 161 }],
    },
  } as unknown as Evidence;
  const proof = (hostRtts: "equal" | "recorded") => rtt.proves(100, { ...all, hostRtts }, evidence, registries);
  assert.equal(proof("recorded"), "confirmed");
  assert.match(JSON.stringify(proof("equal")), /the quickest handshake took 161 ms; the RTT is 100 ms/);
});

test("an answer after the first time-out counts as late, not as lost, if the slowest packets and the host's extra RTT explain its time", () => {
  const transit = { mostMs: 60 };
  const packets = { path: { up: { transit }, down: { transit } } } as PacketEvidence;
  const flow = { host: "s2.lab", version: 1, handshakeMs: null, answerMs: 352 } as unknown as QuicFlowEvidence;
  const isLate = (extraMs: number) => isAnsweredLate(flow, packets, { rttMs: 100 } as Link, extraMs);
  assert.deepEqual([isLate(250), isLate(100), isLate(0)], [true, false, false]);
});
