/** Tests the documents' snippets for gates: known options, valid YAML, inputs of the action, and only one comment on a pull request. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { parse } from "yaml";
import { withGateFile } from "../harness/gate/gate-file.ts";
import { gateMarkdown } from "../harness/gate/gate-markdown.ts";
import { gateReport } from "../harness/gate/gate-report.ts";
import { readRun } from "../harness/record/records.ts";
import { gateOptions } from "../npx/help.js";

const documents = ["README.md", "docs/ci.md", "npx/README.md"];
const textOf = (file: string) => readFileSync(file, "utf8");
/** Finds blocks of code, which are indented by four columns. */
const blocksIn = (text: string) =>
  [...text.matchAll(/(?:^ {4}.*\n(?:\n(?= {4}))?)+/gm)].map(([block]) => block.replace(/^ {4}/gm, ""));
const blocks = blocksIn(textOf("docs/ci.md"));
const blockWith = (word: string) => blocks.find((block) => block.includes(word)) ?? assert.fail(`no block has ${word}`);

const folder = mkdtempSync(join(tmpdir(), "lab-docs-"));
after(() => rmSync(folder, { recursive: true }));

const commands = documents.flatMap((file) =>
  blocksIn(textOf(file))
    .flatMap((block) => block.replaceAll("\\\n", "").split("\n"))
    .flatMap((line) => (/(?:lab|main\.js|main\.ts|:VERSION) gate (.*)/.exec(line) ?? []).slice(1))
    .map((words) => ({ file, words: words.replace(/ # .*/, "") })),
);

test("the documents' gate commands use only options that ./lab gate has", () => {
  assert.ok(commands.length >= 8, `${commands.length} commands`);
  const table = [...textOf("docs/ci.md").matchAll(/^\| `(--.*)` \|/gm)].map(([, words = ""]) => words);
  assert.ok(table.length >= 8, `${table.length} rows`);
  for (const words of [...commands.map((one) => one.words), ...table])
    for (const [, name = ""] of words.matchAll(/(?:^|[ `])(--[\w-]+)/g))
      assert.ok(gateOptions.has(name), `${name}: ${words}`);
});

test("the workflow in docs/ci.md uses only inputs that the action has", () => {
  const { steps } = parse(blockWith("OWNER/pageload-lab@"));
  const { inputs } = parse(textOf("action.yml"));
  const { with: given } = steps.find(({ uses }: { uses?: string }) => uses?.startsWith("OWNER/"));
  for (const name of Object.keys(given)) assert.ok(name in inputs, name);
});

test("the GitLab job in docs/ci.md is valid YAML and starts the image's program", () => {
  const job = parse(blockWith("page-speed:"))["page-speed"];
  const [, entry] = /^ENTRYPOINT (\[.*\])\nCMD.*\n*$/m.exec(textOf("Dockerfile").slice(-200)) ?? [];
  assert.ok(job.script.at(-1).startsWith(`${JSON.parse(entry ?? "[]").join(" ")} gate `), job.script.at(-1));
});

test("a gate accepts the pageload.yml of docs/ci.md", () => {
  writeFileSync(join(folder, "pageload.yml"), blockWith("# pageload.yml"));
  const defaults = { pages: "", links: "", protocol: "", loads: 1, threshold: "" };
  const { page, budgets } = withGateFile(undefined, { ...defaults, config: join(folder, "pageload.yml") }, () => false);
  assert.equal(page, join(folder, "dist"));
  assert.deepEqual(Object.keys(budgets), ["all", "4G"]);
});

const isMissing = spawnSync("jq", ["--version"]).error !== undefined && "there is no jq here: apt-get install jq";
for (const [what, comments, words] of [
  ["creates a comment if the pull request has none", [], "--silent comments --field"],
  [
    "creates a comment if only users and other bots have commented",
    [
      ["User", "# Page-speed gate: mine"],
      ["Bot", "Tests passed"],
    ],
    "--silent comments --field",
  ],
  [
    "updates the gate's comment if there is one",
    [
      ["Bot", "Tests passed"],
      ["Bot", "OURS"],
    ],
    "--silent --method PATCH url-1 --field",
  ],
] as const)
  test(`the workflow in docs/ci.md ${what}`, { skip: isMissing }, () => {
    const report = gateReport(readRun("test/recorded-gate"), { threshold: 0.02, budgets: [] });
    const heading = gateMarkdown(report).split("\n")[0]!;
    const listed = comments.map(([type, body], i) => ({
      user: { type },
      body: body.replace("OURS", heading),
      url: `url-${i}`,
    }));
    const { steps } = parse(blockWith("OWNER/pageload-lab@"));
    const { env, run } = steps.at(-1);
    assert.deepEqual(Object.keys(env), ["GH_TOKEN", "COMMENTS", "TEXT"]);
    assert.equal(commented(run, listed), `api ${words} body=@summary.md\n`);
  });

/** Runs a script in which a stand-in for gh passes the filter of --jq to jq. @returns the arguments of the last call of gh */
function commented(script: string, comments: object[]): string {
  mkdirSync(join(folder, "bin"), { recursive: true });
  const [list, said] = [join(folder, "comments.json"), join(folder, "said")];
  writeFileSync(list, JSON.stringify(comments));
  const gh = `[ "$2" != --paginate ] || { jq -r "$5" '${list}'; exit; }\necho "$*" >'${said}'`;
  writeFileSync(join(folder, "bin/gh"), `#!/bin/sh\n${gh}\n`, { mode: 0o755 });
  const { status, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-e", "-c", script], {
    encoding: "utf8",
    env: { PATH: `${folder}/bin:${process.env.PATH}`, COMMENTS: "comments", TEXT: "summary.md" },
  });
  assert.equal(status, 0, stderr);
  return existsSync(said) ? readFileSync(said, "utf8") : "";
}
