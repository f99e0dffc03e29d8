import type { Command } from "commander";
import { readRegistries } from "../../../axes/registries.ts";
import { spoken } from "../../../schema/spoken-time.ts";
import { counted } from "../../../schema/words.ts";
import { print, say } from "../../output/output.ts";
import { comparable } from "../../plan/comparable.ts";
import { conditionsOf } from "../../plan/conditions.ts";
import { readExperiment } from "../../plan/experiment.ts";
import { replace, select } from "../../plan/select.ts";
import { estimateSeconds } from "../../run/estimate.ts";
import { anExperiment, loads, only, replaced } from "./options.ts";

interface PlanOptions {
  loads?: number;
  only: string[];
  with: string[];
  json?: true;
}

function plan(name: string, { loads, only, with: replaced, json }: PlanOptions): void {
  const experiment = readExperiment(name);
  const registries = readRegistries();
  const conditions = conditionsOf(replace(experiment, replaced), registries, (all) => select(all, only));
  if (json) {
    const rows = conditions.map(({ id, fields }) => ({ condition: id, ...fields }));
    print(JSON.stringify(rows, null, 2));
    return;
  }
  for (const { id } of conditions) print(id);
  for (const sentence of comparable(experiment, conditions).leftOut) say(sentence);
  const blocks = loads ?? experiment.loads;
  const seconds = conditions.reduce((sum, condition) => sum + estimateSeconds(condition, registries.protocols), 0);
  say(
    `${counted(conditions.length, "condition")}. On the real clock: about ${spoken(seconds)} for one load of each, about ${spoken(seconds * blocks)} for ${counted(blocks, "load")} of each.`,
  );
}

export const addTo = (lab: Command) =>
  lab
    .command("plan")
    .description("print an experiment's conditions, and how long their loads take")
    .argument(...anExperiment)
    .addOption(loads())
    .addOption(only())
    .addOption(replaced())
    .option("--json", "print one JSON array")
    .action(plan);
