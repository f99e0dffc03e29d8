/** What imported pages ask for, before a run's manifest is written. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { learntAs } from "../../axes/expected.ts";
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import type { Chunk, LaneMessage, Learnt } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import { isImported, type Registries } from "../../schema/registries.ts";
import { counted } from "../../schema/words.ts";
import type { Substrate } from "../../substrate/substrate.ts";
import { laneProcesses } from "./lane-process.ts";
import { LaneError } from "./runner.ts";

export interface LearnOptions {
  conditions: readonly Condition[];
  registries: Registries;
  seed: number;
  timeoutMs: number;
  signal: AbortSignal;
  say(sentence: string): void;
}

/** @returns the registries with all that these conditions need to know of imported pages @throws LaneError when one does not load */
export async function learnPages(substrate: Substrate, options: LearnOptions): Promise<Registries> {
  const { conditions, registries, seed, timeoutMs, signal, say } = options;
  const unknown = toLearn(conditions, registries);
  if (unknown.length === 0) return registries;
  say(`learning what imported pages ask for: ${counted(unknown.length, "load")} without loss`);
  const chunk: Chunk = { kind: "learn", number: 0, conditions: unknown, registries, timeoutMs };
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
      say(spoken(learnt));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  signal.throwIfAborted();
  return { ...registries, pages };
}

/** @throws LabError for a page that does not load: no run of it can be begun */
async function* messages(lane: AsyncIterable<LaneMessage>): AsyncIterable<LaneMessage> {
  try {
    yield* lane;
  } catch (error) {
    if (error instanceof LaneError) throw new LabError(ExitCode.failed, error.message);
    throw error;
  }
}

/** A condition for each that there is something to learn of. */
function toLearn(conditions: readonly Condition[], { pages }: Registries): Condition[] {
  const imported = conditions.filter(({ settings }) => isImported(pages[settings.page.name]!));
  const keyOf = ({ settings, values }: Condition) => `${settings.page.name} ${learntAs(values)}`;
  return [...new Map(imported.map((condition) => [keyOf(condition), condition])).values()];
}

/** A condition with so many hosts would never be held. */
function refuseFewHosts({ page, as, requests }: Learnt): void {
  const hosts = [...new Set(requests.map(({ host }) => host))].sort();
  const asked = Number(as.split("-")[0]);
  if (hosts.length !== asked)
    throw usageError(
      `page ${page} over ${asked} hosts asks ${hosts.join(", ")} alone: leave servers=${asked} out, or let its page.yml keep its files on more hosts, or on none`,
    );
}

const notModified = 304;

function spoken({ page, as, requests, outside }: Learnt): string {
  const refused = requests.filter(({ status }) => status !== 200 && status !== notModified).length;
  const bytes = requests.reduce((sum, one) => sum + one.bytes, 0);
  return [
    `page ${page}, ${as}: ${counted(requests.length, "request")}, ${counted(bytes, "byte")}`,
    ...(refused ? [`${refused} of them without a file`] : []),
    ...(outside.length ? [`its scripts ask the outside, where nobody answers: ${outside.join(", ")}`] : []),
  ].join("; ");
}
