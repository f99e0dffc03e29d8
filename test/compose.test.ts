/** compose.yml as a user's engine runs it: built, brought up, measured with, taken down. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test, { after, before } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { LoadRecord } from "../harness/model.ts";
import { docker } from "./docker/command.ts";
import { type Engine, startEngine } from "./docker/engine.ts";

const checkout = dirname(dirname(fileURLToPath(import.meta.url)));
const project = `pageload-lab-test-${process.pid}`;
const agents = ["shaper", "server1", "server2", "server3", "server4"];
const small = ["run", "--loads", "2", "--only", "page=A", "--only", "servers=1", "--only", "channel=10x1-100ms-0%", "--only", "initcwnd=3"];
const upLimitMs = 180_000;
const prepareLimitMs = 20_000;
const execute = promisify(execFile);

const mayStart = process.getuid?.() === 0 && existsSync("/etc/debian_version");
const skip = mayStart ? false : "starting an engine needs root on a Debian";

let engine: Engine;
let folder: string;

before(async () => {
  if (skip) return;
  engine = await startEngine();
  folder = await copyOfCheckout();
  await compose("build", "--quiet");
});

after(async () => {
  if (folder) await compose("down", "--volumes").catch(() => {});
  await engine?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test("the harness works without the other hosts", { skip }, async () => {
  const conditions = JSON.parse(await compose("run", "--rm", "--no-deps", "harness", "plan", "--json")) as unknown[];
  assert.equal(conditions.length, 288);
});

test("`docker compose up` measures, and ends as the harness does", { skip }, async (t) => {
  const { code, output } = await up(small);
  assert.equal(code, 0, output);
  const runFolder = join(folder, "results", readdirSync(join(folder, "results"))[0] ?? "");
  const loads = jsonLines<LoadRecord & { ok: true }>(join(runFolder, "loads.jsonl"));
  assert.deepEqual(loads.map(({ protocol, ok }) => `${protocol} ${ok}`).sort(), ["h1 true", "h1 true", "h2 true", "h2 true"]);

  const [lane] = jsonLines<{ substrate: string; shaper: { name: string; kernel: string } }>(join(runFolder, "lanes.jsonl"));
  assert.equal(lane?.substrate, "compose");
  assert.match(lane?.shaper.name ?? "", /^(kernel|uml)$/);

  const [h1, h2] = ["h1", "h2"].map((protocol) => mean(loads.filter((load) => load.protocol === protocol).map((load) => load.pageLoadMs)));
  t.diagnostic(`page A at 10/1 Mb/s, 100 ms: h1 ${h1?.toFixed(0)} ms, h2 ${h2?.toFixed(0)} ms; shaped by ${lane?.shaper.name} ${lane?.shaper.kernel}`);
  assert.ok(h1 && h2 && h1 > 1500 && h1 > h2, "a link of 100 ms slows HTTP/1.1 down more");
});

test("a usage error is the exit code of `docker compose up`", { skip }, async () => {
  const { code, output } = await up(["run", "--only", "page=Z"]);
  assert.equal(code, 2, output);
  assert.match(output, /there is no page "Z"/);
});

test("packets of every host are as on a wire", { skip }, async () => {
  await compose("up", "--detach", "--force-recreate", ...agents);
  for (const agent of agents)
    for (const device of agent === "shaper" ? ["eth0", "eth1"] : ["eth0"]) {
      // Agents take a moment to prepare their host.
      const end = Date.now() + prepareLimitMs;
      while ((await offloadsOn(agent, device)).length && Date.now() < end) await sleep(100);
      assert.deepEqual(await offloadsOn(agent, device), [], `${agent} ${device}`);
    }
});

test("down leaves nothing", { skip }, async () => {
  await compose("down", "--volumes");
  const label = ["--quiet", "--filter", `label=com.docker.compose.project=${project}`];
  for (const list of [["ps", "--all"], ["network", "ls"], ["volume", "ls"]])
    assert.equal(await docker(env(), ...list, ...label), "", list.join(" "));
});

async function offloadsOn(host: string, device: string): Promise<string[]> {
  const features = await compose("exec", "-T", host, "ethtool", "-k", device);
  return features.split("\n").filter((line) => /^(tcp-segmentation|generic-(segmentation|receive))-offload: on/.test(line));
}

/** What git would take: its results are the test's own, and Compose reads an override that lies beside compose.yml. */
async function copyOfCheckout(): Promise<string> {
  const { stdout } = await execute("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: checkout });
  const copy = mkdtempSync(join(tmpdir(), "pageload-lab-compose-"));
  for (const file of stdout.split("\0").filter((path) => path && !path.startsWith("results/") && existsSync(join(checkout, path))))
    cpSync(join(checkout, file), join(copy, file));
  return copy;
}

function env(): NodeJS.ProcessEnv {
  return { ...engine.env, COMPOSE_PROJECT_NAME: project };
}

async function compose(...args: string[]): Promise<string> {
  return (await execute("docker", ["compose", ...args], { cwd: folder, env: env(), maxBuffer: 1 << 26 })).stdout;
}

/** `docker compose up`, the harness with other words; Ctrl-C after a while. */
async function up(command: string[]): Promise<{ code: number | null; output: string }> {
  writeFileSync(join(folder, "compose.override.yml"), JSON.stringify({ services: { harness: { command } } }));
  const child = spawn("docker", ["compose", "up", "--exit-code-from", "harness"], { cwd: folder, env: env(), stdio: ["ignore", "pipe", "pipe"] });
  const limit = setTimeout(() => child.kill("SIGINT"), upLimitMs);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  clearTimeout(limit);
  return { code, output };
}

const jsonLines = <T>(path: string) => readFileSync(path, "utf8").trim().split("\n").map((line) => JSON.parse(line) as T);

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
