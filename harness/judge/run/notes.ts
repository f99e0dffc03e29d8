/** Facts that make no load invalid, but that a reader of the run should know. */
import { isDeepStrictEqual } from "node:util";
import { asInFiles, readRegistries } from "../../../axes/registries.ts";
import { chunkOf } from "../../../schema/records.ts";
import { counted } from "../../../schema/words.ts";
import { listExperiments, readExperiment } from "../../plan/experiment.ts";
import { trialName } from "../../plan/trial.ts";
import type { Manifest } from "../../record/manifest.ts";
import type { SavedRun } from "../../record/records.ts";
import { isOlder } from "./missing-parts.ts";

/** @param untraced the number of loads without a trace */
export function notesOf(run: SavedRun, untraced: number): string[] {
  const { manifest, lanes, captures } = run;
  const beside = captures();
  const unseen = unseenOf(run, untraced);
  return [
    ...(beside
      ? [
          `captures/ has ${counted(beside, "extra load")}: they are not samples, are in no result of the run, and are not judged`,
        ]
      : []),
    ...ownFileNotes(manifest),
    ...laneNotes(lanes),
    ...(unseen.length ? [`Not observable: ${unseen.join("; ")}.`] : []),
  ];
}

/** Returns what this run's files do not show, as clauses that begin with "whether". */
function unseenOf(run: SavedRun, untraced: number): string[] {
  const { lanes, calibrations, planIsUnchanged } = run;
  const older = isOlder(run);
  const gone = chunksGone(lanes, calibrations);
  const unsampled = calibrations.filter(({ samples }) => !samples).length;
  return [
    ...(older && unsampled
      ? [
          `whether the values of ${counted(unsampled, "link measurement")} follow from their samples, which were not kept`,
        ]
      : []),
    ...(older && planIsUnchanged() === null
      ? ["whether the plan was changed later, because there is no run.sha256"]
      : []),
    ...(untraced > 0
      ? [`whether windows and times of ${counted(untraced, "load")} without a trace follow from their packets`]
      : []),
    ...(gone.length ? [`whether attempts failed in chunks without any line in the run: ${gone.join(", ")}`] : []),
  ];
}

/** Compares the manifest with the lab's present files. Only this note depends on them, because a run is judged by its own files. */
function ownFileNotes(manifest: Manifest): string[] {
  try {
    return nameNotes(manifest);
  } catch (error) {
    return [`The manifest could not be compared with this lab's files: ${(error as Error).message}`];
  }
}

function nameNotes({ name, registries: then, experiment, commit, added, demands, why }: Manifest): string[] {
  const now = readRegistries((page) => page in then.pages);
  const kinds = ["links", "protocols", "pages", "servers", "clients"] as const;
  const other = kinds.flatMap((kind) =>
    Object.entries(then[kind]).flatMap(([entry, value]) =>
      isDeepStrictEqual(asInFiles(value), now[kind][entry]) ? [] : [`${kind} ${entry}`],
    ),
  );
  return [
    ...(other.length
      ? [`These definitions differ from this lab's files: ${other.join(", ")}. Compare with commit ${commit}.`]
      : []),
    ...(name === trialName || demands || why || sameExperiment(name, experiment, added !== undefined)
      ? []
      : [`Its experiment differs from the present experiments/${name}.yml. Compare with commit ${commit}.`]),
  ];
}

/** @param isOutside whether the experiment was given by its path, so that the lab may have no experiment of this name */
function sameExperiment(name: string, experiment: Manifest["experiment"], isOutside: boolean): boolean {
  if (!listExperiments().includes(name)) return isOutside;
  const { timeoutSeconds: _, ...now } = readExperiment(name);
  return isDeepStrictEqual(JSON.parse(JSON.stringify(now)), JSON.parse(JSON.stringify(experiment)));
}

/** A lane that only measured links reads fewer of the lab's files, so `labFiles` is compared only between lanes with the same programs. */
function laneNotes(lanes: SavedRun["lanes"]): string[] {
  const parts = lanes.map(({ machine, versions: { labFiles, ...programs }, shaper, substrate }) => ({
    ...programs,
    [`labFiles beside ${Object.keys(programs)}`]: labFiles,
    machine,
    shaper,
    substrate,
  }));
  const seen = new Map<string, unknown>();
  const other = parts.flatMap((part, i) =>
    Object.entries(part).some(([name, value]) => {
      if (!seen.has(name)) seen.set(name, value);
      return !isDeepStrictEqual(seen.get(name), value);
    })
      ? [chunkOf(lanes[i]!)]
      : [],
  );
  return other.length
    ? [`Lanes whose machine or versions differ from those of earlier lanes: ${other.join(", ")} (lanes.jsonl).`]
    : [];
}

/** Returns the numbers of chunks without any line: their lane ended before it recorded anything, or the lines were removed. */
function chunksGone(lanes: SavedRun["lanes"], calibrations: SavedRun["calibrations"]): number[] {
  const seen = new Set([...lanes, ...calibrations].map(chunkOf));
  return Array.from({ length: Math.max(-1, ...seen) + 1 }, (_, i) => i).filter((chunk) => !seen.has(chunk));
}
