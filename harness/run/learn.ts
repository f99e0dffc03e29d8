/** Learns which requests imported pages make, before a run starts, so that the manifest can list them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { errorsOf, learntAs } from "../../axes/expected.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";
import { inOneLine } from "../../schema/foreign-words.ts";
import type { Learnt } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import { entryOf, isImported, type Registries } from "../../schema/registries.ts";
import { counted } from "../../schema/words.ts";
import { loadPage } from "../../sites/pages.ts";
import { importedPath, startFile } from "../../sites/paths.ts";
import { faithfulness } from "../../sites/recorded/faithfulness.ts";
import type { Substrate } from "../../substrate/substrate.ts";
import { whyLeftOut } from "../record/manifest.ts";
import type { RunRequest } from "../record/run-folder.ts";
import { laneProcesses } from "./lane-process.ts";
import { learnEach } from "./learn-each.ts";

export interface LearnOptions {
  conditions: readonly Condition[];
  substrate: Substrate;
  signal: AbortSignal;
  print(text: string): void;
}

type Asked = Pick<RunRequest, "registries" | "seed" | "timeoutSeconds" | "leftOut" | "advise">;

/**
 * @returns the run's request, completed by the requests of its imported pages, and without the pages that cannot be loaded
 * @throws LabError if none of its pages can be loaded
 */
export async function learnPages<Request extends Asked>(
  request: Request,
  { conditions: all, substrate, signal, print }: LearnOptions,
): Promise<Request & Pick<Asked, "leftOut">> {
  const { registries, seed, timeoutSeconds } = request;
  const conditions = toLearn(all, registries);
  if (conditions.length === 0) return request;
  print(`Learning which requests imported pages make: ${counted(conditions.length, "load")} without loss`);
  const chunk = { kind: "learn" as const, number: 0, registries, timeoutMs: timeoutSeconds * 1000 };
  const pictures = request.advise && { pictures: true as const };
  const folder = mkdtempSync(`${tmpdir()}/lab-learn-`);
  const start = (left: Condition[]) =>
    laneProcesses(substrate, folder, seed)({ ...chunk, ...pictures, conditions: left }, 0, signal);
  const pages = structuredClone(registries.pages);
  const leftOut: NonNullable<Asked["leftOut"]> = [];
  try {
    for await (const learning of learnEach(conditions, start, signal)) {
      const { page } = learning.condition.values;
      const entry = entryOf(pages, "pages", page);
      const isRecorded = isImported(entry) && entry.recorded !== undefined;
      const isStart = (learning.condition.values.document ?? startFile) === startFile;
      const reason = "problem" in learning ? learning.problem : unusable(learning.learnt, { isRecorded, isStart });
      if (reason !== null) leftOut.push({ page, as: learntAs(learning.condition.values), reason });
      if ("problem" in learning || reason !== null) continue;
      const { as, requests, picture } = learning.learnt;
      if (isImported(entry)) {
        entry.learnt[as] = requests;
        if (picture !== undefined) entry.pictures = { ...entry.pictures, [as]: picture };
      }
      print(described(learning.learnt, isRecorded ? comparedWithRecording(learning.learnt) : []));
    }
  } finally {
    rmSync(folder, { recursive: true });
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

/** Each reason once; it names the variants that it applies to, if the page has other variants. */
function reasonsIn(leftOut: NonNullable<Asked["leftOut"]>, learned: readonly Condition[]): string[] {
  return [...new Set(leftOut.map(({ reason }) => reason))].map((reason) => {
    const own = leftOut.filter((one) => one.reason === reason);
    const all = learned.filter(({ values }) => values.page === own[0]!.page);
    const line = inOneLine(reason);
    return own.length === all.length ? line : `${line} (${own.map(({ as }) => as).join(", ")})`;
  });
}

/** One condition for each variant of a page that loads differently, except what the request knows already. */
function toLearn(conditions: readonly Condition[], { pages }: Registries): Condition[] {
  const imported = conditions.filter(({ settings, values }) => {
    const entry = entryOf(pages, "pages", settings.page.name);
    return isImported(entry) && entry.learnt[learntAs(values)] === undefined;
  });
  const keyOf = ({ settings, values }: Condition) => `${settings.page.name} ${learntAs(values)}`;
  return [...new Map(imported.map((condition) => [keyOf(condition), condition])).values()];
}

/** Why no load of the condition could be used, judged by what was learnt; null if nothing is wrong. */
const unusable = (learnt: Learnt, { isRecorded, isStart }: { isRecorded: boolean; isStart: boolean }): string | null =>
  (isStart ? tooFewHosts(learnt, isRecorded) : null) ?? fileNotFound(learnt);

/** With fewer hosts than the condition has, no load would be valid. Only further HTML files of a page may need fewer hosts. */
function tooFewHosts({ page, as, requests }: Learnt, isRecorded: boolean): string | null {
  const hosts = [...new Set(requests.map(({ host }) => host))].sort();
  const asked = Number(as.split("-")[0]);
  if (hosts.length === asked) return null;
  const only = `page ${page} over ${asked} hosts requests files from ${hosts.join(", ")} only: leave servers=${asked} out`;
  return isRecorded
    ? `${only}, because its recording has fewer hosts, or its load asks fewer of them`
    : `${only}, or assign its files to more hosts in its page.yml, or to none`;
}

/** The published page has this file. A lab that answers with 404 would measure a different page. */
function fileNotFound({ page, as, notFound: [first] }: Learnt): string | null {
  if (!first) return null;
  const { path, file } = first;
  return `page ${page}, ${as}: it requests ${inOneLine(path)} and gets a 404, but its folder has ${inOneLine(file)}, which this server has at ${importedPath(file)}: request that path`;
}

/** @param compared sentences that compare it with its recording */
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

/** How much of a recorded page its load repeated. */
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
