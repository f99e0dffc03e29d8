import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExplainedLoad } from "../explained.ts";
import { explanationMarkdown } from "./explanation-markdown.ts";
import { explanationOf, partsOf } from "./summary.ts";

test("a condition whose time is more than a twentieth drawn reactions is flagged", () => {
  const explained = (id: string, reaction: number) =>
    ({
      condition: { id, values: {} },
      account: { parts: partsOf((part) => (part === "reaction" ? reaction : part === "rate" ? 1000 - reaction : 0)) },
      floor: null,
      load: { pageLoadMs: 1000 },
    }) as unknown as ExplainedLoad;
  const textOf = (...loads: ExplainedLoad[]) =>
    explanationMarkdown(explanationOf(loads, { baseline: {}, comparisons: {} }));
  assert.match(
    textOf(explained("A", 60), explained("C", 20)),
    /more than 5% of the time, .*--processing: A \(6\.0%\)\./,
  );
  assert.match(textOf(explained("C", 20)), /Drawn reactions are at most 2\.0% of any condition's time\./);
  assert.doesNotMatch(textOf(explained("C", 0)), /reactions/);
});

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
  assert.match(explanationMarkdown(explanation), /Without an account, for QUIC's acknowledgments .*: A\/h3\./);
});
