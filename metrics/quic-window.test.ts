import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import { metrics } from "./registry.ts";

const opened = (initialWindowAtLeastBytes: number | null) => ({ server: { opened: { initialWindowAtLeastBytes } } });
const of = (quicFlows?: object[]) =>
  metrics.quicWindowBytes!.of({ packets: { flows: [], quicFlows } } as unknown as Evidence);

test("quicWindowBytes is the largest initial window of a load's connections", () =>
  assert.equal(of([opened(10_900), opened(11_500), { server: null }]), 11_500));

test("quicWindowBytes is null if no connection has a known initial window", () => {
  for (const flows of [undefined, [], [opened(null)], [{ server: {} }], [{ server: null }]])
    assert.equal(of(flows), null);
});
