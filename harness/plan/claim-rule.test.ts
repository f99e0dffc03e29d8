import assert from "node:assert/strict";
import { test } from "node:test";
import { claimRule } from "./claim-rule.ts";

test("the rule of a claim may have numbers such as `.5`; a rule with an invalid number or range, or with more words, is refused", () => {
  const allowed = (text: string, published: number | null = null) => claimRule(text)?.(published);
  assert.deepEqual(allowed("above .5"), { low: 0.5, high: Infinity });
  assert.deepEqual(allowed("below -.5"), { low: -Infinity, high: -0.5 });
  assert.deepEqual(allowed("from .9 to 1.1"), { low: 0.9, high: 1.1 });
  assert.deepEqual(allowed("from -0.5 to 0"), { low: -0.5, high: 0 });
  assert.deepEqual(allowed("within .5 of the published", 2), { low: 1.5, high: 2.5 });
  assert.deepEqual(allowed("within 50% of the published", -2), { low: -3, high: -1 });
  assert.equal(allowed("within 3 of the published"), null);
  const no = [
    "above 1.2.3",
    "above 1.",
    "above .",
    "above",
    "from 1.2.3 to 4",
    "from 2 to 1",
    "within -1 of the published",
  ];
  for (const text of [...no, "above 1 or so", "within 1.2.3% of the published", "above 1e3", "about 1"])
    assert.equal(claimRule(text), null, text);
});
