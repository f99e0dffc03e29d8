/**
 * A paper's run with its own server, axes, model, metric, link, page and claims is bundled into one archive. On another machine, without a
 * network, privileges or Node.js, the archive suffices to verify the run and to repeat it.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename } from "node:path";
import { after, before, test } from "node:test";
import { ExitCode } from "../../schema/errors.ts";
import { LabCopy } from "../lab.ts";
import { putPaper } from "../paper.ts";

const skip = process.getuid?.() === 0 ? false : "only root can remove the network and the privileges";
const [elsewhere, paper] = [mkdtempSync(`${tmpdir()}/bundle-`), mkdtempSync(`${tmpdir()}/paper-`)];
let copy: LabCopy;
let run: string;
const archive = `${elsewhere}/mine.tar.gz`;

const inCopy = (program: string, ...words: string[]) =>
  execFileSync(program, words, { cwd: copy.folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

before(async () => {
  copy = await LabCopy.make({ virtualClock: true });
  // The run's commit has the files of this working tree.
  inCopy("git", "init", "--quiet");
  inCopy("git", "add", "--all", ".", ":(exclude)node_modules");
  inCopy("git", "-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "--quiet", "--message", "test");
  copy.put(".git/info/exclude", "/node_modules\n");
  const made = await copy.virtualRun(putPaper(paper));
  rmSync(paper, { recursive: true });
  assert.equal(made.code, ExitCode.done, made.stderr);
  run = made.folder;
});
after(() => {
  copy?.remove();
  for (const folder of [elsewhere, paper]) rmSync(folder, { recursive: true, force: true });
});

/** Runs ./lab as nobody, without a network, with a PATH that has no Node.js. */
function asStranger(folder: string, ...words: string[]) {
  const bin = `${elsewhere}/bin`;
  if (!existsSync(bin)) {
    mkdirSync(bin);
    for (const name of readdirSync("/usr/bin").filter((one) => !/^(node|nodejs|npm|npx)$/.test(one)))
      symlinkSync(`/usr/bin/${name}`, `${bin}/${name}`);
  }
  const nobody = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"];
  const bare = ["env", "--ignore-environment", "HOME=/nonexistent", `PATH=${bin}`];
  return spawnSync("unshare", ["--net", ...nobody, ...bare, "./lab", ...words], { cwd: folder, encoding: "utf8" });
}

test("a user without network, privileges or Node.js can verify and repeat a --with-machine bundle", { skip }, () => {
  inCopy("./lab", "bundle", run, "--with-machine", "--author", "Ada Lovelace", "--out", archive);
  const folder = `${elsewhere}/unpacked`;
  mkdirSync(folder);
  execFileSync("tar", ["--extract", "--no-same-owner", `--file=${archive}`, `--directory=${folder}`]);
  const bundle = `${folder}/${basename(run)}`;
  execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: bundle });
  assert.match(readFileSync(`${bundle}/CITATION.cff`, "utf8"), /name: Ada Lovelace/);
  execFileSync("chown", ["--recursive", "nobody", elsewhere]);
  execFileSync("chmod", ["755", elsewhere]);

  const refused = asStranger(`${bundle}/lab`, "verify", "../run");
  assert.match(refused.stderr, /made with code of its own.*lab trust \.\.\/run/);
  assert.equal(asStranger(`${bundle}/lab`, "trust", "../run").status, ExitCode.done);
  const verified = asStranger(`${bundle}/lab`, "verify", "../run");
  assert.equal(verified.status, ExitCode.done, verified.stderr);
  assert.ok(readFileSync(`${bundle}/README.md`, "utf8").includes(verified.stdout.split("\n", 1)[0]!));
  const tables = asStranger(`${bundle}/lab`, "tables", "../run");
  assert.equal(tables.stdout, readFileSync(`${bundle}/tables.md`, "utf8"));
  const again = asStranger(`${bundle}/lab`, "reproduce", "../run", "--chunks", "all");
  assert.equal(again.status, ExitCode.done, again.stderr);
  const lines = [...again.stdout.matchAll(/made again: (\d+) of (\d+) lines/g)];
  assert.ok(lines.length >= 2 && lines.every(([, same, all]) => same === all), again.stdout);
});

test("`verify` refuses an archive with code of its own; after `trust`, the run is valid, and `reproduce` gives the same bytes", async () => {
  rmSync(`${copy.folder}/.lab/trusted`, { recursive: true });
  assert.match((await copy.lab("verify", archive)).stderr, /made with code of its own.*lab trust/);
  assert.match((await copy.lab("trust", archive)).stdout, /mine\.tar\.gz: its lab, kernel, programs and modules/);
  assert.match((await copy.lab("verify", archive)).stdout, /^Valid: 4 of 4 loads;/);
  const again = await copy.lab("reproduce", archive);
  assert.equal(again.code, ExitCode.done, again.stderr);
  assert.match(again.stdout, /the same, byte for byte/);
});

test("two bundles of a run have the same bytes, and an existing archive is not overwritten", async () => {
  const names = ["first", "second"].map((name) => `${elsewhere}/${name}.tar.gz`);
  for (const name of names) assert.equal((await copy.lab("bundle", run, "--out", name)).code, ExitCode.done);
  assert.ok(readFileSync(names[0]!).equals(readFileSync(names[1]!)));
  const { code, stderr } = await copy.lab("bundle", run, "--out", names[0]!);
  assert.match(stderr, /first\.tar\.gz exists already/);
  assert.equal(code, ExitCode.usage);
});
