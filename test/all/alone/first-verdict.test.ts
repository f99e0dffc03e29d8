/**
 * Runs the commands at the beginning of docs/ci.md as a new user with only Docker would: the image comes from a registry over a link of
 * 100 Mb/s. Prints how long each step takes.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { cannotStartEngine as skip } from "../../docker/engine.ts";
import { LabOnEngine } from "../../docker/lab.ts";

const [direct, overLink] = ["127.0.0.1:5001/lab", "127.0.0.1:5000/lab"];
const folder = mkdtempSync(join(tmpdir(), "lab-first-"));
let lab: LabOnEngine;
before(async () => {
  if (skip) return;
  lab = await LabOnEngine.onFreshEngine(join(folder, "engine"));
  await lab.importMachine("machine");
  const build = { context: ".", network: "host" };
  const args = { KERNEL: "machine", ROOT: "machine" };
  const services = {
    virtual: { image: direct, build: { ...build, target: "virtual", args } },
    registry: { build: { ...build, context: "test/docker/registry" }, network_mode: "host" },
  };
  writeFileSync(join(lab.folder, "images.json"), JSON.stringify({ services }));
  await lab.compose("--file", "images.json", "build", "--quiet");
  await lab.compose("--file", "images.json", "up", "--detach", "registry");
  await lab.run("docker", "push", "--quiet", direct);
  // The images are removed because the engine does not download layers that it already has.
  await lab.run("docker", "image", "rm", direct, "machine");
  await lab.run("docker", "builder", "prune", "--all", "--force");
});
after(async () => {
  await lab?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const text = readFileSync("docs/ci.md", "utf8");
const [, alias = ""] = /^ {4}(alias lab='docker .*?')/m.exec(text) ?? [];
const [commands = ""] = /^ {4}mkdir dist\n(?: {4}.*\n)+/m.exec(text) ?? [];

/** Runs each line in turn in a shell with this alias. @returns the exit code and seconds of each line */
function follow(
  alias: string,
  lines: readonly string[],
  user: string,
): { line: string; code: number | null; seconds: number }[] {
  mkdirSync(user);
  return lines.map((line) => {
    const start = performance.now();
    const script = `shopt -s expand_aliases\n${alias}\n${line}`;
    const { status, stderr } = spawnSync("bash", ["-c", script], { cwd: user, env: lab.env, encoding: "utf8" });
    assert.doesNotMatch(stderr, /command not found/);
    return { line, code: status, seconds: (performance.now() - start) / 1000 };
  });
}

for (const [way, command] of [
  ["docker run", () => alias.replace(/\S+:VERSION/, overLink)],
  ["npx", () => `alias lab='PAGELOAD_LAB_IMAGE=${overLink} npx --yes ${process.cwd()}/npx'`],
] as const)
  test(
    `the commands in docs/ci.md print a green and a red verdict, with the lab started by ${way}`,
    { skip, timeout: 1_200_000 },
    async (t) => {
      const lines = commands
        .trim()
        .split("\n")
        .map((line) => line.trim());
      const steps = follow(command(), lines, join(folder, way.replace(" ", "-")));
      for (const { line, seconds } of steps) t.diagnostic(`${seconds.toFixed(1)} s: ${line}`);
      const expected = lines.map((line) => Number(/exit code (\d)/.exec(line)?.[1] ?? 0));
      assert.deepEqual(
        steps.map(({ code }) => code),
        expected,
      );
      assert.ok(expected.includes(1), "one command has a red verdict");
      t.diagnostic(`${steps.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(0)} s in total`);
      await lab.run("docker", "image", "rm", overLink);
    },
  );
