/** The command line of ./lab: refused input, exit codes, messages and output. */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { before, test } from "node:test";
import { ExitCode } from "../schema/errors.ts";
import { nodeCommand } from "../substrate/substrate.ts";
import { type Ending, lab } from "./lab.ts";

const refused: [string[], number, RegExp][] = [
  [[], 2, /Usage: lab/],
  [["fly"], 2, /unknown command 'fly'/],
  [["run", "nope"], 2, /unknown experiment "nope"; known: .*spdy-initcwnd/],
  [["run", "--bogus"], 2, /unknown option '--bogus'/],
  [["run", "--loads", "0"], 2, /A whole number from 1 to 1000 is allowed/],
  [["run", "--loads", "2.5"], 2, /A whole number/],
  [["run", "--seed", "-1"], 2, /A whole number from 0 to 4294967295/],
  [["run", "--timeout", "5"], 2, /--timeout: "5" is not a value like "120 s"/],
  [["run", "--substrate", "moon"], 2, /Allowed choices are compose, netns/],
  [["run", "--substrate", "compose"], 3, /no Docker engine/],
  [["run", "--dry-run", "--only", "page=Z"], 2, /unknown page "Z"; known: A, B, C/],
  [["run", "--dry-run", "--only", "colour=red"], 2, /--only colour=red: unknown axis "colour"; known: page, /],
  [["run", "--dry-run", "--with", "colour=red"], 2, /--with colour=red: unknown axis "colour"; known: page, /],
  [["run", "--dry-run", "--with", "rtt"], 2, /--with rtt: give one or more values, as in --with rtt=100ms/],
  [["run", "--dry-run", "--with", "rtt=20x"], 2, /--with rtt=20x: "20x" is not a value like "100 ms"/],
  [["run", "--dry-run", "--with", "initcwnd=3,ten"], 2, /"ten" is neither a whole number from 1 to 1000 nor adaptive/],
  [["run", "--dry-run", "--with", "rate=fast"], 2, /"fast" is not a rate like "10\/1"/],
  [["run", "--dry-run", "--with", "server=iis"], 2, /unknown server "iis"; known: .*nginx, node/],
  [
    ["run", "--dry-run", "--with", "rtt=20ms", "--with", "rtt=30ms"],
    2,
    /--with rtt is given twice; give all its values/,
  ],
  [["try"], 2, /nothing to compare: give an axis two values or more, as in --protocol h1,h2/],
  [["try", "--protocol", "h1", "--protocol", "h2"], 2, /--protocol is given twice; .* as in --protocol h1,h2/],
  [["try", "--rtt", "10ms,20x"], 2, /--rtt 10ms,20x: "20x" is not a value like "100 ms"/],
  [["try", "--colour", "red,blue"], 2, /unknown option '--colour'/],
  [
    ["plan", "--with", "initcwnd=ten"],
    2,
    /--with initcwnd=ten: "ten" is neither a whole number from 1 to 1000 nor adaptive/,
  ],
  [
    ["try", "--background", "pages,none"],
    2,
    /--background pages,none: "pages" is not one of none, bulk-down, .*video-down, page/,
  ],
  [
    ["try", "--protocol", "h1,h2", "--rate", "4/1", "--background", "video-down", "--dry-run"],
    2,
    /background video-down: a video needs more than 4.18 Mb\/s to the client; the link has 4 Mb\/s/,
  ],
  [["link", "import", "nowhere.up"], 2, /cannot read .*nowhere\.up: ENOENT/],
  [["link", "import", "README.md"], 2, /README\.md: line 1 is ".*"; mahimahi's format has one whole number/],
  [
    ["link", "import", "README.md", "--name", "LTE-evening"],
    2,
    /--name LTE-evening: a link with this name exists already/,
  ],
  [["link", "import", "README.md", "--rtt", "fast"], 2, /--rtt: "fast" is not a value like "100 ms"/],
  [["run", "--resume", "nope"], 2, /unknown run "nope"/],
  [["figures", "nope"], 2, /unknown run "nope"; known: /],
  [["trace"], 2, /missing required argument 'file'/],
  [["survey", "README.md"], 2, /README\.md is not a complete HAR: its JSON is invalid/],
  [["run", "--resume", "block", "--loads", "3"], 2, /leave out --loads/],
  [["run", "--resume", "block", "--with", "rtt=20ms"], 2, /leave out --with$/m],
  [["run", "--clock", "atomic"], 2, /Allowed choices are real, virtual/],
  [["run", "--lanes", "2"], 2, /more than one requires --clock virtual/],
  [["run", "--lanes", "many"], 2, /A whole number from 1 to 256/],
  [["run", "--clock", "virtual", "--substrate", "netns"], 2, /the virtual clock uses its own guests/],
  [["run", "--processing", "1 ms"], 2, /--processing is for --clock virtual/],
  [["run", "--clock", "virtual", "--processing", "1"], 2, /"1" is not a value like "0.1 ms"/],
  [["run", "--resume", "reference", "--clock", "virtual"], 2, /started on the real clock: leave out --clock virtual/],
  [["gate"], 2, /no page is given: name a folder or a HAR, or a --config file/],
  [["gate", "--config", "nowhere.yml"], 2, /cannot read .*nowhere\.yml/],
  [["run", "--workers", "redis://127.0.0.1:1"], 2, /--workers is for --clock virtual/],
  [["run", "--clock", "virtual", "--audit", "2%"], 2, /--audit compares what two workers make: it needs --workers/],
  [["run", "--clock", "virtual", "--audit", "2"], 2, /A percentage up to 100% is allowed, as in 2%/],
  [["worker", "localhost"], 2, /"localhost" is not an address of a queue; use redis:\/\/HOST:PORT/],
  [["gate", "nowhere"], 2, /nowhere: there is no such folder or HAR/],
  [["gate", "docs", "--budget", "requests=1"], 2, /docs: the folder has no index\.html, .* it has no HTML/],
  [["gate", "nowhere", "--budget", "speed=1"], 2, /unknown measure "speed"; known: pageLoad, /],
  [["gate", "nowhere", "--against", "gone", "--loads", "4"], 2, /--loads 4: --against needs 5 loads or more/],
  [
    ["gate", "nowhere", "--budget", "requests=1", "--protocol", "h1,h2"],
    2,
    /--protocol h1,h2: a gate has one protocol/,
  ],
  [
    ["gate", "nowhere", "--resume", "--server-times"],
    2,
    /keeps the original page and options: leave out nowhere, --server-times/,
  ],
  [["gate", "--resume", "block"], 2, /results\/block has no demands: it is not a run of \.\/lab gate/],
  [["gate", "nowhere", "--against", "gone", "--threshold", "2"], 2, /--threshold 2: a share from 0% to 100% is needed/],
  [["advise", "nowhere"], 2, /nowhere: there is no such folder or HAR/],
  [["advise"], 2, /give a page: a folder with an index\.html, a recorded site's folder, a HAR/],
  [
    ["advise", "nowhere", "--users", "Cable:50"],
    2,
    /--users Cable:50: the percentages add up to 50, but must add up to 100/,
  ],
  [["advise", "nowhere", "--metric", "speed"], 2, /unknown metric "speed"; allowed: pageLoad, /],
  [["advise", "pages/shop", "--users", "Carrier:100"], 2, /unknown link "Carrier"; known: /],
  [["advise", "pages/shop", "--protocol", "h1,h2"], 2, /--protocol describes the servers as they are: give one value/],
  [["advise", "nowhere", "--loads", "4"], 2, /--loads 4: 4 blocks are too few for a 95% interval/],
  [
    ["advise", "nowhere", "--resume", "block", "--loads", "9"],
    2,
    /keeps the original page and options: leave out nowhere, --loads/,
  ],
  [["advise", "--resume", "block"], 2, /results\/block is a run of spdy-initcwnd, not of \.\/lab advise/],
  [["compare", "block"], 2, /missing required argument 'second'/],
  [["compare", "block", "nope"], 2, /unknown run "nope"/],
  [["tables", "nope"], 2, /unknown run "nope"/],
  [["tables", "block", "--format", "pdf"], 2, /Allowed choices are md, json, speedups/],
  [["bench", "aa", "block"], 2, /results\/block: A\/A needs an even number of blocks, at least 10; this run has 1/],
  [
    ["list", "clouds"],
    2,
    /Allowed choices are axes, pages, servers, protocols, links, clients, metrics, models, experiments/,
  ],
];
/** Runs these commands in one process. */
function endingsOf(commands: readonly (readonly string[])[]): Ending[] {
  const [program = "", ...words] = nodeCommand("test/each-command.ts");
  const { stdout, stderr } = spawnSync(program, words, { input: JSON.stringify(commands), encoding: "utf8" });
  assert.equal(stderr, "");
  return JSON.parse(stdout) as Ending[];
}

let endings: Ending[];
before(() => {
  endings = endingsOf(refused.map(([args]) => args));
});
for (const [i, [args, code, message]] of refused.entries())
  test(`lab ${args.join(" ")}: exit code ${code}`, () => {
    const { stderr, ...ending } = endings[i]!;
    assert.match(stderr, message);
    assert.deepEqual(ending, { code, stdout: "" });
  });

test("the process of a refused command ends with that command's exit code", async () => {
  const { code, stderr } = await lab(["run", "--substrate", "compose"]);
  assert.match(stderr, /no Docker engine/);
  assert.equal(code, ExitCode.machineCannot);
});

test("a command prints no error if the pipe for its output is closed early", async () => {
  const command = `${nodeCommand("harness/cli/main.ts", "compare", "block", "block", "--format", "json").join(" ")} | head -n 1`;
  const { stdout, stderr } = await new Promise<Omit<Ending, "code">>((resolve) =>
    execFile("sh", ["-c", command], (_, stdout, stderr) => resolve({ stdout, stderr })),
  );
  assert.deepEqual([stdout, stderr], ["{\n", ""]);
});

test("plan --json prints the 288 conditions as one array", async () => {
  const { stdout, stderr } = await lab(["plan", "--json"]);
  assert.equal((JSON.parse(stdout) as unknown[]).length, 288);
  assert.equal(stderr, "");
});

test("run --dry-run prints the blocks in the order in which they will run", async () => {
  const { stdout } = await lab(["run", "--dry-run", "--loads", "2", "--only", "page=A", "--only", "servers=1"]);
  const blocks = stdout
    .trim()
    .split("\n")
    .map((line) => line.split("\t")[0]);
  assert.deepEqual(blocks, [...Array<string>(32).fill("1"), ...Array<string>(32).fill("2")]);
});

test("relative paths start in the caller's folder: try finds pages there, and tables finds a run", async () => {
  const from = mkdtempSync(`${tmpdir()}/lab-from-`);
  mkdirSync(`${from}/dist`);
  writeFileSync(`${from}/dist/index.html`, `<!doctype html><title>${process.pid}</title>`);
  const env = { ...process.env, LAB_FROM: from };
  cpSync("test/recorded-run", `${from}/mine`, { recursive: true });
  cpSync(`${from}/dist`, `${from}/same`, { recursive: true });
  const tables = await lab(["tables", "./mine"], { env });
  const same = await lab(["try", "--page", "dist,same", "--dry-run"], { env });
  const words = ["try", "--page", "dist,A", "--protocol", "h1,h2", "--clock", "virtual", "--dry-run"];
  const { code, stdout, stderr } = await lab(words, { env });
  rmSync(from, { recursive: true });
  assert.deepEqual([code, tables.code, same.code], [0, 0, 2], stderr + tables.stderr);
  assert.match(same.stderr, /--page dist,same: both have the same files/);
  const [, name = ""] = /\/dist is (page-\w+): 1 file/.exec(stderr) ?? [];
  rmSync(`.lab/pages/${name}`, { recursive: true });
  assert.deepEqual([stdout.split(`${name}/`).length - 1, stdout.split("\tA/").length - 1], [20, 20], stdout);
});

test("list prints every registry", () => {
  const rows = [
    ["pages", /^A .*369000/m],
    ["servers", /^nginx /m],
    ["protocols", /^h2 .*4432/m],
    ["links", /^20x2-100ms-1% /m],
    ["axes", /^initrwnd {2,}initrwnd=44 {2,}44 /m],
    ["axes", /^link {2,}link=\S+ {2,}none: this axis sets down, up, rtt, loss, queue, queueUp, trace /m],
    ["clients", /^chromium /m],
    ["metrics", /^pageLoadMs .*ms$/m],
    ["models", /^slow-start .*equation \(1\)$/m],
    ["experiments", /^spdy-initcwnd .*288/m],
  ] as const;
  const listed = endingsOf(rows.map(([what]) => ["list", what]));
  for (const [i, [, row]] of rows.entries()) assert.match(listed[i]!.stdout, row);
});

test("`tables` prints Tables 5 to 11 for the committed run results/block", async () => {
  const { stdout, code } = await lab(["tables", "block"]);
  assert.equal(code, 0);
  for (const id of ["5", "6a", "6b", "6c", "7", "8a", "8b", "8c", "9", "10a", "10b", "10c", "11"])
    assert.ok(stdout.includes(`Table ${id}.`), id);
});

test("`tables --format speedups` says that one block gives no intervals; `--format conditions` prints one row per condition", async () => {
  const speedups = await lab(["tables", "block", "--format", "speedups"]);
  assert.match(speedups.stderr, /low95 and high95 are empty: 1 block is too few for a 95% interval: 5 are needed/);
  const { stdout } = await lab(["tables", "block", "--format", "conditions"]);
  assert.equal(stdout.match(/^\| [ABC]\/\ds\//gm)?.length, 288);
});

test("if PATH has no programs, `run` ends with exit code 3 and prints the reason", async () => {
  const PATH = "/nonexistent";
  const { code, stderr } = await lab(["run"], { env: { ...process.env, PATH } });
  assert.equal(code, 3);
  assert.match(stderr, /namespaces|there is no program/);
});

test("figures drawn twice from the same saved loads are identical", async () => {
  const folder = mkdtempSync("/tmp/figures-test-");
  try {
    const { code, stdout } = await lab(["figures", "block", "--out", folder]);
    assert.equal(code, 0);
    const files = stdout.trim().split("\n");
    assert.deepEqual(files.slice(0, 2), [`${folder}/spdy-by-page.svg`, `${folder}/spdy-by-page.csv`]);
    const drawn = files.map((file) => readFileSync(file, "utf8"));
    assert.match(drawn[0]!, /288 of 288 loads, 2 invalid, flagged or never confirmed; virtual clock/);
    assert.match(drawn[1]!, /^published,,,Page A,1,2\.4,/m);
    await lab(["figures", "block", "--out", folder]);
    assert.deepEqual(
      files.map((file) => readFileSync(file, "utf8")),
      drawn,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
