import assert from "node:assert/strict";
import { test } from "node:test";
import { flow, good, registries, withFlows } from "../harness/judge/load/sample-load.fixture.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./initcwnd.axis.ts";

const all = {
  ...{ page: "A", servers: 1, protocol: "h2", client: "chromium", view: "first", initrwnd: 44, congestion: "cubic" },
  ...{ down: 10, up: 1, rtt: 100, loss: 0, queue: 50, queueUp: "same", jitter: 0, reorder: "off", burst: 1 },
  ...{ lossIn: "both", aqm: "none", ecn: "off", trace: "train", connections: "auto" },
} as unknown as ConditionValues;
const traces: Registries["traces"] = { train: { down: [[1000, 10]], up: [[1000, 1]] } };

test("a window of one segment contradicts initcwnd=10, unless a server retransmitted on a link whose rate varies: then initcwnd is not observable", () => {
  const verdict = (trace: string, retransmittedSegments: number) => {
    // After a time-out the window is one segment.
    const flows = withFlows(flow("s1.lab", { initcwnd: { atLeast: 1, atMost: null }, retransmittedSegments }));
    const found = axis.proves(10, { ...all, trace }, { ...good, ...flows }, { ...registries, traces });
    return Object.entries(found).join();
  };
  assert.match(verdict("train", 2), /^notObservable,the link carried so little that packets waited/);
  assert.match(verdict("train", 0), /^contradicts,no connection's first flights reached the window/);
  assert.match(verdict("none", 2), /^contradicts,no connection's first flights reached the window/);
});
