import assert from "node:assert/strict";
import { test } from "node:test";
import type { BackgroundEvidence, BackgroundFlow } from "../schema/background.ts";
import type { Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./background.axis.ts";

const all = {
  ...{ down: 10, up: 1, rtt: 100, loss: 0, queue: 50, queueUp: "same", trace: "none", jitter: 0, reorder: "off" },
  ...{ burst: 1, lossIn: "both", aqm: "none", ecn: "off", initcwnd: 10, windowScaling: "on" },
} as unknown as ConditionValues;

/** What a load of Page A over HTTP/1.1 showed beside bulk-both, on the virtual clock. */
const [down, up]: [BackgroundFlow, BackgroundFlow] = [
  {
    ...{ direction: "down", clientPort: 46734, openedMs: 10627.808, congestion: "cubic", waitingBytes: 628432 },
    ...{ settledMs: 4877, goodBytes: { ever: 7354392, before: 1017944, during: 3937112 } },
  },
  {
    ...{ direction: "up", clientPort: 42692, openedMs: 10627.807, congestion: "cubic", waitingBytes: 140456 },
    ...{ settledMs: 8122, goodBytes: { ever: 1763664, before: 253400, during: 632776 } },
  },
];
const recorded: BackgroundEvidence = {
  ...{
    drawnMs: 627,
    sinceSetUpMs: 10631,
    linkMs: 17620,
    flows: [down, up],
    strayPackets: 0,
    inSteps: { down: [], up: [] },
  },
  before: { ms: 2299, down: { bytes: 1070612, ofBackground: 1070612 }, up: { bytes: 287390, ofBackground: 287390 } },
  during: { ms: 6975, down: { bytes: 4679169, ofBackground: 4250552 }, up: { bytes: 865106, ofBackground: 774856 } },
};

function verdict(value: string, background: BackgroundEvidence | undefined): string {
  const evidence = { ...(background && { background }) } as Evidence;
  const found = axis.proves(axis.value.parse(value), all, evidence, {} as Registries);
  return typeof found === "object" ? Object.values(found).flat().join("; ") : found;
}

/** The recorded load, whose flow upwards has other evidence. */
function withUp(changed: Partial<BackgroundFlow>, without: readonly (keyof BackgroundFlow)[] = []): BackgroundEvidence {
  const flow = { ...up, ...changed };
  for (const key of without) delete flow[key];
  return { ...recorded, flows: [down, flow] };
}

test("a recorded load confirms its background, and contradicts each other one", () => {
  assert.equal(verdict("bulk-both", recorded), "confirmed");
  assert.match(verdict("none", recorded), /2 flows ran beside the page/);
  assert.match(verdict("bulk-down", recorded), /1 background flow up instead of 0/);
  assert.match(verdict("4-bulk-both", recorded), /1 background flow down instead of 4; 1 background flow up instead/);
  assert.match(verdict("bulk-both-bbr", recorded), /flow 46734 down used cubic; background flow 42692 up used cubic/);
});

test("a load on an empty link confirms none, and contradicts each background", () => {
  assert.equal(verdict("none", undefined), "confirmed");
  assert.match(verdict("bulk-up", undefined), /no flow ran beside the page/);
});

test("a video's sender must have delivered each segment that it began, or still send", () => {
  const video = (segments: number, waitingBytes: number): BackgroundEvidence => ({
    ...recorded,
    before: { ...recorded.before, ms: 1000 },
    flows: [{ ...down, waitingBytes, goodBytes: { ...down.goodBytes, ever: segments * 2_500_000 } }],
  });
  // The load ends 17.6 s after the flow's SYN: it began four segments.
  assert.equal(verdict("video-down", video(4, 0)), "confirmed");
  assert.equal(verdict("video-down", video(3, 0)), "confirmed");
  assert.equal(verdict("video-down", video(2.4, 300_000)), "confirmed");
  assert.match(verdict("video-down", video(2.4, 0)), /down delivered 2\.40 segments instead of 3 to 4/);
  assert.match(verdict("video-down", video(4.1, 0)), /down delivered 4\.10 segments instead of 3 to 4/);
  assert.match(verdict("bulk-down", video(4, 0)), /had nothing to send when the page had loaded/);
});

test("a video on a link that is too slow for it is refused", () => {
  const refused = (down: number) => axis.refuses?.(axis.value.parse("video-down"), { ...all, down }, {} as Registries);
  assert.match(refused(4) ?? "", /a video needs more than 4\.18 Mb\/s, and the link has 4 Mb\/s to the client/);
  assert.equal(refused(5), null);
});

test("a flow that stopped, or was not settled, is contradicted", () => {
  assert.match(verdict("bulk-both", withUp({ endedMs: 812 })), /flow 42692 up ended 812 ms after the load began/);
  assert.match(verdict("bulk-both", withUp({}, ["congestion", "waitingBytes"])), /had nothing to send when/);
  assert.match(verdict("bulk-both", withUp({ waitingBytes: 0 })), /had nothing to send when the page had loaded/);
  assert.match(
    verdict("bulk-both", withUp({ settledMs: 2298 })),
    /was settled for 2298 of 2299 ms when the load began/,
  );
  assert.match(verdict("bulk-both", withUp({}, ["settledMs"])), /was settled for 0 of 2299 ms/);
  assert.match(verdict("bulk-both", withUp({ openedMs: 2400 })), /was settled for 8122 of 2299 ms/);
  const goodBytes = { ever: 0, before: 0, during: 0 };
  assert.match(verdict("bulk-both", withUp({ goodBytes })), /flow 42692 up delivered nothing/);
  assert.match(verdict("bulk-both", { ...recorded, flows: [down] }), /0 background flows up instead of 1/);
});

test("packets of an earlier background, and another time before the load, are contradicted", () => {
  assert.match(verdict("bulk-both", { ...recorded, strayPackets: 3 }), /3 packets of an earlier background/);
  const before = { ...recorded.before, ms: 1000 };
  assert.match(verdict("bulk-both", { ...recorded, before }), /was watched for 1000 ms before the load/);
});

test("what cannot be beside a background is refused by name", () => {
  const refused = (changed: Partial<ConditionValues>) =>
    axis.refuses!("bulk-up", { ...all, ...changed }, {} as Registries) ?? "";
  assert.equal(refused({}), "");
  assert.match(refused({ initcwnd: "adaptive" }), /initcwnd adaptive depends on what servers saw/);
  assert.match(refused({ windowScaling: "off" }), /without window scaling/);
  assert.equal(axis.refuses!("none", { ...all, initcwnd: "adaptive" }, {} as Registries), null);
});
