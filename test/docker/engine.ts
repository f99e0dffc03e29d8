// Starts a real Docker engine with firewall rules, for the tests of compose.yml, even if Docker is not installed.
// By hand: node --import tsx test/docker/engine.ts docker compose up
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { needsOwnKernel } from "../../shaper/user-mode-kernel.ts";
import { hasNetem } from "../../substrate/checks.ts";
import { docker, run, works } from "./command.ts";

/** Why tests that need an engine are skipped here. */
export const cannotStartEngine =
  process.getuid?.() !== 0 || !existsSync("/etc/debian_version") ? "only root on Debian can start an engine" : false;

/** Why tests of compose.yml are skipped here. */
export const cannotShape =
  cannotStartEngine ||
  (needsOwnKernel() && !(await hasNetem())
    ? "the shaper's image has Debian's user-mode Linux, which does not start on processors with AMX"
    : false);

export interface Engine {
  /** The environment for every child process that calls `docker`. */
  env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

const script = fileURLToPath(new URL("engine.sh", import.meta.url));
/** Shared by all checkouts (one at a time, by the lock in engine.sh), because unpacking an engine and building its base image take minutes. */
const sharedCache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "pageload-lab/docker");
const baseImage = "debian:trixie-slim";
// Packages and the base image are fetched on the first start of a week.
const startLimitMs = 900_000;
const stopLimitMs = 60_000;

/** Returns the engine that already runs on this machine, or else starts a separate engine that ends with this process. */
export async function startEngine(): Promise<Engine> {
  if ((await works(process.env, "docker", "version")) && (await works(process.env, "docker", "compose", "version")))
    return { env: process.env, stop: async () => {} };
  if (process.getuid?.() !== 0)
    throw new Error(
      "No Docker engine with Compose v2 answers, and only root can start one: install both, or run the tests as root.",
    );
  return startOwnEngine();
}

/**
 * Starts a separate engine, which only root can do.
 * @param cache a folder for the engine's programs and images; with an empty folder, the engine has no images
 */
export async function startOwnEngine(cache = sharedCache): Promise<Engine> {
  mkdirSync(cache, { recursive: true });
  // A socket's path is limited to 107 bytes; a checkout's path may be longer.
  const runFolder = mkdtempSync(join(tmpdir(), "pageload-lab-docker-"));
  const logFile = join(cache, "engine.log");
  const log = openSync(logFile, "a"); // engine.sh empties the log when it gets the cache's lock
  // The script is detached, because otherwise Ctrl-C would kill it before it has cleaned up. It ends when its stdin closes.
  const engine = spawn("sh", [script, cache, runFolder], { stdio: ["pipe", log, log], detached: true });
  closeSync(log);
  const socket = `${runFolder}/docker.sock`;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    DOCKER_HOST: `unix://${socket}`,
    DOCKER_CONFIG: join(cache, "config"),
  };
  delete env.DOCKER_CONTEXT;
  try {
    await untilReady(engine, socket, { ...env, PATH: binaries(cache) });
    env.PATH = binaries(cache);
    await removeLeftovers(env);
    await importBaseImage(env, cache);
    return { env, stop: () => stopOwnEngine(engine, env) };
  } catch (cause) {
    await end(engine);
    rmSync(runFolder, { recursive: true, force: true });
    throw new Error(`The Docker engine did not start. The end of ${logFile}:\n${lastLines(logFile)}`, { cause });
  }
}

async function stopOwnEngine(engine: ChildProcess, env: NodeJS.ProcessEnv) {
  try {
    if (isRunning(engine)) await removeLeftovers(env);
  } finally {
    await end(engine);
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

async function untilReady(engine: ChildProcess, socket: string, env: NodeJS.ProcessEnv) {
  for (const start = Date.now(); Date.now() - start < startLimitMs; await sleep(50)) {
    if (!isRunning(engine)) throw new Error(`engine.sh ended with ${engine.exitCode ?? engine.signalCode}`);
    if (existsSync(socket) && (await works(env, "docker", "version"))) return;
  }
  throw new Error(`dockerd did not answer within ${startLimitMs / 1000} s`);
}

/** Returns a PATH: first the unpacked programs, then the machine's PATH, then folders that root's PATH may lack. */
function binaries(cache: string) {
  const unpacked = ["usr/sbin", "usr/bin"].map((folder) => join(cache, "root", folder));
  return [...unpacked, process.env.PATH, "/usr/sbin", "/sbin"].join(delimiter);
}

/** Removes the containers, networks and volumes that crashed tests left, because they could disturb later tests. Keeps images, for speed. */
async function removeLeftovers(env: NodeJS.ProcessEnv) {
  const containers = (await docker(env, "ps", "--all", "--quiet")).split("\n").filter(Boolean);
  if (containers.length > 0) await docker(env, "rm", "--force", "--volumes", ...containers);
  await docker(env, "network", "prune", "--force");
  const volumes = (await docker(env, "volume", "ls", "--quiet")).split("\n").filter(Boolean);
  if (volumes.length > 0) await docker(env, "volume", "rm", "--force", ...volumes);
}

async function importBaseImage(env: NodeJS.ProcessEnv, cache: string) {
  const changes = readFileSync(join(cache, "base.changes"), "utf8").trim().split("\n");
  const label = '{{index .Config.Labels "pageload-lab.base"}}';
  const present = await docker(env, "image", "inspect", "--format", label, baseImage).catch(() => "");
  if (changes.includes(`LABEL pageload-lab.base=${present}`)) return;
  // Images that were built on the previous base image are outdated, too; if they stayed, the data root would grow forever.
  await docker(env, "system", "prune", "--all", "--force");
  const flags = changes.flatMap((change) => ["--change", change]);
  await docker(env, "import", ...flags, join(cache, "base.tar"), baseImage);
}

async function end(engine: ChildProcess) {
  engine.stdin?.end();
  for (const start = Date.now(); isRunning(engine); await sleep(20)) {
    if (Date.now() - start < stopLimitMs) continue;
    // Kills the whole session, which contains only what the script started.
    if (engine.pid !== undefined) process.kill(-engine.pid, "SIGKILL");
    throw new Error(`dockerd did not stop within ${stopLimitMs / 1000} s; it was killed`);
  }
}

const lastLines = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n").slice(-15).join("\n");

/** `engine.ts <command> [argument...]` runs one command against an engine. */
async function main([command, ...args]: string[]) {
  if (command === undefined) return 2;
  const engine = await startEngine();
  try {
    return await run(engine.env, command, args);
  } finally {
    await engine.stop();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.on("SIGINT", () => {}); // the command gets the signal too and ends; then the engine ends
  process.exitCode = await main(process.argv.slice(2));
}
