import { flatten } from "../../schema/model.ts";
import { select } from "../plan/blocks.ts";
import { conditionsOf, readExperiment } from "../plan/experiment.ts";
import { estimateSeconds } from "../run/estimate.ts";

export function plan(name: string, { loads, only, json }: { loads?: number; only: string[]; json?: true }): void {
  const experiment = readExperiment(name);
  const conditions = select(conditionsOf(experiment), only);
  if (json) return console.log(JSON.stringify(conditions.map(flatten), null, 2));
  for (const { id } of conditions) console.log(id);
  const blocks = loads ?? experiment.loads;
  const seconds = conditions.reduce((sum, condition) => sum + estimateSeconds(condition), 0);
  const minutes = (count: number) => `${Math.ceil((seconds * count) / 60)} min`;
  console.error(
    `${conditions.length} conditions; about ${minutes(1)} a block, ${minutes(blocks)} for ${blocks} loads of each`,
  );
}
