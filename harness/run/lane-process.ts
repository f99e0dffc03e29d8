import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fstatSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { type Chunk, chunkSchema, type LaneMessage, laneMessageSchema } from "../../schema/lane-messages.ts";
import type { Slot, Substrate } from "../../substrate/substrate.ts";
import { LaneError, type StartLane } from "./run-events.ts";
import { onlyMeasures } from "./share-work.ts";
import { Computing, mostComputingSeconds, Silence, useOf } from "./silence.ts";
import { hostCountOf, serversOf, sitePathsOf } from "./site-paths.ts";

const logTailLines = 12;
/** A lane is killed if it sends no message for this time plus a load's time-out: the lane or its guest's kernel hangs (silence.ts). */
const silenceSeconds = 300;
const looks = 20;
const mostSecondsBetweenLooks = 5;

export const laneScript = "harness/lane/lane.ts";

/** Writes a chunk to the file that its lane reads. @returns the file, and the lane's slot */
export function giveChunk(chunk: Chunk, number: number, folder: string, seed: number): { file: string; slot: Slot } {
  const file = `${folder}/slot-${number + 1}.json`;
  // parse() puts keys into the schema's order, so that the bytes are the same on any machine: a guest's times depend on each byte that it reads.
  writeFileSync(file, JSON.stringify(chunkSchema.parse(chunk)));
  const own = onlyMeasures(chunk) ? 0 : seed; // always 0 for measurements, so that all runs measure links in the same way
  const needs = { site: sitePathsOf(chunk), servers: serversOf(chunk), webHosts: hostCountOf(chunk) };
  return { file, slot: { number, seed: own, chunk: chunk.number, ...needs } };
}

/** Starts lanes as processes of a substrate. Their stderr goes to lane-<n>.log in the run's folder. */
export function laneProcesses(
  substrate: Substrate,
  folder: string,
  seed: number,
  patienceSeconds = silenceSeconds,
): StartLane {
  return async function* (chunk, slotNumber, signal) {
    const logFile = `${folder}/lane-${slotNumber + 1}.log`;
    const { slot, file } = giveChunk(chunk, slotNumber, folder, seed);
    const [program = "", ...args] = substrate.laneCommand(slot, laneScript, file);
    const log = openSync(logFile, "a");
    const { size: loggedBefore } = fstatSync(log);
    // The lane gets a process group of its own, so that Ctrl-C in a terminal reaches only the runner, which then ends the lane.
    const child = spawn(program, args, { detached: true, stdio: ["ignore", "pipe", log] });
    closeSync(log);
    const kill = () =>
      void (child.pid && child.exitCode === null && child.signalCode === null && process.kill(-child.pid, "SIGKILL"));
    const exit = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
    exit.catch(() => {});
    signal.addEventListener("abort", kill);
    if (signal.aborted) kill();
    const [silence, computing] = [new Silence(), new Computing()];
    const limitSeconds = chunk.timeoutMs / 1000 + patienceSeconds;
    const everySeconds = Math.min(limitSeconds / looks, mostSecondsBetweenLooks);
    let hung: string | null = null;
    const watch = setInterval(() => {
      const { seconds, waits } = useOf(child.pid!);
      if (computing.look(seconds, waits) >= mostComputingSeconds)
        hung ??= `a program computed for ${mostComputingSeconds} s without a pause, like a script in an endless loop`;
      if (silence.look(everySeconds, seconds) >= limitSeconds)
        hung ??= `it sent no message for ${Math.round(limitSeconds)} s`;
      if (hung !== null) kill();
    }, everySeconds * 1000);
    try {
      for await (const line of createInterface({ input: child.stdout! })) {
        silence.heard();
        yield messageOf(line);
      }
      const [code, killedBy] = await exit;
      if (code === 0 || signal.aborted) return;
      const how = hung ?? killedBy ?? `exit code ${code}`;
      throw new LaneError(`a lane ended early (${how}): ${tail(logFile, loggedBefore)}`);
    } finally {
      kill();
      clearInterval(watch);
      signal.removeEventListener("abort", kill);
    }
  };
}

/** @throws LaneError if the line is not a message: a lane that was killed may have printed half a message */
function messageOf(line: string): LaneMessage {
  try {
    return laneMessageSchema.parse(JSON.parse(line));
  } catch (error) {
    throw new LaneError(
      `a lane ended early (it printed ${JSON.stringify(line.slice(0, 80))}, which is not a message: ${(error as Error).message})`,
    );
  }
}

/** Log lines that never explain why a lane ended: the shutdown of a guest's kernel, and nginx's warnings about its configuration. */
const noReason =
  /^(sysrq: Power Off|reboot: Power down|Kernel panic - not syncing: Attempted to kill init!.*)$|\[warn\].* directive is deprecated/;

const tail = (path: string, from: number): string =>
  readFileSync(path)
    .subarray(from)
    .toString()
    .trim()
    .split("\n")
    .filter((line) => !noReason.test(line.trim()))
    .slice(-logTailLines)
    .join("\n  ") || "it printed nothing";
