import { readFileSync } from "node:fs";
import os from "node:os";
import type { Browser } from "puppeteer-core";
import { run } from "../../hosts/command.ts";
import { callHost } from "../../hosts/control.ts";
import { agentsOf } from "../../substrate/compose.ts";
import type { Chunk } from "./chunk.ts";

/** What a lane's loads ran on: enough to say later why two runs differ. */
export interface Environment {
  startedAt: string;
  substrate: string;
  clock: "real" | "virtual";
  /** The number of the chunk it worked on. */
  chunk?: number;
  shaper: { name: string; kernel: string };
  machine: { cpu: string; cores: number; memoryMiB: number; kernel: string };
  versions: Record<string, string>;
  /** Whether Chromium's own sandbox was on. */
  sandbox: boolean;
  /** As the harness's host has them; the servers' are the same kernel's and compose.yml's. */
  sysctls: Record<string, string>;
}

/** Whether this is a guest whose clock is virtual. */
export const virtualClock = process.env.LAB_CLOCK === "virtual";

const sysctls = [
  "tcp_available_congestion_control",
  "tcp_congestion_control",
  "tcp_early_retrans",
  "tcp_ecn",
  "tcp_fastopen",
  "tcp_frto",
  "tcp_limit_output_bytes",
  "tcp_moderate_rcvbuf",
  "tcp_mtu_probing",
  "tcp_no_metrics_save",
  "tcp_notsent_lowat",
  "tcp_recovery",
  "tcp_reordering",
  "tcp_rmem",
  "tcp_sack",
  "tcp_slow_start_after_idle",
  "tcp_timestamps",
  "tcp_window_scaling",
  "tcp_wmem",
];

export async function describeEnvironment(browser: Browser, { number, loads }: Chunk): Promise<Environment> {
  const software = [...new Set(loads.map(({ condition }) => condition.server))];
  const server = agentsOf().find((host) => host !== "shaper") ?? "";
  const serverVersions = await Promise.all(
    software.map(async (name) => [name, await callHost<string>(server, "PUT", "/version", name)] as const),
  );
  return {
    startedAt: new Date().toISOString(),
    substrate: process.env.LAB_SUBSTRATE ?? "",
    clock: virtualClock ? "virtual" : "real",
    chunk: number,
    shaper: await callHost("shaper", "GET", "/backend"),
    machine: {
      cpu: os.cpus()[0]?.model ?? "",
      cores: os.cpus().length,
      memoryMiB: Math.round(os.totalmem() / 2 ** 20),
      kernel: os.release(),
    },
    versions: {
      browser: await browser.version(),
      harnessNode: process.version,
      iproute2: (await run(["ip", "-V"])).trim(),
      ...Object.fromEntries(serverVersions),
    },
    sandbox: !browser.process()?.spawnargs.includes("--no-sandbox"),
    sysctls: Object.fromEntries(sysctls.map((name) => [name, readSysctl(name)])),
  };
}

function readSysctl(name: string): string {
  try {
    return readFileSync(`/proc/sys/net/ipv4/${name}`, "utf8").trim();
  } catch {
    return "not there";
  }
}
