/** Decides whether a run can be resumed, and builds the command that resumes it. */
import { isDeepStrictEqual } from "node:util";
import { asInFiles, readRegistries } from "../../axes/registries.ts";
import { environment } from "../../hosts/environment.ts";
import { changedFields } from "../../schema/changed-fields.ts";
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import { restorePages } from "../../sites/kept-pages.ts";
import type { Manifest } from "../record/manifest.ts";
import { planIsUnchanged } from "../record/plan-hash.ts";
import { openRun } from "../record/run-folder.ts";
import type { RunOptions } from "./request.ts";

export type OpenedRun = ReturnType<typeof openRun>;

/** Options that define a run. --resume refuses them, but accepts `--clock`, because the entry script needs `--clock`. */
const fixed = ["loads", "only", "with", "seed", "timeout", "processing", "traces"] as const;

/** @throws LabError (usage) if the run cannot be resumed, or not with these options */
export function openToResume({ resume: name, clock, ...options }: RunOptions): OpenedRun {
  const given = fixed.filter((option) => [options[option]].flat().some((value) => value !== undefined));
  if (given.length) throw usageError(`--resume continues a run as planned: leave out --${given.join(", --")}`);
  const run = openRun(name === true ? undefined : name);
  const { folder, manifest } = run;
  if (clock && clock !== manifest.clock)
    throw usageError(`${folder} was started on the ${manifest.clock} clock: leave out --clock ${clock}`);
  if (planIsUnchanged(folder) === false)
    throw usageError(
      `${folder} cannot be resumed: run.json was changed after the run began (its hash is not the one in run.sha256); undo the change, or start a new run`,
    );
  restorePages(folder);
  refuseChange(manifest, folder);
  if (manifest.clock === "virtual" && environment.substrate === "compose")
    throw usageError(
      `${folder} is on the virtual clock, and the harness's container has no kernel for that; resume it with: ${resumeCommand(run)}`,
    );
  return run;
}

function resumeCommand({ folder, manifest }: OpenedRun): string {
  if (manifest.demands) return `./lab gate --resume ${folder}`;
  if (manifest.why) return `./lab why --resume ${folder}`;
  if (manifest.advise) return `./lab advise --resume ${folder}`;
  // The entry script must choose where to run before it can read the manifest, so the command names the virtual clock.
  return `./lab run --resume ${folder}${manifest.clock === "virtual" ? " --clock virtual" : ""}`;
}

/** Returns the command that prints a finished run's answer; null unless `why` or `advise` made the run. */
export const answerCommand = (run: OpenedRun): string | null =>
  run.manifest.why || run.manifest.advise ? resumeCommand(run) : null;

/** Runs `work`. If it is interrupted, or fails for a reason that may not recur, the error says how to resume. */
export async function withResumeCommand(
  run: OpenedRun,
  { capture, workers }: { capture?: true; workers?: string | true },
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
    signal.throwIfAborted();
  } catch (thrown) {
    const error = signal.aborted ? signal.reason : thrown;
    const { exitCode = ExitCode.failed, message } = error as Partial<LabError>;
    const resumable: ExitCode[] = [ExitCode.failed, ExitCode.loadsMissing, ExitCode.interrupted];
    if (!resumable.includes(exitCode)) throw error;
    const words = [
      resumeCommand(run),
      capture && "--capture",
      workers && (workers === true ? "--workers" : "--workers ADDRESS"), // the address may have a password
    ];
    const command = words.filter(Boolean).join(" ");
    throw new LabError(exitCode, `${message}\nEvery finished load is kept. To continue: ${command}`, { cause: error });
  }
}

/** @throws LabError (usage) that names what has changed since the run started, because old and new loads could not be compared */
export function refuseChange(manifest: Manifest, run: string): void {
  const changed = changeSince(manifest);
  if (changed !== null) throw usageError(`${run} cannot be resumed: ${changed}; start a new run, or undo the change`);
}

const meanings = ["links", "protocols", "pages", "servers", "clients", "defaults"] as const;

/** Describes the first definition that has changed since the run started; null if none has. @param kinds the definitions to check */
export function changeSince({ registries: then }: Manifest, kinds: readonly (typeof meanings)[number][] = meanings) {
  const now = readRegistries();
  for (const kind of kinds)
    for (const [name, value] of Object.entries(then[kind]))
      if (!isDeepStrictEqual(asInFiles(value), now[kind][name]))
        return `${kind} "${name}" ${changeOf(asInFiles(value), now[kind][name])}`;
  return isDeepStrictEqual(then.hosts, now.hosts) ? null : "the hosts in compose.yml have changed";
}

const shownDifferences = 3;

/** Describes how an entry differs from the recorded entry. Both are wrapped in an object, because a default is a plain value without fields. */
function changeOf(then: unknown, now: unknown): string {
  if (now === undefined) return "is gone";
  const all = changedFields({ it: then }, { it: now }).map((text) => text.replace(/^it\./, ""));
  const shown = all.slice(0, shownDifferences);
  const more = all.length > shown.length ? [`and ${all.length - shown.length} more`] : [];
  return `has changed: ${[...shown, ...more].join(", ")}`;
}
