/** What a reader of a run should know that makes none of its loads wrong. */
import { isDeepStrictEqual } from "node:util";
import { asInFiles, readRegistries } from "../../axes/registries.ts";
import { counted } from "../../schema/words.ts";
import { listExperiments, readExperiment } from "../plan/experiment.ts";
import { trialName } from "../plan/trial.ts";
import { chunkOf } from "../record/digest.ts";
import type { Manifest } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";

export function notesOf({ manifest, lanes, calibrations, captures }: SavedRun): string[] {
  const beside = captures();
  return [
    ...(beside
      ? [`captures/ has ${counted(beside, "extra load")}: no samples, in no number of the run, and not judged here`]
      : []),
    ...ownFileNotes(manifest),
    ...laneNotes(lanes),
    ...chunkNotes(lanes, calibrations),
  ];
}

/** A run is judged by its own files; what the lab's say now is compared where they can be read. */
function ownFileNotes(manifest: Manifest): string[] {
  try {
    return nameNotes(manifest);
  } catch (error) {
    return [`Not compared with this lab's own files, which cannot be read: ${(error as Error).message}`];
  }
}

/** The manifest says what names meant; whoever alters that alters the meaning of all loads. */
function nameNotes({ name, registries: then, experiment, commit }: Manifest): string[] {
  const now = readRegistries();
  const kinds = ["links", "protocols", "pages", "servers", "clients"] as const;
  const other = kinds.flatMap((kind) =>
    Object.entries(then[kind]).flatMap(([entry, value]) =>
      isDeepStrictEqual(asInFiles(value), now[kind][entry]) ? [] : [`${kind} ${entry}`],
    ),
  );
  return [
    ...(other.length ? [`Not as in this lab's own files: ${other.join(", ")}. Compare with commit ${commit}.`] : []),
    ...(name === trialName || sameExperiment(name, experiment)
      ? []
      : [`Its experiment is not experiments/${name}.yml as it is now. Compare with commit ${commit}.`]),
  ];
}

function sameExperiment(name: string, experiment: Manifest["experiment"]): boolean {
  if (!listExperiments().includes(name)) return false;
  const { timeoutSeconds: _, ...now } = readExperiment(name);
  return isDeepStrictEqual(JSON.parse(JSON.stringify(now)), JSON.parse(JSON.stringify(experiment)));
}

/** What its lanes ran on, where they differ; one that only measured links says nothing of a browser. */
function laneNotes(lanes: SavedRun["lanes"]): string[] {
  const parts = lanes.map(({ machine, versions, shaper, substrate }) => ({ ...versions, machine, shaper, substrate }));
  const seen = new Map<string, unknown>();
  const other = parts.flatMap((part, i) =>
    Object.entries(part).some(([name, value]) => {
      if (!seen.has(name)) seen.set(name, value);
      return !isDeepStrictEqual(seen.get(name), value);
    })
      ? [lanes[i]!.lane]
      : [],
  );
  return other.length ? [`Lanes that ran on something else than those before: ${other.join(", ")} (lanes.jsonl).`] : [];
}

/** A chunk of which nothing is there: its lane ended before it made anything, or somebody took it away. */
function chunkNotes(lanes: SavedRun["lanes"], calibrations: SavedRun["calibrations"]): string[] {
  const seen = new Set([
    ...lanes.map(({ lane }) => lane),
    ...calibrations.map(({ calibration }) => chunkOf(calibration)),
  ]);
  const gone = Array.from({ length: Math.max(-1, ...seen) + 1 }, (_, i) => i).filter((chunk) => !seen.has(chunk));
  return gone.length ? [`Chunks that left no line: ${gone.join(", ")}.`] : [];
}
