/** Before a run starts, learns which requests imported pages make, so that the manifest can list them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { errorsOf, learntAs } from "../../axes/expected.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";
import { inOneLine } from "../../schema/foreign-words.ts";
import type { Learnt } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import { recordedOf } from "../../schema/recorded-names.ts";
import { entryOf, isImported, type Registries } from "../../schema/registries.ts";
import { counted } from "../../schema/words.ts";
import { loadPage } from "../../sites/pages.ts";
import { importedPath, startFile } from "../../sites/paths.ts";
import { faithfulness } from "../../sites/recorded/faithfulness.ts";
import { evenPages } from "../plan/chunk-sizes.ts";
import { whyLeftOut } from "../record/manifest.ts";
import type { RunRequest } from "../record/run-folder.ts";
import { laneProcesses } from "./lane-process.ts";
import { type Learning, learnAll } from "./learn-each.ts";
import type { ExtraLoads } from "./run-events.ts";

type Asked = Pick<RunRequest, "registries" | "seed" | "timeoutSeconds" | "leftOut" | "advise">;

/** @returns `request` with imported pages' HTTP requests, and a list of pages that cannot be used @throws LabError if no condition is left */
export async function learnPages<Request extends Asked>(
  request: Request,
  options: ExtraLoads,
): Promise<Request & Pick<Asked, "leftOut">> {
  const { registries } = request;
  const { conditions: all, signal, print } = options;
  const conditions = toLearn(all, registries);
  if (conditions.length === 0) return request;
  const pages = structuredClone(registries.pages);
  const leftOut: NonNullable<Asked["leftOut"]> = [];
  for (const learning of await learnThese(conditions, request, options)) {
    const { values } = learning.condition;
    const reason = whyUnusable(learning, registries);
    if (reason !== null) leftOut.push({ page: values.page, as: learntAs(values), reason });
    else if ("learnt" in learning) keepLearnt(pages, learning.learnt);
  }
  signal.throwIfAborted();
  const learned = { ...request, registries: { ...registries, pages } };
  if (leftOut.length === 0) return learned;
  const reasons = reasonsIn(leftOut, conditions);
  if (all.every((condition) => whyLeftOut(condition, leftOut) !== undefined))
    throw new LabError(ExitCode.failed, reasons.join("\n"));
  for (const reason of reasons) print(`Left out: ${reason}`);
  return { ...learned, leftOut };
}

async function learnThese(
  conditions: readonly Condition[],
  { registries, seed, timeoutSeconds, advise }: Asked,
  { substrate, signal, print }: ExtraLoads,
): Promise<Learning[]> {
  print(`Learning which requests imported pages make: ${counted(conditions.length, "load")} without loss`);
  const chunk = { kind: "learn" as const, number: 0, registries, timeoutMs: timeoutSeconds * 1000 };
  const look = advise && { looksAtWindow: true as const };
  const folder = mkdtempSync(`${tmpdir()}/lab-learn-`);
  const start = laneProcesses(substrate, folder, seed);
  const { lanes } = substrate;
  const { length } = conditions;
  const shares =
    lanes.links === "hold" ? { each: evenPages(length), atOnce: lanes.atOnce } : { each: length, atOnce: 1 };
  try {
    return await learnAll(
      conditions,
      (left, lane, either) => start({ ...chunk, ...look, conditions: left }, lane, either),
      {
        ...shares,
        signal,
        learned(learning) {
          if ("problem" in learning || whyUnusable(learning, registries) !== null) return;
          const { learnt } = learning;
          const recorded = recordedOf(learnt.page, registries);
          // No single load makes all requests of a recording with further documents, so a load is not compared with such a recording.
          print(described(learnt, recorded && !recorded.documents ? comparedWithRecording(learnt) : []));
        },
      },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function keepLearnt(pages: Registries["pages"], { page, as, requests, window }: Learnt): void {
  const entry = entryOf(pages, "pages", page);
  if (!isImported(entry)) return;
  entry.learnt[as] = requests;
  if (window) entry.windows = { ...entry.windows, [as]: window };
}

/** Lists each reason once. If a reason applies to only some variants of a page, the names of these variants follow the reason. */
function reasonsIn(leftOut: NonNullable<Asked["leftOut"]>, learned: readonly Condition[]): string[] {
  return [...new Set(leftOut.map(({ reason }) => reason))].map((reason) => {
    const own = leftOut.filter((one) => one.reason === reason);
    const all = learned.filter(({ values }) => values.page === own[0]!.page);
    const line = inOneLine(reason);
    return own.length === all.length ? line : `${line} (${own.map(({ as }) => as).join(", ")})`;
  });
}

/** Returns one condition for each variant of an imported page whose requests are not learnt yet. */
function toLearn(conditions: readonly Condition[], { pages }: Registries): Condition[] {
  const imported = conditions.filter(({ settings, values }) => {
    const entry = entryOf(pages, "pages", settings.page.name);
    return isImported(entry) && entry.learnt[learntAs(values)] === undefined;
  });
  const keyOf = ({ settings, values }: Condition) => `${settings.page.name} ${learntAs(values)}`;
  return [...new Map(imported.map((condition) => [keyOf(condition), condition])).values()];
}

/** Returns why loads of the condition would be invalid or misleading; null if nothing is wrong. */
function whyUnusable(learning: Learning, registries: Registries): string | null {
  if ("problem" in learning) return learning.problem;
  const { page, document = startFile } = learning.condition.values;
  const { learnt } = learning;
  return (
    (document === startFile ? tooFewHosts(learnt, recordedOf(page, registries) !== undefined) : null) ??
    fileNotFound(learnt)
  );
}

/** A load of index.html is valid only if it uses all hosts of its condition. Loads of a page's other HTML files may use fewer hosts. */
function tooFewHosts({ page, as, requests }: Learnt, isRecorded: boolean): string | null {
  const hosts = [...new Set(requests.map(({ host }) => host))].sort();
  const asked = Number(as.split("-")[0]);
  if (hosts.length === asked) return null;
  const only = `page ${page} over ${asked} hosts requests files from ${hosts.join(", ")} only: leave out servers=${asked}`;
  if (as.includes("-host-rtts"))
    return `${only}, or leave out hostRtts=recorded, which reserves lab hosts for recorded hosts that this load does not use`;
  return isRecorded
    ? `${only}, because the page's recording has fewer hosts, or this load uses fewer of its hosts`
    : `${only}, or in its page.yml assign files to more hosts, or to no host`;
}

/** Returns a sentence if a request for a file of the page got a 404. The real server has this file, so the lab would measure another page. */
function fileNotFound({ page, as, notFound: [first] }: Learnt): string | null {
  if (!first) return null;
  const { path, file } = first;
  return `page ${page}, ${as}: it requests ${inOneLine(path)} and gets a 404, but its folder has ${inOneLine(file)}, which this server serves at ${importedPath(file)}: request that path`;
}

/** @param compared sentences that compare the load with the page's recording */
function described(learnt: Learnt, compared: readonly string[]): string {
  const { page, as, requests, outside, dialogs } = learnt;
  const bytes = requests.reduce((sum, one) => sum + one.bytes, 0);
  const errors = errorsOf(requests);
  const stopped = requests.flatMap((one) => (one.stopped ? [one.path] : []));
  return [
    `page ${page}, ${as}: ${counted(requests.length, "request")}, ${counted(bytes, "byte")}`,
    ...compared,
    ...(errors.length ? [`it gets errors: ${listed(errors)}`] : []),
    ...(stopped.length ? [`the browser stops reading before the end: ${listed(stopped)}`] : []),
    ...(outside.length
      ? [`its scripts request hosts outside of the lab, which do not answer: ${outside.map(inOneLine).join(", ")}`]
      : []),
    ...(dialogs.length
      ? [
          `it opens dialogs, which are dismissed: ${listed(dialogs.map(({ type, text }) => `${type}(${JSON.stringify(text)})`))}`,
        ]
      : []),
  ].join("; ");
}

function comparedWithRecording({ page: name, requests }: Learnt): string[] {
  const page = loadPage(name);
  if (!("files" in page) || !page.recording) return [];
  const { share, missing, other } = faithfulness(page.recording, requests);
  return [
    `${(100 * share).toFixed(0)}% faithful to its recording`,
    ...(missing.length ? [`not requested again: ${listed(missing)}`] : []),
    ...(other.length ? [`not recorded: ${listed(other)}`] : []),
  ];
}

const shown = 3;
function listed(names: string[]): string {
  const more = names.length - shown;
  return `${names.slice(0, shown).map(inOneLine).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
