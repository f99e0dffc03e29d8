/** Which files of an experiment's folder are added to the lab, how they are added, and which of them a run keeps. */
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { after, beforeEach, test } from "node:test";
import { addedFiles, addedPath, useAdded, withAddedPaths } from "../../../hosts/added.ts";
import { experimentAt, filesBeside } from "./beside.ts";
import { addedIn, filesKept, keepAdded, requireAdded, usedOf } from "./kept.ts";
import { stage } from "./staged.ts";
import { trust } from "./trusted.ts";

const [checkout, base] = [process.cwd(), mkdtempSync(`${tmpdir()}/added-test-`)];
let count = 0;
/** Each test has its own checkout, with a paper's folder next to it. */
beforeEach(() => {
  const folder = `${base}/${count++}/lab`;
  mkdirSync(folder, { recursive: true });
  process.chdir(folder);
  for (const name of ["clients", "hosts", "models", "observe", "schema", "servers", "shaper", "sites"]) mkdirSync(name);
  put("axes/axis.ts", "export const isAxis = true;");
  put("metrics/metric.ts", "");
  put("../paper/small.yml", "title: small");
  put("../paper/axes/ports.axis.ts", 'export { isAxis } from "./axis.ts";');
});
after(() => {
  useAdded(undefined);
  process.chdir(checkout);
  rmSync(base, { recursive: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
const paths = () => [...filesBeside("../paper/small.yml").keys()];

test("files beside an experiment are added if they are claims, links, axes, servers or pages, and not if they are notes or tests", () => {
  for (const path of ["links.yml", "small.claims.yml", "notes.yml", "README.md", "models/large.bin", "axes/a.test.ts"])
    put(`../paper/${path}`, path);
  for (const path of ["pages/mine/index.html", "pages/mine/.git/x", "pages/other/x.txt", "servers/h/server.ts"])
    put(`../paper/${path}`, path);
  put("../paper/servers/old/notes.txt", "");
  assert.deepEqual(paths(), [
    "experiments/small.yml",
    "experiments/small.claims.yml",
    "links.yml",
    "axes/ports.axis.ts",
    "servers/h/server.ts",
    "pages/mine/index.html",
  ]);
  assert.deepEqual([...filesBeside("../paper/small.yml", { only: true }).keys()], paths().slice(0, 2));
});

test("a path that is not an experiment's, and a symbolic link among a page's files, are refused; the message has the path", () => {
  assert.throws(() => experimentAt("../paper/none.yml"), /none\.yml: there is no such file/);
  assert.throws(
    () => experimentAt("../paper"),
    /paper is not an experiment: an experiment is a file whose name has only letters/,
  );
  put("../paper/pages/mine/index.html", "");
  symlinkSync("/etc/passwd", "../paper/pages/mine/secret");
  assert.throws(paths, /pages\/mine\/secret is a symbolic link: put a copy of the file in its place/);
});

test("the folder of added files has symbolic links to the lab's own modules, so that added files can import these", async () => {
  const folder = stage([filesBeside("../paper/small.yml")])!;
  assert.equal(realpathSync(`${folder}/axes/axis.ts`), realpathSync("axes/axis.ts"));
  assert.equal(realpathSync(`${folder}/schema`), realpathSync("schema"));
  useAdded(folder);
  assert.deepEqual(Object.keys(addedFiles()), ["experiments/small.yml", "axes/ports.axis.ts"]);
  assert.equal(addedPath("axes"), `${folder}/axes`);
  assert.equal(addedPath("pages"), undefined);
  assert.deepEqual(withAddedPaths(["node", "axes/ports.axis.ts"]), ["node", `${folder}/axes/ports.axis.ts`]);
});

test("a file is refused if the lab has a different file with this path, and is not added if the lab has the same file", () => {
  put("axes/ports.axis.ts", "another");
  assert.throws(
    () => stage([filesBeside("../paper/small.yml")]),
    /ports\.axis\.ts: the lab has another axes\/ports\.axis\.ts/,
  );
  put("axes/ports.axis.ts", readFileSync("../paper/axes/ports.axis.ts", "utf8"));
  const folder = stage([filesBeside("../paper/small.yml")])!;
  useAdded(folder);
  assert.deepEqual(Object.keys(addedFiles()), ["experiments/small.yml"]);
});

test("the files of two sources are merged, unless files with the same path differ", () => {
  put("../other/small.yml", "title: small");
  put("../other/axes/ports.axis.ts", "another");
  const sources = ["../paper/small.yml", "../other/small.yml"].map((path) => filesBeside(path));
  assert.throws(() => stage(sources), /paper\/axes\/ports\.axis\.ts and \.\.\/other\/axes\/ports\.axis\.ts differ/);
  assert.ok(stage([sources[0]!, sources[0]!]));
  assert.equal(stage([]), undefined);
});

/** Makes a run here that uses added files. */
function aRun(): void {
  put("../paper/pages/used/page.yml", "used");
  put("../paper/pages/unused/page.yml", "unused");
  useAdded(stage([filesBeside("../paper/small.yml")]));
  const added = usedOf(["used"]);
  keepAdded(added, "results/mine");
  put("results/mine/run.json", JSON.stringify({ added }));
  useAdded(undefined);
}

test("a run keeps the added files that it used, and the checkout that made the run may execute their code again", () => {
  aRun();
  const kept = filesKept("results/mine");
  assert.deepEqual([...kept.keys()], ["axes/ports.axis.ts", "pages/used/page.yml"]);
  assert.equal(kept.get("pages/used/page.yml")!.source, "results/mine/added/pages/used/page.yml");
  assert.ok(!existsSync("results/mine/added/pages/unused"));
});

test("another checkout uses a run's code only after ./lab trust, and only if the code is unchanged", () => {
  aRun();
  rmSync(".lab/trusted", { recursive: true });
  assert.throws(
    () => filesKept("results/mine"),
    /made with code of its own.*axes\/ports\.axis\.ts.*lab trust results\/mine/,
  );
  trust(addedIn("results/mine"));
  filesKept("results/mine");
  put("results/mine/added/axes/ports.axis.ts", "something else");
  assert.throws(() => filesKept("results/mine"), /is not the file that the run used/);
  rmSync("results/mine/added/axes/ports.axis.ts");
  assert.throws(() => filesKept("results/mine"), /ports\.axis\.ts is not a file/);
});

test("a run.json with an added file at a path that is not allowed is refused", () => {
  for (const path of ["schema/errors.ts", "axes/../schema/errors.ts", "/tmp/x.ts", "servers/../../x"]) {
    put("results/bad/run.json", JSON.stringify({ added: { [path]: "0".repeat(64) } }));
    assert.throws(() => filesKept("results/bad"), /cannot be added to the lab|Invalid key in record/, path);
  }
});

test("a run with added files is refused if the command has not loaded these files", () => {
  aRun();
  const files = addedIn("results/mine");
  assert.throws(() => requireAdded(files, "results/mine"), /made with the added file axes\/ports\.axis\.ts/);
  useAdded(stage([filesKept("results/mine")]));
  requireAdded(files, "results/mine");
  requireAdded({ ...files, "experiments/small.claims.yml": "0".repeat(64) }, "results/mine");
});
