/** Carries out a run, from its request to its last load. */
import type { LoadChunk } from "../../schema/lane-messages.ts";
import { counted } from "../../schema/words.ts";
import { keepPages } from "../../sites/kept-pages.ts";
import { chooseSubstrate } from "../../substrate/choose.ts";
import { noteKeptMeasurements } from "../../substrate/machine-record.ts";
import type { Substrate } from "../../substrate/substrate.ts";
import { planBlocks } from "../plan/blocks.ts";
import { keepAdded } from "../record/added/kept.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { createRun, type RunRequest } from "../record/run-folder.ts";
import { captureLoads } from "./capture.ts";
import { keepIndex } from "./keep-index.ts";
import { keepingMeasurements } from "./kept-measurements.ts";
import { giveChunk, laneProcesses, laneScript } from "./lane-process.ts";
import { learnPages } from "./learn.ts";
import { withLifetime } from "./lifetime.ts";
import { makeLoads } from "./make-loads.ts";
import { openLab } from "./open-lab.ts";
import { preflight } from "./preflight.ts";
import { refuseAdded } from "./refuse-added.ts";
import { type PlaceOptions, placeOf } from "./request.ts";
import { type OpenedRun, withResumeCommand } from "./resume.ts";
import type { StartProgress } from "./run-events.ts";
import type { openRemoteLanes } from "./workers/open-remote-lanes.ts";

export interface RunSettings extends PlaceOptions {
  /** After the run's loads, capture an extra load of each condition. */
  capture?: true;
  /** Prints what happens before and after the loads. */
  print(text: string): void;
  startProgress: StartProgress;
}

/** @param asked the request for a new run, or an existing run whose missing loads are to be made @returns the run's folder */
export const carryOut = (asked: RunRequest | OpenedRun, settings: RunSettings): Promise<string> =>
  withLifetime(async (lifetime) => {
    const { signal } = lifetime;
    const request = "folder" in asked ? asked.manifest : asked;
    const place = placeOf(request.clock, settings);
    const asPlanned = conditionsOfRun(request);
    const substrate = chooseSubstrate(
      place.clock === "virtual" ? { ...place, processingMs: request.processingMs } : place,
    );
    refuseAdded(request.added, substrate, place);
    await preflight(asPlanned, substrate);
    const servers = asPlanned.map((condition) => condition.settings.server.software);
    await openLab(substrate, servers, lifetime);
    await preflight(asPlanned, substrate); // again, because only now is it certain which root image the guests have
    const run =
      "folder" in asked
        ? asked
        : createRun(await learnPages(request, { conditions: asPlanned, substrate, signal, print: settings.print }));
    const conditions = conditionsOfRun(run.manifest);
    keepPages(Object.keys(request.registries.pages), run.folder);
    keepAdded(run.manifest.added ?? {}, run.folder);
    substrate.recordMachine?.(run.folder);
    if (substrate.clock === "virtual") lifetime.onEnd(keepIndex(run.folder));
    await withResumeCommand(run, settings, signal, async () => {
      const plan = planBlocks(conditions, request.loads, request.seed);
      const { print, startProgress } = settings;
      const lanes =
        place.clock === "virtual" && place.workers
          ? await remoteLanes(place.workers, { substrate, run, print }, lifetime)
          : { start: localLanes(substrate, run, print), policy: substrate.lanes };
      await makeLoads(run, { plan, conditions, lanes, timeOf: substrate.timeOf, signal, startProgress });
      if (settings.capture) await captureLoads(run, { conditions, substrate, signal, print: settings.print });
    });
    return run.folder;
  });

/** Returns a function that starts lanes on this machine. On the virtual clock, it reuses measurements of links from earlier runs. */
function localLanes(substrate: Substrate, { folder, manifest }: OpenedRun, print: (text: string) => void) {
  const { seed } = manifest;
  const start = laneProcesses(substrate, folder, seed);
  if (!substrate.laneInput) return start;
  const inputOf = (chunk: LoadChunk, lane: number) => {
    const { slot, file } = giveChunk(chunk, lane, folder, seed);
    return substrate.laneInput!(slot, laneScript, file);
  };
  return keepingMeasurements(start, inputOf, ({ number, calibrate }, input) => {
    noteKeptMeasurements(folder, { chunk: number, input });
    print(
      `${counted(calibrate.length, "link was", "links were")} measured in an earlier run with the same kernel, programs and files; this run uses these measurements`,
    );
  });
}

/** Loaded only for runs with workers, because the queue's library takes time to load. */
const remoteLanes: typeof openRemoteLanes = async (...given) =>
  (await import("./workers/open-remote-lanes.ts")).openRemoteLanes(...given);
