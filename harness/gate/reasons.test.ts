import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestEvidence } from "../../schema/evidence.ts";
import type { LearntRequest } from "../../schema/registries.ts";
import { beforePaint } from "./before-paint.ts";
import { reasonsOf } from "./reasons.ts";
import { reasonLines } from "./reasons-markdown.ts";
import type { GateSide } from "./sides.ts";

type Request = Partial<RequestEvidence> & Pick<RequestEvidence, "path">;

/** A load whose first request begins 2 ms after navigation start. */
const load = (requests: Request[], paint?: object) => ({
  load: {
    evidence: {
      ...(paint && { paint }),
      timing: { requestStart: 2 },
      connections: [{ requests: requests.map((one) => ({ status: 200, startMs: 0, sentMs: 0, endMs: 0, ...one })) }],
    },
  },
});

const side = (learnt: Record<string, Partial<LearntRequest>>, loads: ReturnType<typeof load>[] = []) =>
  ({
    condition: { settings: { link: { rttMs: 28 } } },
    loads,
    parts: null,
    learnt: Object.entries(learnt).map(([file, one]) => ({ path: `/${file}`, ...one })),
  }) as unknown as GateSide;

test("a file is listed if it is new or its size changed", () => {
  const before = side({ "a.css": { bytes: 700 }, "a.png": { bytes: 500 }, "b.png": { bytes: 500 } });
  const after = side({
    "a.css": { bytes: 750 },
    "a.png": { bytes: 501 },
    "b.png": { bytes: 500 },
    "new.js": { bytes: 5 },
  });
  assert.deepEqual(reasonsOf(before, after).files, [
    { path: "a.css", beforeBytes: 700, afterBytes: 750 },
    { path: "a.png", beforeBytes: 500, afterBytes: 501 },
    { path: "new.js", beforeBytes: null, afterBytes: 5 },
  ]);
});

test("requests are listed if they come later or earlier than on the earlier page, are repeated, or fail", () => {
  const before = side({}, [
    load([
      { path: "/late.js", startMs: 10 },
      { path: "/early.js", startMs: 90 },
      { path: "/same.js" },
      { path: "/lost.js" },
    ]),
  ]);
  const after = side({}, [
    load([
      ...[
        { path: "/late.js", startMs: 50 },
        { path: "/early.js", startMs: 20 },
        { path: "/same.js", startMs: 20 },
      ],
      ...[
        { path: "/lost.js", status: 404 },
        { path: "/same.js", startMs: 5 },
      ],
    ]),
  ]);
  const { later, earlier, repeated, failing } = reasonsOf(before, after);
  assert.deepEqual(later, [{ path: "late.js", laterMs: 40 }]);
  assert.deepEqual(earlier, [{ path: "early.js", laterMs: -70 }]);
  assert.deepEqual(repeated, [{ path: "same.js", beforeTimes: 1, afterTimes: 2 }]);
  assert.deepEqual(failing, { before: [], after: ["lost.js"] });
});

/** A load in which a script requests data, and then a picture. */
const chained = load(
  [
    ...[
      { path: "/index.html", endMs: 60 },
      { path: "/main.js", startMs: 65, endMs: 130 },
    ],
    ...[
      { path: "/data.json", startMs: 140, endMs: 200 },
      { path: "/hero.png", startMs: 205, endMs: 300 },
    ],
    { path: "/beacon.gif", startMs: 70, endMs: 320 },
  ],
  { firstContentfulMs: 150, largestContentfulMs: 310 },
);

test("files that loaded one after another before a paint are listed, and files that were complete later are not", () => {
  const all = { loads: [chained, chained] } as unknown as GateSide;
  assert.deepEqual(beforePaint(all, "largestContentfulMs"), {
    files: ["index.html", "main.js", "data.json", "hero.png"],
    completeMs: 302,
  });
  assert.deepEqual(beforePaint(all, "firstContentfulMs"), { files: ["index.html", "main.js"], completeMs: 132 });
});

test("no files are listed for a paint if the loads have different chains of files, or if the page has no such paint", () => {
  const other = load([{ path: "/index.html", endMs: 60 }], { firstContentfulMs: 100, largestContentfulMs: 100 });
  assert.equal(beforePaint({ loads: [chained, other] } as unknown as GateSide, "largestContentfulMs"), null);
  assert.equal(
    beforePaint({ loads: [load([{ path: "/index.html", endMs: 60 }])] } as unknown as GateSide, "firstContentfulMs"),
    null,
  );
});

test("the files before a paint are printed only if the time of the paint differs", () => {
  const [before, after] = [side({}, [load([{ path: "/index.html", endMs: 60 }])]), side({}, [chained])];
  const reasons = reasonsOf(before, after);
  const comparison = (low: number) => ({
    ...{ pairs: 5, from: 300, lost: false, without: { before: { having: 0, of: 5 }, after: { having: 0, of: 5 } } },
    difference: { share: low + 0.1, low, high: low + 0.2 },
  });
  const lines = reasonLines({ comparisons: { largestContentfulPaint: comparison(0.5) }, reasons }, 0.02);
  assert.deepEqual(lines, [
    "loaded one after another before largest contentful paint: index.html → main.js → data.json → hero.png (complete at 302 ms); earlier page: no chain of files that most loads share",
  ]);
  assert.deepEqual(reasonLines({ comparisons: { largestContentfulPaint: comparison(-0.1) }, reasons }, 0.02), []);
});
