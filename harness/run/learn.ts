/** Learns which requests imported pages make, before a run starts: the manifest names them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { learntAs } from "../../axes/expected.ts";
import { importedPath } from "../../pages/paths.ts";
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import type { Chunk, LaneMessage, Learnt } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import { isImported, type Registries } from "../../schema/registries.ts";
import { counted } from "../../schema/words.ts";
import type { Substrate } from "../../substrate/substrate.ts";
import type { RunRequest } from "../record/run-folder.ts";
import { laneProcesses } from "./lane-process.ts";
import { LaneError } from "./run-events.ts";

export interface LearnOptions {
  conditions: readonly Condition[];
  substrate: Substrate;
  signal: AbortSignal;
  print(text: string): void;
}

/** @returns the run's request, completed by the requests of its imported pages @throws LabError if a page does not load */
export async function learnPages<Request extends Pick<RunRequest, "registries" | "seed" | "timeoutSeconds">>(
  request: Request,
  { conditions: all, substrate, signal, print }: LearnOptions,
): Promise<Request> {
  const { registries, seed, timeoutSeconds } = request;
  const conditions = toLearn(all, registries);
  if (conditions.length === 0) return request;
  print(`Learning which requests imported pages make: ${counted(conditions.length, "load")} without loss`);
  const chunk: Chunk = { kind: "learn", number: 0, conditions, registries, timeoutMs: timeoutSeconds * 1000 };
  const folder = mkdtempSync(`${tmpdir()}/lab-learn-`);
  const pages = structuredClone(registries.pages);
  try {
    for await (const message of messages(laneProcesses(substrate, folder, seed)(chunk, 0, signal))) {
      if (message.kind === "not learned") throw new LabError(ExitCode.failed, message.reason);
      if (message.kind !== "learned") continue;
      const { learnt } = message;
      const entry = pages[learnt.page]!;
      if (isImported(entry)) entry.learnt[learnt.as] = learnt.requests;
      refuseFewHosts(learnt);
      refuseNotFound(learnt);
      print(described(learnt));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  signal.throwIfAborted();
  return { ...request, registries: { ...registries, pages } };
}

/** @throws LabError if the lane ends early, because then no run can use the page */
async function* messages(lane: AsyncIterable<LaneMessage>): AsyncIterable<LaneMessage> {
  try {
    yield* lane;
  } catch (error) {
    if (error instanceof LaneError) throw new LabError(ExitCode.failed, error.message);
    throw error;
  }
}

/** One condition for each variant of a page that loads differently. */
function toLearn(conditions: readonly Condition[], { pages }: Registries): Condition[] {
  const imported = conditions.filter(({ settings }) => isImported(pages[settings.page.name]!));
  const keyOf = ({ settings, values }: Condition) => `${settings.page.name} ${learntAs(values)}`;
  return [...new Map(imported.map((condition) => [keyOf(condition), condition])).values()];
}

/** With fewer hosts than the condition has, no load would be valid. */
function refuseFewHosts({ page, as, requests }: Learnt): void {
  const hosts = [...new Set(requests.map(({ host }) => host))].sort();
  const asked = Number(as.split("-")[0]);
  if (hosts.length !== asked)
    throw usageError(
      `page ${page} over ${asked} hosts requests files from ${hosts.join(", ")} only: leave servers=${asked} out, or assign its files to more hosts in its page.yml, or to none`,
    );
}

/** Where the page is published, the file comes: without it, another page would be measured. */
function refuseNotFound({ page, as, notFound: [first] }: Learnt): void {
  if (!first) return;
  const { path, file } = first;
  throw usageError(
    `page ${page}, ${as}: it requests ${path} and gets a 404, but its folder has ${file}, which this server has at ${importedPath(file)}: request that path`,
  );
}

const notModified = 304;

function described({ page, as, requests, outside }: Learnt): string {
  const refused = requests.filter(({ status }) => status !== 200 && status !== notModified).length;
  const bytes = requests.reduce((sum, one) => sum + one.bytes, 0);
  return [
    `page ${page}, ${as}: ${counted(requests.length, "request")}, ${counted(bytes, "byte")}`,
    ...(refused ? [`${refused} of them have no file`] : []),
    ...(outside.length
      ? [`its scripts address hosts outside of the lab, where nothing answers: ${outside.join(", ")}`]
      : []),
  ].join("; ");
}
