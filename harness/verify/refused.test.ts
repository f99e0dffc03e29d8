import assert from "node:assert/strict";
import { test } from "node:test";
import type { JudgedLoad } from "../judge/run/judged-loads.ts";
import type { Manifest } from "../record/manifest.ts";
import { paperExperiment, registries } from "../tables/synthetic-loads.fixture.ts";
import { Refusals, renderRefused } from "./refused.ts";

const only = ["page=A", "servers=1", "link=10x1-20ms-0%", "initcwnd=3"];
const manifest = { experiment: paperExperiment, registries, only, with: [], loads: 6, timeoutSeconds: 60 };
const [h1, h2] = ["h1", "h2"].map((protocol) => `A/1s/10x1-20ms-0%/${protocol}/iw3`);
const load = (condition: string, block: number, pageLoadMs: number, news: Partial<JudgedLoad> = {}) =>
  ({
    ...{ condition, block, attempt: 1, observed: "time", refused: false, marked: false, metrics: { pageLoadMs } },
    ...news,
  }) as JudgedLoad;
/** Loads in which HTTP/2 takes 800 ms and HTTP/1.1 takes 1000 ms. */
const counted = [1, 2, 3, 4, 5, 6].flatMap((block) => [
  load(h1!, block, 1000 + block),
  load(h2!, block, 800 + block, { attempt: 2 }),
]);
const effectsOf = (loads: JudgedLoad[]) => {
  const refusals = new Refusals(manifest as unknown as Manifest);
  for (const one of loads) refusals.add(one);
  return refusals.effects();
};

test("effects() is null if no attempt was refused", () => assert.equal(effectsOf(counted), null));

test("effects() returns a condition's medians without and with its refused attempts, and a changed conclusion is printed", () => {
  const refused = [1, 2, 3, 4].map((block) => load(h2!, block, 1500, { observed: null, refused: true }));
  const effects = effectsOf([...counted, ...refused])!;
  assert.deepEqual([effects.attempts, effects.medians], [4, [{ condition: h2, median: 803.5, withRefused: 1500 }]]);
  const text = renderRefused(effects).join("\n");
  assert.match(text, /over all scenarios: faster; with refused attempts: (slower|cannot tell)/);
});

test("if refused attempts would change no conclusion, the text states this", () => {
  const text = renderRefused(effectsOf([...counted, load(h2!, 1, 802, { observed: null, refused: true })])!).join("\n");
  assert.match(text, /1 refused attempt has a time.*None of the \d+ speedups? .* lead to another conclusion/s);
});
