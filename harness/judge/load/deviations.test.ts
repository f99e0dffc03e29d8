import assert from "node:assert/strict";
import { test } from "node:test";
import { serialisationMs } from "../../../axes/link-values.ts";
import { type Direction, type Link, lossPercentOf, packetMs, rateOf, sendingMs } from "../../../schema/link.ts";
import { goodputLimit, lightPlan, probeBytes } from "../../../schema/procedure.ts";
import type { DirectionMeasurement, LinkMeasurement } from "../../../schema/records.ts";
import { deviations } from "./deviations.ts";

const plain: Link = { downMbps: 10, upMbps: 1, rttMs: 20, lossPercent: 0, queuePackets: 50 };

/** Makes the measurement of a link that is exactly as configured, except for `news`. */
function measured(link: Link, news: Partial<DirectionMeasurement> = {}): LinkMeasurement {
  const { jitterMs = 0, lossBurstPackets } = link;
  const direction = (name: Direction): DirectionMeasurement => {
    const { mbps, seconds } = lightPlan(link, name);
    return {
      delayMs: link.rttMs / 2 + jitterMs / 2 + sendingMs(link, name, probeBytes.small + probeBytes.headers),
      rateMbps: rateOf(link, name),
      lossPercent: lossPercentOf(link, name),
      packets: (mbps * 1e6 * seconds) / (8 * probeBytes.small),
      queuePackets: link.queuePackets,
      ...(link.jitterMs === undefined ? {} : { jitterMs }),
      ...(lossBurstPackets === undefined ? {} : { lossBurstPackets }),
      ...news,
    };
  };
  const rttMs = link.rttMs + jitterMs + serialisationMs(link);
  const limitMbps = goodputLimit(link);
  return {
    rttMs: { median: rttMs, p99: rttMs },
    goodputMbps: limitMbps,
    goodputLimitMbps: limitMbps,
    down: direction("down"),
    up: direction("up"),
  };
}
const problems = (link: Link, news: Partial<DirectionMeasurement>) => deviations(link, measured(link, news)).join("; ");

const links: Record<string, Link> = {
  plain,
  "56 kb/s": { ...plain, downMbps: 0.049, upMbps: 0.03 },
  "a queue of 1000": { ...plain, queuePackets: 1000 },
  jitter: { ...plain, jitterMs: 10 },
  reordering: { ...plain, jitterMs: 10, reorders: true },
  bursts: { ...plain, lossPercent: 1, lossBurstPackets: 4 },
  fq_codel: { ...plain, aqm: "fq_codel" },
  "loss one way": { ...plain, lossPercent: 2, lossIn: "down" },
};
for (const [name, link] of Object.entries(links))
  test(`${name}: a link as configured is within tolerance`, () =>
    assert.deepEqual(deviations(link, measured(link)), []));

test("the worst second of a rate trace may deviate by 1% on the virtual clock, and by 3% on the real clock", () => {
  const trace = { name: "x", down: [[1000, 10]] as [number, number][], up: [[1000, 1]] as [number, number][] };
  const link = { ...plain, trace };
  const of = (traceOffPercent: number | undefined, clock: "virtual" | "real") =>
    deviations(link, measured(link, traceOffPercent === undefined ? {} : { traceOffPercent }), clock).join("; ");
  assert.equal(of(0.9, "virtual"), "");
  assert.match(
    of(1.1, "virtual"),
    /down difference from the trace in the worst second, %: asked 0\.00, measured 1\.10, allowed ±1\.00/,
  );
  assert.equal(of(2.9, "real"), "");
  assert.match(of(3.1, "real"), /up difference from the trace/);
  assert.match(of(undefined, "virtual"), /measured NaN/);
});

test("the length of a queue of 1,000 packets may deviate by 1%, and the length of a short queue by 1.5 packets", () => {
  assert.equal(problems(links["a queue of 1000"]!, { queuePackets: 995 }), "");
  assert.match(problems(links["a queue of 1000"]!, { queuePackets: 985 }), /down queue, packets: asked 1000\.00/);
  assert.match(
    problems(plain, { queuePackets: 48 }),
    /down queue, packets: asked 50\.00, measured 48\.00, allowed ±1\.50/,
  );
});

test("at 100 Mb/s, a queue's measured length may deviate by the 8 packets that leave between two wake-ups of the sender", () => {
  const fast = { ...plain, downMbps: 100 };
  assert.equal(problems(fast, { queuePackets: 48.6 }), "");
  const { up, ...rest } = measured(fast);
  const down = (queuePackets: number) => deviations(fast, { ...rest, up, down: { ...rest.down, queuePackets } }).join();
  assert.equal(down(42), "");
  assert.match(down(41), /down queue, packets: asked 50\.00, measured 41\.00, allowed ±8\.2/);
});

test("if jitter is configured, too little jitter, a delay that lacks the jitter, and a missing jitter measurement are reported", () => {
  assert.match(problems(links.jitter!, { jitterMs: 5 }), /down jitter, ms: asked 10\.00, measured 5\.00/);
  assert.match(problems(links.jitter!, { delayMs: 10 }), /down delay with serialisation, ms/);
  const { jitterMs: _, ...without } = measured(links.jitter!).down;
  assert.match(
    deviations(links.jitter!, { ...measured(links.jitter!), down: without }).join(),
    /down jitter, ms: .* NaN/,
  );
});

test("if losses are configured in bursts, single losses are reported, and the loss rate may deviate more than without bursts", () => {
  assert.match(problems(links.bursts!, { lossBurstPackets: 1.01 }), /down burst, packets: asked 4\.00, measured 1\.01/);
  assert.equal(problems(links.bursts!, { lossPercent: 1.5 }), "");
  assert.match(problems({ ...plain, lossPercent: 1 }, { lossPercent: 1.8, packets: 3000 }), /down loss, %/);
});

test("if loss is configured in one direction only, a loss in the other direction is a deviation", () => {
  const { up, ...rest } = measured(links["loss one way"]!);
  assert.match(
    deviations(links["loss one way"]!, { ...rest, up: { ...up, lossPercent: 0.1 } }).join(),
    /up loss, %: asked 0\.00, measured 0\.10, allowed ±0\.00/,
  );
});

test("with 25% loss in both directions, 5 times as many packets as planned are accepted; half as many or 100 times as many are reported", () => {
  const lossy: Link = { ...plain, lossPercent: 25 };
  const { up, ...rest } = measured(lossy);
  const down = (share: number) =>
    deviations(lossy, { ...rest, up, down: { ...rest.down, packets: rest.down.packets * share } }).join();
  assert.equal(down(5), "");
  assert.match(down(0.5), /down packets counted: asked/);
  assert.match(down(100), /down packets counted: asked/);
  const { down: onlyDown, ...others } = measured({ ...lossy, lossIn: "down" });
  const oneWay = { ...others, down: { ...onlyDown, packets: onlyDown.packets * 5 } };
  assert.match(deviations({ ...lossy, lossIn: "down" }, oneWay).join(), /down packets counted: asked/);
});

test("with an AQM, a queue may be shorter than its limit, and a small packet's delay must not include serialisation", () => {
  assert.equal(problems(links.fq_codel!, { queuePackets: 6 }), "");
  assert.match(problems(links.fq_codel!, { queuePackets: 60 }), /down queue, packets: asked 50\.00, measured 60\.00/);
  const serialised = 10 + packetMs(probeBytes.small + probeBytes.headers, 0.3);
  assert.match(problems(links.fq_codel!, { delayMs: serialised }), /down delay with serialisation, ms: asked 10\.00/);
});

test("low goodput is a deviation only if TCP could fill the link; goodput above the link's rate is always a deviation", () => {
  const slow = { ...measured(links.reordering!), goodputMbps: 5 };
  assert.deepEqual(deviations(links.reordering!, slow), []);
  assert.match(deviations(links.jitter!, { ...measured(links.jitter!), goodputMbps: 5 }).join(), /down TCP goodput/);
  assert.match(deviations(links.reordering!, { ...slow, goodputMbps: 12 }).join(), /down TCP goodput/);
  // 32 connections fill 10 Mb/s with a loss of 1%, not with 25%.
  const lossy = { ...links.plain!, rttMs: 100, lossPercent: 25 };
  assert.doesNotMatch(deviations(lossy, { ...measured(lossy), goodputMbps: 0.5 }).join(), /TCP goodput/);
  assert.match(deviations(lossy, { ...measured(lossy), goodputMbps: 12 }).join(), /TCP goodput/);
  const less = { ...lossy, lossPercent: 1 };
  assert.match(deviations(less, { ...measured(less), goodputMbps: 0.5 }).join(), /TCP goodput/);
  // With a loss of 20%, connections wait for their time-outs most of the time: 7.5 of 100 Mb/s were measured on a guest's link.
  const timedOut = { ...links["a queue of 1000"]!, downMbps: 100, upMbps: 100, rttMs: 5.609, lossPercent: 20 };
  assert.doesNotMatch(deviations(timedOut, { ...measured(timedOut), goodputMbps: 7.5 }).join(), /TCP goodput/);
  // A queue that is short compared with the data in flight runs empty when many windows shrink at once.
  const long = { ...plain, downMbps: 100, upMbps: 20, rttMs: 100 };
  assert.doesNotMatch(deviations(long, { ...measured(long), goodputMbps: 80 }).join(), /TCP goodput/);
  // An AQM keeps its queue short, whatever its limit is. With a long RTT TCP then cannot fill the link, with a short RTT it can.
  for (const [rttMs, isHeld] of [
    [100, false],
    [20, true],
  ] as const) {
    const managed = { ...plain, rttMs, queuePackets: 1000, aqm: "cake" as const };
    const found = deviations(managed, { ...measured(managed), goodputMbps: 8 }).join();
    assert.equal(/TCP goodput/.test(found), isHeld, found);
  }
  // If packets wait in a queue for seconds, TCP retransmits them although they are not lost.
  const bloated = { ...plain, downMbps: 1.6, upMbps: 0.768, rttMs: 150, queuePackets: 1000 };
  assert.doesNotMatch(deviations(bloated, { ...measured(bloated), goodputMbps: 1.4 }).join(), /TCP goodput/);
  const bloatedLess = { ...bloated, queuePackets: 50 };
  assert.match(deviations(bloatedLess, { ...measured(bloatedLess), goodputMbps: 1.4 }).join(), /TCP goodput/);
  const longQueue = { ...long, queuePackets: 200 };
  assert.match(deviations(longQueue, { ...measured(longQueue), goodputMbps: 80 }).join(), /TCP goodput/);
});
