import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExplainedLoad } from "../../explain/explained.ts";
import { explanationMarkdown } from "./render.ts";
import { explanationOf } from "./summary.ts";

test("of a load over QUIC it is said why it has no account", () => {
  const load = {
    condition: { id: "A/h3", values: {} },
    account: null,
    floor: null,
    load: { pageLoadMs: 1000 },
    trace: { firstRequestUs: 0, flows: [], quicFlows: [{}] },
  } as unknown as ExplainedLoad;
  const explanation = explanationOf([load], { baseline: {}, comparisons: {} });
  assert.deepEqual(
    explanation.unexplained.map(({ condition }) => condition),
    ["A/h3"],
  );
  assert.match(explanationMarkdown(explanation), /Without an account, for QUIC encrypts .*: A\/h3\./);
});
