import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, closeSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { LaneMessage } from "./chunk.ts";
import { LaneError, type StartLane } from "./runner.ts";
import type { Substrate } from "./substrate/substrate.ts";

const logTailLines = 12;

/** Lanes as processes of a substrate. What they say on stderr goes to lane.log in the run's folder. */
export function laneProcesses(substrate: Substrate, folder: string): StartLane {
  return async function* (chunk, signal) {
    const chunkFile = `${folder}/chunk.json`;
    writeFileSync(chunkFile, JSON.stringify(chunk));
    const [program = "", ...args] = substrate.commandInside("harness/lane.ts", chunkFile);
    const log = openSync(`${folder}/lane.log`, "a");
    // In a process group of its own: Ctrl-C on the terminal is the runner's to handle.
    const child = spawn(program, args, { detached: true, stdio: ["ignore", "pipe", log] });
    closeSync(log);
    const kill = () => void (child.exitCode === null && child.kill("SIGKILL"));
    signal.addEventListener("abort", kill);
    const exit = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
    exit.catch(() => {});
    try {
      for await (const line of createInterface({ input: child.stdout! })) yield JSON.parse(line) as LaneMessage;
      const [code, killedBy] = await exit;
      if (code !== 0 && !signal.aborted) throw new LaneError(`a lane ended early (${killedBy ?? `exit code ${code}`}): ${tail(`${folder}/lane.log`)}`);
    } finally {
      kill();
      signal.removeEventListener("abort", kill);
    }
  };
}

const tail = (path: string) => readFileSync(path, "utf8").trim().split("\n").slice(-logTailLines).join("\n  ");
