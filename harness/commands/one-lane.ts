import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import type { LaneMessage } from "../chunk.ts";
import { ExitCode, LabError } from "../errors.ts";
import { laneProcesses } from "../lane-process.ts";
import { lockLab } from "../lock.ts";
import type { PlannedLoad } from "../model.ts";
import { chooseSubstrate } from "../substrate/choose.ts";
import type { Substrate } from "../substrate/substrate.ts";

const timeoutMs = 120_000;

/** Loads on one lane, whose messages nobody records; the lab is held meanwhile. */
export async function onOneLane<T>(loads: PlannedLoad[], use: (messages: AsyncIterable<LaneMessage>, substrate: Substrate) => Promise<T>): Promise<T> {
  const substrate = await chooseSubstrate();
  const release = await lockLab(substrate.lockPath);
  const stop = new AbortController();
  const letGo = await substrate.open((message) => stop.abort(new LabError(ExitCode.failed, message)));
  const folder = mkdtempSync(`${tmpdir()}/lab-bench-`);
  try {
    const result = await use(laneProcesses(substrate, folder, 1)({ number: 0, calibrate: [], loads, timeoutMs }, 0, stop.signal), substrate);
    stop.signal.throwIfAborted();
    return result;
  } finally {
    rmSync(folder, { recursive: true });
    letGo();
    release();
  }
}
