import type { Command } from "commander";
import { readRegistries } from "../../../axes/registries.ts";
import { usageError } from "../../../schema/errors.ts";
import { counted } from "../../../schema/words.ts";
import { restorePages } from "../../../sites/kept-pages.ts";
import { print, say } from "../../output/output.ts";
import { conditionsOf } from "../../plan/conditions.ts";
import { select } from "../../plan/select.ts";
import { mostCauses, type Question, type WhyPlan } from "../../plan/why-plan.ts";
import { conditionsOfRun } from "../../record/manifest.ts";
import { readRun } from "../../record/records.ts";
import { openRun } from "../../record/run-folder.ts";
import { type RunOptions, requestOf } from "../../run/request.ts";
import { changeSince, openToResume } from "../../run/resume.ts";
import { carryOut } from "../../run/run.ts";
import { enoughBlocks, tooFewBlocks } from "../../statistics/resample.ts";
import { chosenPlan, loadsToChoose } from "../../why/choose.ts";
import { causeNamed, causes } from "../../why/registry.ts";
import {
  causesOf,
  questionOf,
  questionOfConditions,
  seedOf,
  whyExperiment,
  whyName,
} from "../../why/why-experiment.ts";
import { whyJson, whyMarkdown } from "../../why/why-markdown.ts";
import { planOf, whyReport } from "../../why/why-report.ts";
import { addAxisOptions, givenIn } from "../axis-options.ts";
import { startProgress } from "../progress.ts";
import { lanes, only, refuseOthers, root, seed, timeLimit, wholeNumber } from "./options.ts";

interface WhyOptions extends Pick<RunOptions, "timeout" | "lanes" | "root" | "resume" | "seed"> {
  causes?: string;
  only: string[];
  quick?: true;
  loads?: number;
  json?: true;
}
type MakeOptions = Omit<WhyOptions, "only" | "causes" | "loads">;

const usualLoads = 10;

async function why(
  name: string | undefined,
  options: WhyOptions & Record<string, unknown>,
  command: Command,
): Promise<void> {
  if (options.resume !== undefined) {
    refuseOthers("--resume keeps the run's original options", command, ["resume", "lanes", "root", "json"], name);
    return resumeWhy(options);
  }
  const given = givenIn(options);
  const [first] = given;
  if (name !== undefined && first) throw usageError(`give a run or axes, not both: ${name} and --${first.axis.name}`);
  if (name === undefined && options.only.length)
    throw usageError("--only chooses two conditions of a run: name this run, too");
  if (name !== undefined && openRun(name).manifest.why) {
    refuseOthers(`${name} is a run of ./lab why, so the command only prints its answer`, command, ["json"]);
    return answer(name, options);
  }
  const { loads = options.quick ? enoughBlocks : usualLoads } = options;
  const tooFew = tooFewBlocks(loads);
  if (tooFew) throw usageError(`--loads ${loads}: ${tooFew}`);
  const plan = planFor(
    name === undefined ? questionOf(given, readRegistries()) : questionIn(name, options.only),
    options,
  );
  const { seed = seedOf(plan) } = options;
  if (plan.quick || plan.causes.length <= mostCauses) return makeAndAnswer(plan, { ...options, loads, seed });
  return makeAndAnswer({ ...plan, quick: true, choosesFor: loads }, { ...options, loads, seed: otherSeed(seed) });
}

/** Returns a question about two conditions of a saved run, such as both pages of a gate over one link. */
function questionIn(name: string, only: string[]): Question {
  const { folder, manifest } = openRun(name);
  if (manifest.clock === "real")
    throw usageError(
      `${folder} was made on the real clock, where no two loads have the same random losses: instead of the run, give the values of two of its conditions as options, and ./lab why compares these conditions on the virtual clock`,
    );
  restorePages(folder);
  const question = questionOfConditions(select(conditionsOfRun(manifest), only), folder);
  // Links and defaults do not matter here: a condition has their values, not their names.
  const changed = changeSince(manifest, ["protocols", "pages", "servers", "clients"]);
  if (changed !== null)
    say(`since ${folder} was made, ${changed}; the answer is for the present definitions, not for those of this run`);
  return question;
}

function planFor(question: Question, { causes: names, quick }: WhyOptions): WhyPlan {
  const asked = names?.split(",").map((one) => causeNamed(one.trim(), `--causes ${names}`)) ?? [];
  const twice = asked.find((one, i) => asked.indexOf(one) < i);
  if (twice) throw usageError(`--causes ${names}: ${twice.name} is given twice`);
  if (asked.length > mostCauses && !quick)
    throw usageError(
      `--causes: give at most ${mostCauses} causes, or add --quick, because each cause doubles the number of combinations`,
    );
  const plan: WhyPlan = { ...question, ...causesOf(question, asked, causes, readRegistries()) };
  // With two causes or fewer, a quick run would have all combinations anyway.
  return quick && plan.causes.length > 2 ? { ...plan, quick } : plan;
}

/** Loads that choose causes and loads that measure their shares must have different random draws. */
const otherSeed = (seed: number): number => (seed ^ 1) >>> 0;

async function makeAndAnswer(plan: WhyPlan, options: MakeOptions & { loads: number; seed: number }): Promise<void> {
  const { choosesFor, causes } = plan;
  const loads = choosesFor === undefined ? options.loads : loadsToChoose;
  const registries = readRegistries();
  const experiment = whyExperiment(plan, { loads, seed: options.seed, timeout: options.timeout }, registries);
  const asked: RunOptions = { ...options, loads, only: [], with: [], clock: "virtual" };
  const request = { ...(await requestOf(whyName, experiment, asked)), why: plan };
  const all = conditionsOf(experiment, registries).length * loads;
  const names = causes.map(({ name }) => name).join(", ");
  say(
    choosesFor === undefined
      ? `${counted(all, "load")}: both sides with and without ${names}, ${counted(loads, "load")} of each combination`
      : `${counted(all, "load")} to choose ${mostCauses} of ${causes.length} causes (${names}); then at most ${2 * 2 ** mostCauses * choosesFor} loads to measure the share of each chosen cause`,
  );
  const folder = await carryOut(request, { ...asked, print: say, startProgress });
  return goOn(folder, options);
}

/** Prints the answer. If the run's loads only chose causes, first makes the loads that measure the shares of these causes. */
async function goOn(folder: string, options: MakeOptions): Promise<void> {
  const { manifest } = openRun(folder);
  const plan = planOf(manifest, folder);
  if (plan.choosesFor === undefined) return answer(folder, options);
  const chosen = chosenPlan(plan, whyReport(readRun(folder)).estimates.causes);
  const { seed, timeoutSeconds: timeout } = manifest;
  return makeAndAnswer(chosen, { ...options, loads: plan.choosesFor, seed: otherSeed(seed), timeout });
}

async function resumeWhy(options: WhyOptions): Promise<void> {
  const { folder, manifest } = openRun(options.resume === true ? undefined : options.resume);
  planOf(manifest, folder);
  const opened = openToResume({ resume: folder, only: [], with: [], clock: "virtual" });
  await carryOut(opened, { ...options, print: say, startProgress });
  return goOn(folder, options);
}

function answer(folder: string, { json }: Pick<WhyOptions, "json">): void {
  const report = whyReport(readRun(folder));
  print(json ? whyJson(report) : whyMarkdown(report));
}

export function addTo(lab: Command): void {
  const command = lab
    .command(whyName)
    .description(
      "measure each cause's share of the difference between two conditions: load both with and without each cause, in all combinations",
    )
    .usage("--protocol h1,h2 --page C --link 10x1-100ms-1%")
    .argument(
      "[run]",
      "a run of ./lab why, to print its answer again; or any run, with --only to choose two of its conditions",
    )
    .addHelpText(
      "after",
      `\nGive one axis two values, and the other axes one value each, as for ./lab try. Loads are on the virtual clock, where both sides can have the same random losses.\nCauses, and what replaces each cause in loads without it:\n${causes.map(({ name, instead }) => `  ${name.padEnd(22)} ${instead}`).join("\n")}`,
    )
    .option(
      "--causes <cause,…>",
      `at most ${mostCauses} causes (default: the ${mostCauses} whose removal changes the difference most, chosen by ${loadsToChoose} extra loads of each condition)`,
    )
    .option("--quick", "fewer combinations: remove no cause, one, all but one, or all; the answer has no shares")
    .option(
      "--loads <n>",
      `loads of each condition, ${enoughBlocks} or more (default: ${usualLoads}, with --quick ${enoughBlocks})`,
      wholeNumber(1, 1000),
    )
    .addOption(only())
    .addOption(seed("seed of all random draws (default: derived from the axes' values)"))
    .option("--timeout <time>", 'how long a load may take before it counts as never ended, as in "120 s"', timeLimit)
    .option("--resume [run]", "make the missing loads of a ./lab why run (default: the latest)")
    .addOption(lanes())
    .addOption(root())
    .option("--json", "print JSON");
  addAxisOptions(command);
  command.action(why);
}
