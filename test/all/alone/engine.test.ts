import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import test from "node:test";
import { docker } from "../../docker/command.ts";
import { type Engine, cannotStartEngine as skip, startEngine } from "../../docker/engine.ts";

test("the tests' Docker engine runs a container, and leaves no process or file once stopped", { skip }, async (t) => {
  const engine = await startEngine();
  t.after(() => engine.stop());
  const version = await docker(
    engine.env,
    "run",
    "--rm",
    "--network=none",
    "debian:trixie-slim",
    "cat",
    "/etc/debian_version",
  );
  assert.match(version, /^13\./);
  if (engine.env === process.env) return t.skip("this machine has an engine, so the tests did not start their own");
  await docker(engine.env, "run", "--detach", "--network=none", "debian:trixie-slim", "sleep", "1000");

  const folder = runFolder(engine);
  assert.notEqual(processesNaming(folder).length, 0, "no engine runs, so the next check would prove nothing");
  await engine.stop();
  assert.deepEqual(processesNaming(folder), []);
  assert.equal(existsSync(folder), false);
});

const runFolder = ({ env }: Engine) => dirname((env.DOCKER_HOST ?? "").replace("unix://", ""));

function processesNaming(text: string) {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .map(commandLine)
    .filter((line) => line.includes(text));
}

function commandLine(pid: string) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // the process has ended since /proc was listed
  }
}
