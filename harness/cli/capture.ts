/** What `--capture` makes, beside a run's loads. */
import { ExitCode, LabError } from "../../schema/errors.ts";
import type { Condition } from "../../schema/plan.ts";
import { counted } from "../../schema/words.ts";
import type { Substrate } from "../../substrate/substrate.ts";
import { captureFolders, readCapture, writeCapture } from "../record/captures.ts";
import { readSavedRun } from "../record/records.ts";
import { makeCaptures } from "../run/capture.ts";
import { laneProcesses } from "../run/lane-process.ts";
import { nextChunk, type Opened } from "./make-loads.ts";

interface Making {
  conditions: readonly Condition[];
  substrate: Substrate;
  signal: AbortSignal;
}

/** Of conditions that have none yet. @throws LabError when some have none at the end */
export async function captureLoads(
  { folder, manifest }: Opened,
  { conditions, substrate, signal }: Making,
): Promise<void> {
  const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);
  const made = new Set(captureFolders(folder).map((path) => readCapture(path).condition));
  const wanted = conditions.filter(({ id }) => !made.has(id));
  say(
    `capturing ${counted(wanted.length, "extra load")}, which ${wanted.length === 1 ? "is no sample" : "are no samples"}`,
  );
  const problems = await makeCaptures({
    conditions: wanted,
    registries: manifest.registries,
    firstChunk: nextChunk(readSavedRun(folder, manifest)),
    timeoutMs: manifest.timeoutSeconds * 1000,
    startLane: laneProcesses(substrate, folder, manifest.seed),
    keep(captured) {
      writeCapture(folder, captured);
      made.add(captured.load.condition);
      const { condition, ok } = captured.load;
      say(`${condition}: captured${ok ? "" : `, though it is not as asked: ${captured.load.reason}`}`);
    },
    signal,
  });
  signal.throwIfAborted();
  const missing = conditions.filter(({ id }) => !made.has(id));
  if (missing.length)
    throw new LabError(
      ExitCode.failed,
      `no capture of ${counted(missing.length, "condition")}: ${problems.join("; ")}\nits loads are all there; once more: ./lab run --resume ${folder} --capture`,
    );
  say(`captured: ${folder}/captures`);
}
