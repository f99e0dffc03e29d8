import assert from "node:assert/strict";
import { test } from "node:test";
import { explainedLoads } from "../../explain/explained.ts";
import { partNames } from "../../explain/parts.ts";
import { readSavedRun } from "../../record/records.ts";
import { openRun } from "../../record/run-folder.ts";
import { explanationSvg, leastShare, stretchesOf } from "./chart.ts";
import { explanationOf } from "./summary.ts";

test("each condition is a bar as long as its load took, beside those that its cases compare", () => {
  const { folder, manifest } = openRun("test/recorded-run");
  const explanation = explanationOf(explainedLoads(readSavedRun(folder, manifest)), manifest.experiment);
  const bars = stretchesOf(explanation, ["protocol"]);
  const lengthOf = (panel: string, side: string) =>
    bars.filter((bar) => bar.panel === panel && bar.side === side).reduce((sum, { ms }) => sum + ms, 0);
  const longest = Math.max(...explanation.conditions.map(({ pageLoadMs }) => pageLoadMs));
  const leftOut = partNames.length - new Set(bars.map(({ part }) => part)).size;
  for (const { condition, pageLoadMs } of explanation.conditions) {
    const { loss, protocol } = condition.values;
    const length = lengthOf(`${loss}% PLR`, String(protocol));
    const missing = pageLoadMs - length; // parts that are too short to be drawn, and the rounding of records
    assert.ok(
      missing > -1 && missing < leftOut * leastShare * longest,
      `${condition.id}: ${length} of ${pageLoadMs} ms`,
    );
  }
  const svg = explanationSvg(explanation, "All of it", ["protocol"]);
  for (const word of ["All of it", "waiting", "0% PLR", "h2"]) assert.match(svg, new RegExp(word));
});
