import assert from "node:assert/strict";
import { test } from "node:test";
import { comparedMetrics, defaultMetric, gateMetrics, keptMetrics, metrics, speedupMetrics } from "./registry.ts";

test("all metrics are sorted by name; those that reports and gates show are in a fixed order", () => {
  assert.deepEqual(Object.keys(metrics), Object.keys(metrics).toSorted());
  assert.ok(speedupMetrics.includes(defaultMetric) && !speedupMetrics.includes("goodputKBps"));
  assert.deepEqual(
    comparedMetrics.slice(0, 4).map(({ name }) => name),
    ["connections", "handshakeMs", "firstByteMs", "firstContentfulPaintMs"],
  );
  assert.deepEqual(gateMetrics.map(({ gate }) => gate.name).slice(0, 9), [
    ...[
      "pageLoad",
      "firstContentfulPaint",
      "largestContentfulPaint",
      "cumulativeLayoutShift",
      "requests",
      "bytes",
      "connections",
    ],
    ...["documentRequests", "documentBytes"],
  ]);
});

test("the metrics of tables and reports are kept for each load; metrics that only a gate uses are not", () => {
  const kept = keptMetrics.map(({ name }) => name);
  assert.equal(new Set(kept).size, kept.length);
  for (const { name } of [...Object.values(metrics), ...comparedMetrics]) assert.ok(kept.includes(name), name);
  assert.ok(!kept.includes("scriptBytes"));
});
