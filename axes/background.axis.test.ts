import assert from "node:assert/strict";
import { test } from "node:test";
import type { BackgroundEvidence, BackgroundFlow, BackgroundVisit } from "../schema/background.ts";
import type { Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./background.axis.ts";

const all = {
  ...{ down: 10, up: 1, rtt: 100, loss: 0, queue: 50, queueUp: "same", trace: "none", jitter: 0, reorder: "off" },
  ...{ burst: 1, lossIn: "both", aqm: "none", ecn: "off", initcwnd: 10, initrwnd: 44, windowScaling: "on" },
} as unknown as ConditionValues;

/** Evidence of a real load: Page A over HTTP/1.1 beside the background bulk-both, on the virtual clock. */
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

/** The recorded load with changed evidence of its upward flow. */
function withUp(changed: Partial<BackgroundFlow>, without: readonly (keyof BackgroundFlow)[] = []): BackgroundEvidence {
  const flow = { ...up, ...changed };
  for (const key of without) delete flow[key];
  return { ...recorded, flows: [down, flow] };
}

test("a load with the background flows of `bulk-both` confirms this value, and contradicts every other value", () => {
  assert.equal(verdict("bulk-both", recorded), "confirmed");
  assert.match(verdict("none", recorded), /2 flows ran beside the page/);
  assert.match(verdict("bulk-down", recorded), /1 background flow up instead of 0/);
  assert.match(verdict("4-bulk-both", recorded), /1 background flow down instead of 4; 1 background flow up instead/);
  assert.match(verdict("bulk-both-bbr", recorded), /flow 46734 down used cubic; background flow 42692 up used cubic/);
});

test("a load without background flows confirms the value `none`, and contradicts `bulk-up`", () => {
  assert.equal(verdict("none", undefined), "confirmed");
  assert.match(verdict("bulk-up", undefined), /no flow ran beside the page/);
});

test("17.6 s after its start, a background video must have delivered 3 to 4 segments of 5 s, or fewer if the sender still has bytes to send", () => {
  const video = (segments: number, waitingBytes: number): BackgroundEvidence => ({
    ...recorded,
    before: { ...recorded.before, ms: 1000 },
    flows: [{ ...down, waitingBytes, goodBytes: { ...down.goodBytes, ever: segments * 2_500_000 } }],
  });
  // The load ends 17.6 s after the flow's SYN: by then the flow has begun four segments.
  assert.equal(verdict("video-down", video(4, 0)), "confirmed");
  assert.equal(verdict("video-down", video(3, 0)), "confirmed");
  assert.equal(verdict("video-down", video(2.4, 300_000)), "confirmed");
  assert.match(verdict("video-down", video(2.4, 0)), /down delivered 2\.40 segments instead of 3 to 4/);
  assert.match(verdict("video-down", video(4.1, 0)), /down delivered 4\.10 segments instead of 3 to 4/);
  assert.match(verdict("bulk-down", video(4, 0)), /had nothing to send when the page had loaded/);
});

test("a background video is refused on a link whose rate to the client is too low for the video", () => {
  const refused = (down: number) => axis.refuses?.(axis.value.parse("video-down"), { ...all, down }, {} as Registries);
  assert.match(refused(4) ?? "", /a video needs more than 4\.18 Mb\/s to the client; the link has 4 Mb\/s/);
  assert.equal(refused(5), null);
});

/** Evidence of a real load: Page A over HTTP/1.1 beside another page, on the virtual clock. */
const [first, second, third]: [BackgroundVisit, BackgroundVisit, BackgroundVisit] = [
  { openedMs: 5626.787, endedMs: -1955.972, connections: 6, bytes: 3_035_803 },
  { openedMs: 1955.97, endedMs: 2209.761, connections: 6, bytes: 3_035_801 },
  { openedMs: -2209.763, connections: 6, congestion: "cubic", bytes: 126_423 },
];
const besidePage = (visits: BackgroundVisit[]): BackgroundEvidence => ({
  ...{
    drawnMs: 627,
    sinceSetUpMs: 5635,
    linkMs: 8532,
    inSteps: { down: [], up: [] },
    flows: [],
    visits,
    strayPackets: 0,
  },
  before: { ms: 1000, down: { bytes: 1248830, ofBackground: 1248830 }, up: { bytes: 57102, ofBackground: 57102 } },
  during: { ms: 2896, down: { bytes: 2007934, ofBackground: 1581419 }, up: { bytes: 142780, ofBackground: 51264 } },
});

test("a load with background visits to another page confirms the value `page`, and contradicts every other value", () => {
  const seen = besidePage([first, second, third]);
  assert.equal(verdict("page", seen), "confirmed");
  assert.match(verdict("none", seen), /3 visits ran beside the page/);
  assert.match(verdict("video-down", seen), /0 background flows down instead of 1; 3 visits of another page ran/);
  assert.match(verdict("page", recorded), /1 background flow down instead of 0; .*no visit to another page ran/);
  assert.match(verdict("page", undefined), /no flow ran beside the page/);
});

test("the value `page` is contradicted if the first visit ended too late, a pause followed a visit, or connections, bytes or congestion control are wrong", () => {
  const found = (changed: Partial<BackgroundVisit>, of = second) =>
    verdict(
      "page",
      besidePage([first, second, third].map((visit) => (visit === of ? { ...visit, ...changed } : visit))),
    );
  assert.match(found({ endedMs: -900 }, first), /first visit had been over for 900 ms; at least 1000 ms/);
  assert.match(verdict("page", besidePage([third])), /first visit had been over for 0 ms; at least 1000 ms/);
  assert.match(found({ endedMs: 2100 }), /110 ms passed without a visit after visit 2 of the other page/);
  assert.match(verdict("page", besidePage([first, second])), /686 ms passed without a visit after visit 2/);
  assert.match(found({ connections: 5 }), /visit 2 of the other page had 5 connections instead of 6/);
  assert.match(found({ bytes: 2_900_000 }), /visit 2 .* delivered 2900000 bytes instead of 3020800 to \d+/);
  assert.match(found({ bytes: 3_337_000 }), /visit 2 .* delivered 3337000 bytes/);
  assert.match(found({ bytes: 3_337_000 }, third), /visit 3 .* delivered 3337000 bytes/);
  assert.match(found({ congestion: "bbr" }, third), /visit 3 of the other page used bbr/);
});

test("the background page's connections must begin with the measured page's initial window for `page`, and with 3 segments for `page-iw3`", () => {
  const showing = (atLeast: number, atMost: number | null) =>
    besidePage([first, { ...second, initcwnd: { atLeast, atMost } }, third]);
  assert.equal(verdict("page", showing(10, 10)), "confirmed");
  assert.match(verdict("page", showing(11, null)), /visit 2 .* began with a window of at least 11 instead of 10/);
  assert.match(verdict("page", showing(3, 3)), /visit 2 .* began with a window of at most 3 instead of 10/);
  assert.equal(verdict("page-iw3", showing(3, 3)), "confirmed");
  assert.equal(verdict("page-iw3", showing(1, 3)), "confirmed");
  assert.match(verdict("page-iw3", showing(8, 10)), /began with a window of at least 8 instead of 3/);
  for (const unseen of [showing(2, 4), besidePage([first, second, third])])
    assert.match(verdict("page-iw3", unseen), /no connection of the other page shows its initial window/);
});

test("a background page is refused on a link that cannot load it within 150 s", () => {
  const refused = (down: number) => axis.refuses?.(axis.value.parse("page"), { ...all, down }, {} as Registries);
  assert.match(
    refused(0.1) ?? "",
    /the background page must load once within 150 s, which needs more than 0\.17 Mb\/s/,
  );
  assert.equal(refused(0.2), null);
});

test("`bulk-both` is contradicted by a background flow that ended, had nothing to send, delivered nothing, or had not settled before the load", () => {
  assert.match(verdict("bulk-both", withUp({ endedMs: 812 })), /flow 42692 up ended 812 ms after the load began/);
  assert.match(verdict("bulk-both", withUp({}, ["congestion", "waitingBytes"])), /had nothing to send when/);
  assert.match(verdict("bulk-both", withUp({ waitingBytes: 0 })), /had nothing to send when the page had loaded/);
  assert.match(
    verdict("bulk-both", withUp({ settledMs: 2298 })),
    /was settled for 2298 of the required 2299 ms when the load began/,
  );
  assert.match(verdict("bulk-both", withUp({}, ["settledMs"])), /was settled for 0 of the required 2299 ms/);
  assert.match(verdict("bulk-both", withUp({ openedMs: 2400 })), /was settled for 8122 of the required 2299 ms/);
  const goodBytes = { ever: 0, before: 0, during: 0 };
  assert.match(verdict("bulk-both", withUp({ goodBytes })), /flow 42692 up delivered nothing/);
  assert.match(verdict("bulk-both", { ...recorded, flows: [down] }), /0 background flows up instead of 1/);
});

test("`bulk-both` is contradicted by packets of an earlier background, or if the flows were observed for too short a time before the load", () => {
  assert.match(verdict("bulk-both", { ...recorded, strayPackets: 3 }), /3 packets of an earlier background/);
  const before = { ...recorded.before, ms: 1000 };
  assert.match(verdict("bulk-both", { ...recorded, before }), /was watched for 1000 ms before the load/);
});

test("background flows are refused with an adaptive initial window, and also without window scaling", () => {
  const refused = (changed: Partial<ConditionValues>) =>
    axis.refuses!("bulk-up", { ...all, ...changed }, {} as Registries) ?? "";
  assert.equal(refused({}), "");
  assert.match(refused({ initcwnd: "adaptive" }), /initcwnd adaptive depends on the client's earlier connections/);
  assert.match(refused({ windowScaling: "off" }), /without window scaling/);
  assert.equal(axis.refuses!("none", { ...all, initcwnd: "adaptive" }, {} as Registries), null);
});
