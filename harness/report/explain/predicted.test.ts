/** What is foretold of a load made up of packets: its times follow by hand from the rules. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "../../../schema/plan.ts";
import type { Settings } from "../../../schema/settings.ts";
import { accountOf } from "../../explain/account.ts";
import type { ExplainedLoad } from "../../explain/explained.ts";
import { ack, ask, loadOver, request, segment } from "../../explain/made-up-load.ts";
import { type Predicted, predictedMarkdown, predictedOf } from "./predicted.ts";

const settings = (news: { rttMs?: number; lossPercent?: number; initcwnd?: number }): Settings =>
  ({
    link: { downMbps: 12.112, upMbps: 1e6, rttMs: 100, lossPercent: 0, queuePackets: 50, ...news },
    route: { client: { congestion: "cubic" }, server: { congestion: "cubic", initcwnd: news.initcwnd ?? 2 } },
    client: { software: "chromium", sysctls: {} },
    page: { name: "made up", hosts: 1, protocol: "h1" },
  }) as unknown as Settings;
const condition = (id: string, news: Parameters<typeof settings>[0] = {}) =>
  ({ id, settings: settings(news) }) as unknown as Condition;

/** Two segments at first, and when both are acknowledged the other four. */
const made = loadOver(
  306,
  [request("/", 0, 100, 306)],
  [ask(100), ack(202, 2), ack(304, 4)],
  [0, 1, 2, 3, 4, 5].map((n) => (n < 2 ? segment(150, 201 + n, n) : segment(252, 301 + n, n))),
);
const measured: ExplainedLoad = {
  ...made,
  line: 1,
  condition: condition("measured"),
  account: accountOf(made.load, made.trace),
  floor: null,
};
const predicted = (id: string, news: Parameters<typeof settings>[0]) =>
  predictedOf(measured, condition(id, news)) as Predicted;
const tested = {
  run: "results/a-run",
  errors: [{ kind: "window", lossy: false, pairs: 12, medianError: 0.044, largestError: 0.184 }],
};

test("a larger window is foretold by parts, with the error of such foretelling", () => {
  const one = predicted("a window of ten", { initcwnd: 10 });
  assert.deepEqual([Math.round(one.ms), Math.round(one.parts.window), one.middleMs], [206, 0, null]);
  const text = predictedMarkdown(measured, [one], tested);
  assert.match(text, /\| measured +\| measured \| +306 \|/);
  assert.match(text, /\| a window of ten +\| foretold \| +206 \|/);
  assert.match(text, /- window, without random loss: 4\.4% \(median of 12\), 18\.4% at most/);
  assert.doesNotMatch(text, /Not tested/);
});

test("what was not tested is said to be", () => {
  const text = predictedMarkdown(measured, [predicted("half the RTT", { rttMs: 50 })], tested);
  assert.match(text, /Not tested: RTT without random loss\./);
  assert.match(predictedMarkdown(measured, [], null), /has not been tested/);
});

test("where chance takes packets, eight of ten draws stand beside the median", () => {
  const { ms, middleMs } = predicted("lossy", { lossPercent: 20 });
  assert.ok(middleMs && middleMs.low <= ms && ms <= middleMs.high && middleMs.low < middleMs.high, `${ms}`);
});

test("of a load over QUIC it is said why nothing can be foretold", () => {
  const quic = {
    ...measured,
    trace: { ...made.trace, flows: [], quicFlows: [{}] },
  } as unknown as ExplainedLoad;
  assert.match(predictedOf(quic, condition("any")) as string, /QUIC encrypts/);
});
