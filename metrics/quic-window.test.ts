import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import { metrics } from "./registry.ts";

const opened = (initialWindowAtLeastBytes: number | null) => ({ server: { opened: { initialWindowAtLeastBytes } } });
const of = (quicFlows?: object[]) =>
  metrics.quicWindowBytes!.of({ packets: { flows: [], quicFlows } } as unknown as Evidence);

test("a load shows the largest window that any of its connections shows", () =>
  assert.equal(of([opened(10_900), opened(11_500), { server: null }]), 11_500));

test("a load without decrypted packets shows no window", () => {
  for (const flows of [undefined, [], [opened(null)], [{ server: {} }], [{ server: null }]])
    assert.equal(of(flows), null);
});
