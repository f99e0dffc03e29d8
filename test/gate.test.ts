/** A gate as in CI: an ordinary user's page in any folder, on the virtual clock. The gate is red for the right reason, and can be repeated. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { unprivileged, userIds } from "../hosts/rights.ts";
import { ExitCode } from "../schema/errors.ts";
import { LabCopy, lab, runFolder } from "./lab.ts";

const body = `<p>text</p><img src="ä b.svg">`;
const page = (head: string) => `<!doctype html><meta charset=utf-8><title>gate</title>${head}${body}`;

let copy: LabCopy;
before(async () => {
  copy = await LabCopy.make({ virtualClock: true, whole: true });
  copy.put("my sites/before/index.html", page(""));
  copy.put("my sites/after/index.html", page("<script src=loader.js></script>"));
  copy.put("my sites/after/loader.js", `document.write('<script src="extra.js"></' + 'script>')`);
  copy.put("my sites/after/extra.js", "document.title = 'extra'");
  for (const side of ["before", "after"])
    copy.put(`my sites/${side}/ä b.svg`, `<svg xmlns="http://www.w3.org/2000/svg"><!--${"x".repeat(20_000)}--></svg>`);
  if (process.getuid?.() === 0) execFileSync("chown", ["-R", `${userIds.server}:${userIds.server}`, copy.folder]);
});
after(() => copy?.remove());

/** Runs the lab as an unprivileged user who calls the entry script from a folder outside the checkout. */
const asNobody = (...words: string[]) =>
  lab(words, {
    folder: copy.folder,
    env: { ...process.env, LAB_FROM: `${copy.folder}/my sites` },
    prefix: unprivileged("server"),
  });

test("if new scripts delay the first paint, a gate is red and names them; the gate's run is repeated byte for byte without the page's folders", async () => {
  const words = ["--links", "Cable", "--loads", "5", "--junit", "junit.xml"];
  const { code, stdout, stderr } = await asNobody("gate", "after", "--against", "before", ...words);
  assert.equal(code, ExitCode.failed, stderr);
  assert.match(stdout, /^- index.html over Cable: first contentful paint at most .* longer than before, but it is \+/m);
  assert.match(stdout, /^- requested now: loader\.js \(.* B\), extra\.js \(.* B\)$/m);
  assert.match(readFileSync(`${copy.folder}/my sites/junit.xml`, "utf8"), /<failure message="it is \+/);
  // The run contains its pages, so a repetition needs neither the user's folders nor the lab's copies of these folders.
  for (const folder of ["my sites", ".lab/pages"]) rmSync(`${copy.folder}/${folder}`, { recursive: true });
  const folder = runFolder(stderr)!;
  const again = await asNobody("verify", folder, "--again", "1", "--here");
  assert.equal(again.code, ExitCode.done, again.stderr);
  assert.equal(again.stdout.match(/(\d+) of \1 lines are the same, byte for byte/g)?.length, 1, again.stdout);
  assert.ok(existsSync(`${copy.folder}/.lab/pages`));
});
