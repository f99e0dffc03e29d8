/** The npm package as a user gets it: packed, installed by npx, and run. A program that prints its arguments stands in for the engine. */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { ExitCode } from "../schema/errors.ts";

const folder = mkdtempSync(join(tmpdir(), "lab-npx-"));
const user = join(folder, "user");
const programs = join(folder, "programs");
after(() => rmSync(folder, { recursive: true }));

/** Creates a program that stands in for an engine: it runs the script `container` instead of a container. */
const engine = (name: string, container: string) =>
  writeFileSync(join(programs, name), `#!/bin/sh\n[ "$1" != info ] || { echo "[]"; exit 0; }\n${container}\n`, {
    mode: 0o755,
  });

const environment = {
  PATH: `${programs}:${dirname(process.execPath)}:/bin:/usr/bin`,
  HOME: user,
  npm_config_cache: join(folder, "cache"),
  npm_config_offline: "true",
  npm_config_update_notifier: "false",
  PAGELOAD_LAB_IMAGE: "lab",
};
const tarball = () => readdirSync(user).find((name) => name.endsWith(".tgz")) ?? "none";
before(() => {
  for (const path of [programs, join(user, "dist"), join(user, "main-dist")]) mkdirSync(path, { recursive: true });
  // A copy, because packing adds files to the folder.
  for (const path of ["npx", "harness/cli/help.txt", "LICENSE"])
    cpSync(path, join(folder, "lab", path), { recursive: true });
  execFileSync("npm", ["pack", "--silent", join(folder, "lab/npx")], { cwd: user, encoding: "utf8" });
  execFileSync("tar", ["-xf", join(user, tarball()), "-C", folder]);
});

const silent = (name: string) =>
  writeFileSync(join(programs, name), "#!/bin/sh\necho 'no daemon' >&2\nexit 1\n", { mode: 0o755 });

const program = join(folder, "package/main.js");
/** Runs the program of the unpacked package, without npx. @param options the options of Node.js */
const unpacked = (words: string, ...options: string[]) =>
  spawnSync(process.execPath, [...options, program, ...words.split(" ")], {
    cwd: user,
    encoding: "utf8",
    env: environment,
  });
const start = () => spawn(process.execPath, [program, ...gate.split(" ")], { cwd: user, env: environment });
const gate = "gate dist --against main-dist";

test("the packed file has fewer than 16 kB, and the lab's version in its name", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  assert.equal(tarball(), `pageload-lab-${version}.tgz`);
  const { size } = statSync(join(user, tarball()));
  assert.ok(size < 16_000, `${size} bytes`);
});

test("npx with the packed file runs the image's container, and exits with the container's exit code", () => {
  engine("docker", 'shift 3\nprintf "%s\\n" "$@"\nexit 7');
  const { status, stdout, stderr } = spawnSync("npx", ["--yes", `./${tarball()}`, ...gate.split(" ")], {
    cwd: user,
    encoding: "utf8",
    env: environment,
  });
  assert.equal(status, ExitCode.undecided, stderr);
  const words = stdout.trim().split("\n");
  assert.deepEqual(words.slice(words.indexOf("lab")), [
    "lab",
    "gate",
    "/given/page/dist",
    "--against=/given/against/main-dist",
  ]);
  assert.ok(words.includes(`type=bind,"source=${user}/results","target=/lab/results"`), stdout);
  assert.ok(words.includes(`type=bind,"source=${user}/dist","target=/given/page/dist",readonly`), stdout);
  assert.ok(words.includes(`${process.getuid?.()}:${process.getgid?.()}`), stdout);
});

test("the package prints the gate's help with the usage `npx pageload-lab gate`, and no help of other commands", () => {
  const { stdout } = unpacked("gate --help");
  assert.match(stdout, /^Usage: npx pageload-lab gate \[options\] \[page\]\n[^=]*--against <page> /);
  assert.doesNotMatch(stdout, /===/);
});

test("Podman is used if Docker does not answer", () => {
  silent("docker");
  engine("podman", "echo podman");
  assert.equal(unpacked(gate).stdout, "podman\n");
});

test("if neither Docker nor Podman answers, the package prints what to do", () => {
  silent("docker");
  silent("podman");
  const { status, stderr } = unpacked(gate);
  assert.equal(status, ExitCode.machineCannot);
  assert.match(
    stderr,
    /docker is installed but does not answer: no daemon\npodman .*\nStart it.*\nOn Debian 12 or 13 .*git clone .*\nOn other systems, install/,
  );
});

test("if the engine does not start the container, the error names the engine", () => {
  engine("docker", "echo no such image >&2; exit 125");
  const { status, stderr } = unpacked(gate);
  assert.equal(status, ExitCode.machineCannot);
  assert.match(stderr, /^no such image\nlab: docker did not start the container/);
});

test("on an Arm processor, the package fails before it looks for an engine", () => {
  engine("docker", "echo started");
  const fake = 'data:text/javascript,Object.defineProperty(process,"arch",{value:"arm64"})';
  const { status, stdout, stderr } = unpacked(gate, "--import", fake);
  assert.equal(status, ExitCode.machineCannot);
  assert.match(stderr, /^lab: the gate runs only on x86-64, and this machine is arm64/);
  assert.equal(stdout, "");
});

for (const signal of ["SIGINT", "SIGTERM"] as const)
  test(`${signal} ends the container, and the package exits with the container's exit code`, async () => {
    // This program stands in for `docker run`, which forwards signals and waits for the container.
    engine("docker", `trap 'echo ${signal}; exit 130' INT TERM\necho started\nwhile :; do sleep 0.05; done`);
    const child = start();
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (printed === "") child.kill(signal);
      printed += text;
    });
    assert.deepEqual(await once(child, "close"), [ExitCode.interrupted, null]);
    assert.equal(printed, `started\n${signal}\n`);
  });

test("a second signal kills the container", async () => {
  const killed = join(folder, "killed");
  engine(
    "docker",
    `[ "$1" != kill ] || { echo "$2" >'${killed}'; exit; }\ntrap 'echo again' INT\necho started\nuntil [ -e '${killed}' ]; do sleep 0.05; done\nexit 137`,
  );
  const child = start();
  child.stdout.on("data", () => child.kill("SIGINT"));
  assert.deepEqual(await once(child, "close"), [137, null]);
  assert.match(readFileSync(killed, "utf8"), /^pageload-lab-/);
});
