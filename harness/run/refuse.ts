/** What is not begun, by name and before anything runs. */
import { isDeepStrictEqual } from "node:util";
import { textOf } from "../../axes/axis.ts";
import { asInFiles, readRegistries } from "../../axes/registries.ts";
import { axes } from "../../axes/registry.ts";
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import { schemaVersion } from "../../schema/evidence.ts";
import type { Condition } from "../../schema/plan.ts";
import type { Calibration, Lane } from "../../schema/records.ts";
import type { Registries } from "../../schema/registries.ts";
import { leavesOf, type Patch } from "../../schema/settings.ts";
import type { Substrate } from "../../substrate/substrate.ts";
import { hostProblems } from "../judge/lanes.ts";
import type { Manifest } from "../record/manifest.ts";

/** @throws LabError that names the axis and the value that this substrate cannot bring about, and why */
export function refuseUnsettable(
  conditions: readonly Condition[],
  registries: Registries,
  { name, cannotSet }: Pick<Substrate, "name" | "cannotSet">,
): void {
  for (const { values } of conditions)
    for (const axis of axes)
      for (const [path, value] of leavesOf(axis.sets(values[axis.name]!, values, registries))) {
        const why = Object.entries(cannotSet).find(([what]) =>
          what.includes("=") ? what === `${path}=${value}` : path.startsWith(what),
        )?.[1];
        if (why)
          throw new LabError(
            ExitCode.machineCannot,
            `${axis.name} ${textOf(axis, values[axis.name]!)} sets ${path}, which ${name} cannot: ${why}`,
          );
      }
}

/** @throws LabError (usage) that names what has changed since the run was begun: loads of the same name would not be the same */
export function refuseChange({ registries: then, recordedVersion }: Manifest, run: string): void {
  if (recordedVersion !== schemaVersion)
    throw usageError(
      `${run} cannot be resumed: it was begun in version ${recordedVersion} of the records, and this lab writes ${schemaVersion}; begin a new run`,
    );
  const now = readRegistries();
  for (const kind of ["links", "protocols", "pages", "servers", "clients", "defaults"] as const)
    for (const [name, value] of Object.entries(then[kind]))
      if (!isDeepStrictEqual(asInFiles(value), now[kind][name]))
        throw usageError(
          `${run} cannot be resumed: ${kind} "${name}" has changed: ${differences(asInFiles(value), now[kind][name])}; begin a new run, or undo the change`,
        );
  if (!isDeepStrictEqual(then.hosts, now.hosts))
    throw usageError(`${run} cannot be resumed: the hosts in compose.yml have changed`);
}

const shownDifferences = 3;

/** Which parts of a registry's entry were other ones, in words. */
function differences(then: unknown, now: unknown): string {
  const [was, is] = [then, now].map((entry) => leavesOf({ entry } as Patch));
  const paths = [...new Set([...was!.keys(), ...is!.keys()])].filter((path) => was!.get(path) !== is!.get(path));
  const shown = paths
    .slice(0, shownDifferences)
    .map((path) => `${path.replace(/^entry\.?/, "")} was ${was!.get(path)} and is ${is!.get(path)}`);
  return [...shown, ...(paths.length > shown.length ? [`and ${paths.length - shown.length} more`] : [])].join(", ");
}

/** @throws LabError when a lane's host is not as the run asked, or other than its first lane's: no load is made there */
export function refuseHost(manifest: Manifest, lane: Lane, first: Lane): void {
  const problems = hostProblems(manifest, lane, first);
  if (problems.length)
    throw new LabError(
      ExitCode.machineCannot,
      `loads made here would be of another world than the run's:\n  ${problems.join("\n  ")}\nset it as it was, or begin a new run`,
    );
}

/** @throws LabError when the link is not what was asked for, again and again: no load is made on it */
export function refuseWrongLink({ link, attempt, deviations, final }: Calibration): void {
  if (!final || deviations.length === 0) return;
  throw new LabError(
    ExitCode.wrongLink,
    `the link ${link} is not what was asked for, measured ${attempt} times:\n  ${deviations.join("\n  ")}`,
  );
}
