/** The result that `./lab advise` prints at its end, for each verdict. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdvisePlan } from "../plan/advise-plan.ts";
import { adviseJson, adviseMarkdown } from "./advise-markdown.ts";
import type { AdviseReport } from "./advise-report.ts";
import { finalEstimates } from "./final-estimates.ts";

const plan: AdvisePlan = {
  session: {
    ...{ id: "x", stage: 3, stack: {}, minutes: 10, only: [], loads: 10, seed: 7, usedSeconds: 0, secondsPerLoad: 1 },
  },
  page: "dist",
  users: [
    { link: "Cable", percent: 60 },
    { link: "4G", percent: 40 },
  ],
  metric: "pageLoad",
  purpose: "measure",
  unchanged: {},
  changes: [
    { name: "half:a|b.jpg", title: "halve the bytes of a|b.jpg (100.0 kB)", row: {} },
    { name: "protocol-h3", title: "serve it over HTTP/3", row: {} },
    { name: "without-images", title: "leave out all 3 images (300.0 kB)", row: {}, leavesOut: true },
    { name: "both", title: "halve the bytes of a|b.jpg (100.0 kB), and serve it over HTTP/3", row: {} },
  ],
  combined: { name: "both", of: ["half:a|b.jpg", "protocol-h3"] },
  dropped: [
    { name: "lazy-images", title: "load images with loading=lazy", reason: "surely saves less than 2%" },
    {
      name: "without:app.js",
      title: "leave out app.js (3.0 kB)",
      reason: "breaks the page: data.json is not requested any more",
    },
  ],
  search: { loads: 100, isSure: true },
};

/** @param factors the page's time with each change, as a share of the unchanged page's time */
function reportWith(factors: Readonly<Record<string, number>>): AdviseReport {
  const blocks = Array.from({ length: 10 }, (_, i) => i + 1);
  const over = (ms: number, factor: number) => new Map(blocks.map((block) => [block, factor * (ms + block)]));
  const links = (factor: number) =>
    new Map([
      ["Cable", over(1000, factor)],
      ["4G", over(2000, factor)],
    ]);
  const times = new Map([["", links(1)], ...Object.entries(factors).map(([name, one]) => [name, links(one)] as const)]);
  const shares = [
    { name: "Cable", share: 0.6 },
    { name: "4G", share: 0.4 },
  ];
  const estimatesOf = (changes: string[]) => finalEstimates({ times, changes, links: shares, isSure: true });
  return {
    ...{ plan, metricTitle: "page load time", command: "./lab advise dist", unmeasured: new Map(), loads: 10, seed: 7 },
    ...{ folder: "results/advise-1", digest: "0123456789abcdef" },
    estimates: estimatesOf(Object.keys(factors).filter((name) => name !== "without-images")),
    costs: estimatesOf(Object.keys(factors).filter((name) => name === "without-images")),
  };
}

test("the result has the best single change with its saving, the combination, the dropped changes, and the command that measures all changes again", () => {
  const text = adviseMarkdown(reportWith({ "half:a|b.jpg": 0.8, "protocol-h3": 0.9, both: 0.75 }));
  assert.match(text, /The page load time is now 1,406 ms on average over all users/);
  assert.match(
    text,
    /\*\*Change first: `halve the bytes of a\\u007cb\.jpg \(100\.0 kB\)`\.\*\* It saves 281 \(280 to 282\) ms, 20\.0/,
  );
  assert.match(text, /\| all of \| `halve the bytes/);
  assert.match(text, /\| 2 +\| serve it over HTTP\/3/);
  assert.match(text, /Together, .*: this saves 35\d .* the separate savings of these changes add up to 422 ms/);
  assert.match(text, /--change protocol-h3 --change without-images --change both --loads 10 --seed 7/);
  assert.match(text, /- surely saves less than 2%: load images with loading=lazy/);
  assert.match(text, /- breaks the page: data\.json is not requested any more: leave out app\.js/);
});

test("if only the combination surely helps, no single change is recommended", () => {
  const text = adviseMarkdown(reportWith({ "half:a|b.jpg": 0.985, "protocol-h3": 0.985, both: 0.97 }));
  assert.match(text, /\*\*No single change is sure to make this page 2% faster, but a combination is\.\*\*/);
  assert.match(text, /Together, .*: this saves 4\d /);
});

test("what each part of the page costs is in a separate table, and leaving out a part is never the change to make first", () => {
  const text = adviseMarkdown(reportWith({ "protocol-h3": 0.9, "without-images": 0.1 }));
  assert.match(text, /\*\*Change first: serve it over HTTP\/3\.\*\*/);
  assert.match(
    text,
    /What each part of the page costs, including the files that only this part requests:\n\n\| +\| without it/,
  );
  assert.match(text, /\| leave out all 3 images \(300\.0 kB\) \|/);
});

test("if all changes surely save less than 2%, the verdict is that nothing helps", () => {
  const text = adviseMarkdown(reportWith({ "half:a|b.jpg": 0.995, "protocol-h3": 1.1 }));
  assert.match(
    text,
    /\*\*Nothing that was tried is sure to make this page 2% faster\.\*\* Each change surely saves less than 2%\./,
  );
});

test("a negative number that rounds to 0 is printed without a sign", () =>
  assert.doesNotMatch(adviseMarkdown(reportWith({ "protocol-h3": 1.000_01 })), /-0(\.0)?(?![.\d])/));

test("if the search dropped all changes, no table is printed", () => {
  const text = adviseMarkdown(reportWith({}));
  assert.match(text, /\*\*Nothing that was tried is sure to make this page 2% faster\.\*\*/);
  assert.doesNotMatch(text, /\| change/);
});

test("the JSON output has the estimates as numbers", () => {
  const parsed = JSON.parse(adviseJson(reportWith({ "protocol-h3": 0.9 })));
  assert.equal(Math.round(parsed.estimates.changes[0].savedMs.value), 141);
  assert.equal(Math.round(parsed.estimates.unchangedLinksMs.Cable.value), 1006);
});

test("if the page was also loaded on the real clock, the load time on this clock is printed, and the share of this time that is computing", () => {
  const report = reportWith({ "half:a|b.jpg": 0.9 });
  assert.doesNotMatch(adviseMarkdown(report), /real clock/);
  const realMs = { value: 1500, low: 1450.4, high: 1600 };
  const computing = { folder: "results/computing-1", loads: 6, realMs, percent: { value: 6.25, low: 3, high: 12 } };
  assert.match(
    adviseMarkdown(report, computing),
    /the unchanged page takes 1,500 \(1,450 to 1,600\) ms\. 6\.3 \(3\.0 to 12\.0\)% of this time is computing by the page's scripts/,
  );
  assert.deepEqual(JSON.parse(adviseJson(report, computing)).computing.realMs, realMs);
});
