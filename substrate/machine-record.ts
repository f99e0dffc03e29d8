/** Records a virtual-clock run's machine and packages, in separate files, because a run's lines are compared between machines. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import type { Root } from "./guest/root/root.ts";

export function recordMachine(folder: string, { sha256, packages }: Root): void {
  writeFileSync(`${folder}/packages-${sha256.slice(0, 12)}.txt`, packages);
  const machine = {
    at: new Date().toISOString(),
    kernel: os.release(),
    cores: os.cpus().length,
    memoryMiB: Math.round(os.totalmem() / 2 ** 20),
    cpu: os.cpus()[0]?.model,
    features: /^flags\s*: (.*)$/m.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1]?.split(" "),
  };
  addLine(folder, machine);
}

const addLine = (folder: string, line: object) =>
  appendFileSync(`${folder}/machines.jsonl`, `${JSON.stringify(line)}\n`);

/** Notes that a chunk's links were measured in an earlier run on this machine. @param kept `input` is the SHA-256 of the lane's input */
export const noteKeptMeasurements = (folder: string, kept: { chunk: number; input: string }): void =>
  addLine(folder, { at: new Date().toISOString(), keptMeasurements: kept });
