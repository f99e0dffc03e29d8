import { randomUUID } from "node:crypto";
import { type Command, Option } from "commander";
import { readRegistries } from "../../../axes/registries.ts";
import { axisNamed } from "../../../axes/registry.ts";
import { readTopology, webHosts } from "../../../hosts/topology.ts";
import { usageError } from "../../../schema/errors.ts";
import type { AxisValue } from "../../../schema/plan.ts";
import { editablePage } from "../../../sites/edits/editable-recording.ts";
import { type GivenPage, givePage } from "../../../sites/given-page.ts";
import { restorePages } from "../../../sites/kept-pages.ts";
import { isImported, loadPage } from "../../../sites/pages.ts";
import { startFile } from "../../../sites/paths.ts";
import { type Asking, advise } from "../../advise/advise.ts";
import { adviseName, stackOf } from "../../advise/advise-experiment.ts";
import { adviseJson, adviseMarkdown } from "../../advise/advise-markdown.ts";
import { adviseMetric, adviseMetricNames } from "../../advise/advise-metric.ts";
import { adviseReport } from "../../advise/advise-report.ts";
import { commandOf } from "../../advise/command.ts";
import { computingOf, loadOnRealClock } from "../../advise/computing.ts";
import { earlierRuns } from "../../advise/earlier-runs.ts";
import { changeKinds, kindsNamed } from "../../advise/registry.ts";
import { askedIn } from "../../advise/rounds.ts";
import { planOf } from "../../advise/stage-times.ts";
import { usersOf, usualUsers } from "../../advise/users.ts";
import { print, say } from "../../output/output.ts";
import type { AdviseSession } from "../../plan/advise-plan.ts";
import { conditionOf } from "../../plan/conditions.ts";
import { seedOfName } from "../../plan/seeded.ts";
import { type Given, serverOf } from "../../plan/trial.ts";
import { readRun } from "../../record/records.ts";
import { pathOfPage, userPath } from "../../record/user-path.ts";
import type { RunOptions } from "../../run/request.ts";
import { enoughBlocks, tooFewBlocks } from "../../statistics/resample.ts";
import { addAxisOptions, givenIn } from "../axis-options.ts";
import { startProgress } from "../progress.ts";
import { lanes, refuseOthers, repeatable, root, seed, timeLimit, wholeNumber } from "./options.ts";

interface AdviseOptions extends Pick<RunOptions, "timeout" | "lanes" | "root" | "seed" | "resume"> {
  users: string;
  metric: string;
  minutes: number;
  loads: number;
  change: string[];
  kinds?: string[];
  computing?: true;
  json?: true;
}
type AllOptions = AdviseOptions & Record<string, unknown>;

const usualLoads = 10;
const usualMinutes = 10;

async function adviseOn(path: string | undefined, options: AllOptions, command: Command): Promise<void> {
  const asking = options.resume === undefined ? newAdvice(path, options) : resumed(path, options, command);
  // Comes first: if this machine cannot load on the real clock, the command should fail before the search, which takes minutes.
  const real = options.computing ? await loadOnRealClock(asking) : null;
  const report = adviseReport(readRun(await advise(asking)));
  const computing = real && computingOf(report, real);
  print(options.json ? adviseJson(report, computing) : adviseMarkdown(report, computing));
}

function newAdvice(path: string | undefined, options: AllOptions): Asking {
  const { metric, minutes, loads, change, kinds } = options;
  if (path === undefined)
    throw usageError(
      "give a page: a folder with an index.html, a recorded site's folder, a HAR, or the name of a page of the lab",
    );
  const tooFew = tooFewBlocks(loads);
  if (tooFew) throw usageError(`--loads ${loads}: ${tooFew}`);
  const twice = change.find((name, i) => change.indexOf(name) < i);
  if (twice !== undefined) throw usageError(`--change ${twice} is given twice`);
  kindsNamed(kinds);
  if (kinds && change.length)
    throw usageError("--kinds limits the search, but with --change there is no search: leave out one of these options");
  adviseMetric(metric);
  const plan = { page: path, users: usersOf(options.users), metric };
  const given = givenIn(options);
  const stack = { ...stackOf(given), ...pageOf(path, given) };
  const { seed = seedOfName(String(stack.page)) } = options;
  const { timeout: timeoutSeconds } = options;
  const session = { id: randomUUID(), stack, minutes, only: change, loads, seed };
  const asked = { ...session, ...(kinds && { kinds }), ...(timeoutSeconds !== undefined && { timeoutSeconds }) };
  return askingOf(plan, asked, options, given);
}

function resumed(path: string | undefined, options: AllOptions, command: Command): Asking {
  const allowed = ["resume", "lanes", "root", "computing", "json"];
  refuseOthers("--resume keeps the original page and options", command, allowed, path);
  const earlier = earlierRuns(options.resume === true ? undefined : options.resume);
  for (const { folder } of earlier) restorePages(folder);
  const [{ manifest, folder }] = earlier;
  const { page, users, metric, session } = planOf(manifest, folder);
  const asked = askedIn(session);
  const asking = askingOf({ page, users, metric }, asked, options, []);
  return { ...asking, command: manifest.experiment.source, earlier };
}

function askingOf(
  plan: Asking["plan"],
  session: Asking["session"],
  { lanes, root }: Pick<RunOptions, "lanes" | "root">,
  given: readonly Given[],
): Asking {
  const registries = readRegistries();
  const { stack } = session;
  const [now] = plan.users.map(({ link }) => conditionOf({ ...stack, link }, registries).values);
  const loaded = loadPage(String(stack.page));
  return {
    ...{ stack, plan, session, earlier: [] },
    mostHosts: webHosts(readTopology()).length,
    editable: isImported(loaded) ? editablePage(loaded) : null,
    command: commandOf(
      plan,
      Object.fromEntries(given.map(({ axis, values: [value] }) => [axis.name, value!])),
      session.timeoutSeconds,
    ),
    tried: { now: now!, metric: plan.metric, registries },
    machine: { ...(lanes !== undefined && { lanes }), ...(root !== undefined && { root }) },
    settings: { print: say, startProgress },
  };
}

/** Returns the axis values for a page that is given as a folder, as a HAR or by its name in pages/. */
function pageOf(path: string, given: readonly Given[]): AdviseSession["stack"] {
  const { pages } = readRegistries();
  const isName = pathOfPage(path, pages) === null && Object.hasOwn(pages, path);
  const { name, hosts, sentences }: Pick<GivenPage, "name" | "hosts" | "sentences"> = isName
    ? { name: path, hosts: 1, sentences: [] }
    : givePage(userPath(path), webHosts(readTopology()).length);
  for (const sentence of sentences) say(sentence);
  const own = serverOf([...given, { axis: axisNamed("page", adviseName), values: [name] }], readRegistries());
  const server = Object.entries(own).map(([axis, [value]]): [string, AxisValue] => [axis, value!]);
  return { ...Object.fromEntries(server), page: name, servers: hosts, document: startFile };
}

export function addTo(lab: Command): void {
  const own = lab
    .command(adviseName)
    .description("try changes to a page and its servers, and print which changes make the page faster, and by how much")
    .usage("dist --users Cable:40,4G:40,3GFast:20")
    .argument(
      "[page]",
      "a folder with an index.html, a recorded site's folder, a HAR, or the name of a page of the lab",
    )
    .addHelpText(
      "after",
      `\nThe options for axes describe the servers as they are now. Kinds of changes:\n${changeKinds.map(({ name, title }) => `  ${name.padEnd(16)} ${title}`).join("\n")}`,
    )
    .option(
      "--users <link:percent,…>",
      "your users' links, each with the percentage of users who have it; or a YAML file with these percentages",
      usualUsers,
    )
    .option("--metric <measure>", `which time to make shorter: ${adviseMetricNames.join(", ")}`, "pageLoad")
    .addOption(
      new Option("--minutes <n>", "limit of the total time: if it is short, fewer changes are measured at the end")
        .argParser(wholeNumber(1, 1440))
        .default(usualMinutes),
    )
    .option("--kinds <kind,…>", "try only these kinds of changes (default: all, as listed below)", (text: string) =>
      text.split(","),
    )
    .addOption(
      repeatable(
        "--change <name>",
        'without a search, measure only this change, or this combination of changes, as in "a + b"; repeatable',
      ),
    )
    .addOption(
      new Option(
        "--loads <n>",
        `how often to load the page, unchanged and with each change, over each link after the search: ${enoughBlocks} times or more`,
      )
        .argParser(wholeNumber(1, 1000))
        .default(usualLoads),
    )
    .addOption(seed("seed of all random draws (default: derived from the page's files)"))
    .option("--timeout <time>", 'how long a load may take before it counts as never ended, as in "120 s"', timeLimit)
    .option(
      "--resume [run]",
      "continue an interrupted ./lab advise (default: the latest run), with its original options",
    )
    .addOption(lanes())
    .addOption(root())
    .option(
      "--computing",
      "also load the unchanged page on the real clock, and print what share of its load time is computing (needs root or user namespaces)",
    )
    .option("--json", "print JSON");
  addAxisOptions(own);
  own.action(adviseOn);
}
