/** Tests whether the script ./lab runs a command in containers or on this machine. A program that prints its arguments stands in for Docker. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ExitCode } from "../schema/errors.ts";
import { LabCopy } from "./lab.ts";

const engine = mkdtempSync(join(tmpdir(), "lab-engine-"));
let copy: LabCopy;
before(async () => {
  writeFileSync(join(engine, "docker"), '#!/bin/sh\necho "engine: $* ($LAB_MADE)"\n', { mode: 0o755 });
  copy = await LabCopy.make();
  copy.put("results/mine/run.json", '{\n  "clock": "virtual"\n}\n');
  copy.put("results/other/run.json", '{\n  "clock": "real"\n}\n');
});
after(() => {
  rmSync(engine, { recursive: true });
  copy?.remove();
});

const said = (...words: string[]) => {
  const env = { ...process.env, PATH: `${engine}:${process.env.PATH}` };
  const { stdout, stderr } = spawnSync("./lab", words, { cwd: copy.folder, encoding: "utf8", env });
  return stdout + stderr;
};

for (const words of [["--resume", "results/mine"], ["--resume=results/mine"], ["--resume", "mine"]])
  test(`a run on the virtual clock is resumed on this machine, even if it has a Docker engine: ${words.join(" ")}`, () =>
    assert.doesNotMatch(said("run", ...words, "--dry-run"), /engine: compose/));

test("commands with folders as pages or with --out run on this machine, because containers cannot reach these paths", () => {
  assert.match(said("try", "--page", "A,B", "--dry-run"), /engine: compose run .* try --page A,B/);
  assert.doesNotMatch(said("try", "--page", "before/,dist/", "--dry-run"), /engine: compose/);
  assert.match(said("figures", "mine"), /engine: compose/);
  assert.doesNotMatch(said("figures", "mine", "--out", "here"), /engine: compose/);
});

test("a run on the real clock is resumed in the engine's containers", () =>
  assert.match(
    said("run", "--resume", "results/other", "--dry-run"),
    /engine: compose run .* run --resume results\/other/,
  ));

test("servers named in an experiment's axes are built for the containers; names in comments and titles are ignored", () => {
  const axes = "axes: {server: [caddy, node]} # not aioquic\ntitle: Not aioquic\n";
  copy.put("experiments/flow.yml", axes);
  copy.put("experiments/block.yml", "# caddy\naxes:\n  server:\n    - aioquic # not caddy\n");
  assert.match(said("run", "flow"), /run flow \(caddy\)/);
  assert.match(said("run", "block"), /run block \(aioquic\)/);
  assert.match(said("run", "--with", "server=caddy"), /server=caddy \(caddy\)/);
  assert.match(said("try", "--server", "nginx,aioquic"), /aioquic \(aioquic\)/);
  assert.match(said("run", "servers"), /run servers \(caddy\)/);
});

test("./lab test installs packages only for the checkout's folders; ./lab run also installs packages for servers next to an experiment elsewhere", () => {
  const original = readFileSync("hosts/packages.sh", "utf8");
  const outside = mkdtempSync(join(tmpdir(), "lab outside-"));
  try {
    copy.put("hosts/packages.sh", '#!/bin/sh\n[ "$1" = list ] && shift && printf "%s\\\\n" "$@" || { cat; exit 3; }\n');
    const listed = said("test").trim().split("\n");
    assert.ok(listed.includes("servers/caddy/") && listed.includes("test"), listed.join(" "));
    assert.deepEqual(
      listed.filter((folder) => folder.startsWith("/")),
      [],
    );
    mkdirSync(join(outside, "servers/mine"), { recursive: true });
    writeFileSync(join(outside, "mine.yml"), "axes: {server: [mine]}\n");
    const besides = said("run", join(outside, "mine.yml"), "--substrate", "netns").trim().split("\n");
    assert.ok(besides.includes(join(outside, "servers/mine/")), besides.join("\n"));
  } finally {
    copy.put("hosts/packages.sh", original);
    rmSync(outside, { recursive: true });
  }
});

test("if Node.js is installed, ./lab list runs on this machine, even if it has a Docker engine", () =>
  assert.doesNotMatch(said("list", "axes"), /engine: compose/));

describe("without Node.js and modules", () => {
  const programs = mkdtempSync(join(tmpdir(), "lab-programs-"));
  const bare = LabCopy.bare();
  for (const name of ["awk", "dirname", "echo", "grep", "readlink", "sed", "xargs"])
    symlinkSync(execFileSync("sh", ["-c", `which ${name}`], { encoding: "utf8" }).trim(), join(programs, name));
  after(() => {
    rmSync(programs, { recursive: true });
    bare.remove();
  });
  const ended = (...words: string[]) => endedWith(programs, ...words);
  const endedWith = (path: string, ...words: string[]) => {
    const { status, stdout, stderr } = spawnSync("./lab", words, {
      cwd: bare.folder,
      encoding: "utf8",
      env: { PATH: path },
    });
    assert.equal(existsSync(`${bare.folder}/.lab`), false, "./lab installed something");
    return { status, stdout, stderr };
  };
  const sections = new Map(
    readFileSync("harness/cli/help.txt", "utf8")
      .split(/^=== /m)
      .map((text) => [text.split("\n", 1)[0]!, text.slice(text.indexOf("\n") + 1)]),
  );

  for (const [words, topic] of [
    ["--help", "lab"],
    ["-h", "lab"],
    ["help", "lab"],
    ["run --help", "lab run"],
    ["run h1-h2-h3 --loads 3 --help", "lab run"],
    ["help bench", "lab bench"],
    ["bench overhead --help", "lab bench overhead"],
    ["page import --help", "lab page import"],
    ["test --help", "lab test"],
  ] as const)
    test(`./lab ${words} prints help`, () =>
      assert.deepEqual(ended(...words.split(" ")), { status: 0, stdout: sections.get(topic), stderr: "" }));

  const arm = mkdtempSync(join(tmpdir(), "lab-arm-"));
  writeFileSync(join(arm, "uname"), "#!/bin/sh\necho aarch64\n", { mode: 0o755 });
  after(() => rmSync(arm, { recursive: true }));
  for (const words of ["gate dist --against main-dist", "run --clock virtual", "try --page A --clock=virtual"])
    test(`on a processor that cannot run the virtual clock, ./lab ${words} is refused before anything is installed`, () => {
      const { status, stderr } = endedWith(`${arm}:${programs}`, ...words.split(" "));
      assert.equal(status, ExitCode.machineCannot);
      assert.match(
        stderr,
        /^lab: \.\/lab \w+ needs the virtual clock, which requires x86-64, but this machine is aarch64: .*\n.*\.\/lab try/,
      );
    });

  test("./lab --version without git prints the version, and that the commit is unknown", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    assert.equal(ended("--version").stdout, `Pageload Lab ${version}, commit unknown\n`);
  });

  for (const [words, message] of [
    ["", /^Usage: lab /],
    ["page", /^Usage: lab page /],
    ["fly", /^lab: unknown command 'fly'; known: run try gate /],
    ["fly --help", /^lab: unknown command 'fly'/],
    ["bench fly", /^lab: unknown command 'fly'; known: overhead peer /],
    ["--bogus", /^lab: unknown option '--bogus'/],
    ["run --bogus=1", /^lab: unknown option '--bogus'/],
    ["gate dist --load 3", /^lab: unknown option '--load'/],
  ] as const)
    test(`./lab ${words} is refused`, () => {
      const { status, stderr } = ended(...words.split(" ").filter(Boolean));
      assert.equal(status, ExitCode.usage);
      assert.match(stderr, message);
    });
});

test(
  "on a read-only file system, ./lab says so and suggests a writable clone",
  { skip: process.getuid?.() !== 0 && "only root may mount" },
  () => {
    const mounted =
      'mount --bind "$PWD" "$PWD" && mount -o remount,bind,ro "$PWD" && cd "$PWD" && ./lab run --clock virtual';
    const { status, stderr } = spawnSync("unshare", ["--mount", "sh", "-c", mounted], {
      cwd: copy.folder,
      encoding: "utf8",
    });
    assert.equal(status, ExitCode.machineCannot);
    assert.match(stderr, /is on a read-only file system: use a writable clone/);
  },
);
