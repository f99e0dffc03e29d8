import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import type { Page } from "./generated-page.ts";
import { ensureSite, loadGenerated } from "./pages.ts";
import { keepFolders } from "./site.ts";

const directory = mkdtempSync(join(tmpdir(), "site-"));
after(() => rmSync(directory, { recursive: true }));

let root: string;
beforeEach(() => (root = mkdtempSync(join(directory, "root-"))));

function pageOf(seed = 1): Page {
  mkdirSync(join(directory, "pages/small"), { recursive: true });
  const images = "{count: 4, formats: [gif, png], distribution: power, min: 200 B, mean: 400 B, max: 900 B}";
  writeFileSync(
    join(directory, "pages/small/page.yml"),
    `title: Small\nseed: ${seed}\nhtml: 1 KB\nimages: [${images}]\n`,
  );
  return loadGenerated("small", join(directory, "pages"));
}

const options = { hostCounts: [1, 2], protocols: [{ name: "h2", scheme: "https", port: 4432 } as const] };
const bytesOf = (path: string) =>
  Object.fromEntries(
    readdirSync(path)
      .sort()
      .map((file) => [file, readFileSync(join(path, file), "hex")]),
  );

test("ensureSite builds all files of a page, and does not build an unchanged page again", async () => {
  const page = pageOf();
  assert.deepEqual(await ensureSite(root, { ...options, pages: [page] }), ["small"]);
  assert.deepEqual(readdirSync(root), ["small"]);
  const files = readdirSync(join(root, "small")).filter((file) => !file.startsWith("."));
  assert.deepEqual(files.sort(), ["1-h2.html", "2-h2.html", ...page.objects.map(({ file }) => file)].sort());
  for (const { file, sizeBytes } of page.objects) assert.equal(statSync(join(root, "small", file)).size, sizeBytes);
  assert.deepEqual(await ensureSite(root, { ...options, pages: [page] }), []);
});

test("building the same page twice gives the same bytes", async () => {
  const other = mkdtempSync(join(directory, "root-"));
  for (const place of [root, other]) await ensureSite(place, { ...options, pages: [pageOf()] });
  assert.deepEqual(bytesOf(join(root, "small")), bytesOf(join(other, "small")));
});

test("a page is rebuilt if its page.yml, the protocols or the numbers of hosts change, or if one of its built files is missing", async () => {
  const ensure = (change: object = {}) => ensureSite(root, { ...options, pages: [pageOf()], ...change });
  await ensure();
  assert.deepEqual(await ensure({ pages: [pageOf(2)] }), ["small"]);
  assert.deepEqual(await ensure(), ["small"]);
  assert.deepEqual(await ensure({ protocols: [{ name: "h2", scheme: "https", port: 4433 } as const] }), ["small"]);
  assert.deepEqual(await ensure({ hostCounts: [1] }), ["small"]);
  assert.ok(!existsSync(join(root, "small/2-h2.html")), "no file of the previous page is left");
  assert.deepEqual(await ensure(), ["small"]);
  rmSync(join(root, "small/2-h2.html"));
  assert.deepEqual(await ensure(), ["small"]);
  assert.deepEqual(await ensure(), []);
});

test("four concurrent builds of a page leave one page folder and no temporary folders", async () => {
  const ensure = (seed: number) => ensureSite(root, { ...options, pages: [pageOf(seed)] });
  await Promise.all([ensure(1), ensure(1), ensure(2), ensure(2)]);
  assert.deepEqual(readdirSync(root), ["small"]);
  const built = [await ensure(1), await ensure(2)];
  assert.ok(
    built.flat().length >= 1,
    "the page in place is from one of the builds, so the page with the other seed must be built",
  );
});

test("a failed build leaves the previous page unchanged", async () => {
  await ensureSite(root, { ...options, pages: [pageOf()] });
  const before = bytesOf(join(root, "small"));
  const page = { ...pageOf(), html: { text: "10 B", bytes: 10, stepBytes: 1 } };
  await assert.rejects(ensureSite(root, { ...options, pages: [page] }), /html: 10 B is too small/);
  assert.deepEqual(readdirSync(root), ["small"]);
  assert.deepEqual(bytesOf(join(root, "small")), before);
});

test("a killed build leaves only a temporary folder, which the page's next build deletes if the folder is older than an hour", async () => {
  const script = `import { ensureSite, loadGenerated } from ${JSON.stringify(join(import.meta.dirname, "pages.ts"))};
    await ensureSite(${JSON.stringify(root)}, { hostCounts: [1], protocols: [{ name: "h2", port: 1 }], pages: [loadGenerated("C")] });`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
    stdio: "inherit",
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const isBuilding = () => readdirSync(root).some((entry) => readdirSync(join(root, entry)).length > 0);
  while (!isBuilding() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill("SIGKILL");
  await ended;
  const [leftover = "", ...others] = readdirSync(root);
  assert.match(leftover, /^\.C\./);
  assert.deepEqual(others, []);
  utimesSync(join(root, leftover), new Date(0), new Date(0));
  const page = { ...pageOf(), name: "C" };
  await ensureSite(root, { ...options, pages: [page] });
  assert.deepEqual(readdirSync(root), ["C"]);
});

test("keepFolders removes folders of deleted pages, and keeps temporary folders", async () => {
  for (const name of ["here", "gone", ".gone.builder.new"]) mkdirSync(join(root, name));
  await keepFolders(root, ["here", "new"]);
  assert.deepEqual(readdirSync(root).sort(), [".gone.builder.new", "here"]);
  await keepFolders(join(root, "nowhere"), ["here"]);
});
