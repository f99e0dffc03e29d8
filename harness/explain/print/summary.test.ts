import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExplainedLoad } from "../explained.ts";
import { partsOf } from "../parts.ts";
import { explanationMarkdown } from "./explanation-markdown.ts";
import { explanationOf } from "./summary.ts";

test("a condition is flagged if random reaction times are more than 5% of its page load time", () => {
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
    /more than 5% of the page load time, .*--processing: A \(6\.0%\)\./,
  );
  assert.match(
    textOf(explained("C", 20)),
    /Random reaction times are at most 2\.0% of any condition's page load time\./,
  );
  assert.doesNotMatch(textOf(explained("C", 0)), /reactions/);
});

test("for a load over QUIC that was not decrypted, the text says why the load is not explained", () => {
  const load = {
    condition: { id: "A/h3", values: {} },
    account: null,
    floor: null,
    load: { pageLoadMs: 1000, evidence: { link: {} } },
    trace: { firstRequestUs: 0, flows: [], quicFlows: [{}] },
  } as unknown as ExplainedLoad;
  const explanation = explanationOf([load], { baseline: {}, comparisons: {} });
  assert.deepEqual(
    explanation.unexplained.map(({ condition }) => condition),
    ["A/h3"],
  );
  assert.match(explanationMarkdown(explanation), /Not explained, because QUIC packets were not decrypted, .*: A\/h3\./);
});

test("a load on a link whose rate varies is not explained, and the reason is named", () => {
  const load = {
    condition: { id: "A/h2", values: {} },
    account: null,
    floor: null,
    load: { pageLoadMs: 1000, evidence: { link: { trace: { offsetMs: 0, navigationMs: 1, readMs: [1, 2] } } } },
    trace: { firstRequestUs: 0, flows: [], quicFlows: [] },
  } as unknown as ExplainedLoad;
  const [unexplained] = explanationOf([load], { baseline: {}, comparisons: {} }).unexplained;
  assert.match(unexplained!.why, /^the link's rate varies/);
});
