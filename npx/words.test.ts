import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { ExitCode } from "../schema/errors.ts";
import { gateOptions } from "./help.js";
import { exitCodes, Refusal } from "./refusal.js";
import { forContainer, paths } from "./words.js";

const folder = mkdtempSync(`${tmpdir()}/lab-npx-`);
after(() => rmSync(folder, { recursive: true }));
for (const name of ["dist", "main-dist", "ci"]) mkdirSync(`${folder}/${name}`);
writeFileSync(`${folder}/shop.har`, "{}");
const config = (text: string) => writeFileSync(`${folder}/ci/pageload.yml`, text);

test("`paths` lists exactly the options whose value is a file or a page", () =>
  assert.deepEqual(
    [...gateOptions].flatMap(([name, { kind }]) => (kind === "file" || kind === "page" ? [name] : [])).sort(),
    Object.keys(paths)
      .filter((name) => name !== "page")
      .sort(),
  ));

test("the package's exit codes equal the lab's", () => {
  for (const [name, code] of Object.entries(exitCodes)) assert.equal(ExitCode[name as keyof typeof exitCodes], code);
});

const read = (option: string, name: string) => ({
  source: `${folder}/${name}`,
  target: `/given/${option}/${name}`,
  readonly: true,
});

test("pages are mounted read-only, without their parent folders; options that are not paths stay unchanged", () =>
  assert.deepEqual(
    forContainer(["--links", "4G,Cable", "dist", "--json", "--against", "main-dist", "--loads=5"], folder),
    {
      words: ["--links=4G,Cable", "/given/page/dist", "--json", "--against=/given/against/main-dist", "--loads=5"],
      mounts: [read("page", "dist"), read("against", "main-dist")],
    },
  ));

test("a HAR with an absolute path is mounted as a file, and the argument after -- is the page", () =>
  assert.deepEqual(forContainer(["--server-times", "--", `${folder}/shop.har`], "/"), {
    words: ["--server-times", "/given/page/shop.har"],
    mounts: [read("page", "shop.har")],
  }));

test("the folder of an output file is created, and mounted writable", () => {
  assert.deepEqual(forContainer(["--junit", "out/deep/junit.xml"], folder), {
    words: ["--junit=/given/junit/junit.xml"],
    mounts: [{ source: `${folder}/out/deep`, target: "/given/junit", readonly: false }],
  });
  assert.ok(existsSync(`${folder}/out/deep`));
});

test("--resume has a value only if the next argument is not an option", () => {
  assert.deepEqual(forContainer(["--resume"], folder).words, ["--resume"]);
  assert.deepEqual(forContainer(["--resume", "--json"], folder).words, ["--resume", "--json"]);
  assert.deepEqual(forContainer(["--resume", "2026-gate"], folder).words, ["--resume=2026-gate"]);
});

test("a --config file is mounted with its folder", () => {
  config("page: dist\nlinks: [4G]\n");
  assert.deepEqual(forContainer(["--config", "ci/pageload.yml"], folder), {
    words: ["--config=/given/config/pageload.yml"],
    mounts: [{ source: `${folder}/ci`, target: "/given/config", readonly: true }],
  });
});

test("a --config file that names a page outside the file's folder is refused, unless the command line gives this page", () => {
  config("page: dist\nagainst: ../main-dist\n");
  const words = ["--config", "ci/pageload.yml"];
  assert.throws(() => forContainer(words, folder), {
    code: exitCodes.usage,
    message: /pageload\.yml has "against: \.\.\/main-dist".* give --against on the command line$/,
  });
  assert.equal(forContainer([...words, "--against", "main-dist"], folder).mounts.length, 2);
  config('page: "/srv/dist"\n');
  assert.throws(() => forContainer(words, folder), { message: /give the page on the command line$/ });
});

for (const [words, message] of [
  [["dist", "--load", "3"], /^unknown option '--load'; known: --config --against /],
  [["dist", "--from", "/"], /^unknown option '--from'/],
  [["dist", "--against"], /^--against needs a value$/],
  [["none"], /^none does not exist$/],
  [["dist", "--against=none"], /^none does not exist$/],
] as const)
  test(`the arguments "${words.join(" ")}" are refused`, () =>
    assert.throws(
      () => forContainer(words, folder),
      (error: Refusal) => error instanceof Refusal && error.code === ExitCode.usage && message.test(error.message),
    ));
