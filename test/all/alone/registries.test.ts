/** One file, folder or line adds an axis, server, protocol, client, metric, page or link. This test adds one of each to a copy of the lab. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { axes } from "../../../axes/registry.ts";
import { loadsIn } from "../../../harness/record/records.ts";
import { ExitCode } from "../../../schema/errors.ts";
import { type Ending, LabCopy, runFolder } from "../../lab.ts";
import { again, quiet, whyItGoesOn } from "../../retry.ts";
import { experiment, files, lines } from "./new-entries.ts";

let copy: LabCopy;
before(async () => {
  copy = await LabCopy.make();
  for (const [path, text] of Object.entries(files)) copy.put(path, text);
  for (const [path, line] of Object.entries(lines)) appendFileSync(`${copy.folder}/${path}`, line);
});
after(() => copy?.remove());
const lab = (...words: string[]) => copy.lab(...words);

test("TypeScript finds no type error in the files of the new entries", async () => {
  const { stdout } = spawnSync("node_modules/.bin/tsc", ["--noEmit"], { cwd: copy.folder, encoding: "utf8" });
  assert.deepEqual(
    stdout.split("\n").filter((line) => Object.keys(files).some((path) => line.startsWith(path))),
    [],
  );
});

test("`list` prints each new entry", async () => {
  for (const [what, row] of [
    ["axes", /^ports +ports=high +any +the client's ports$/m],
    ["axes", /^recovery +recovery=dupacks +rack +how servers detect losses/m],
    ["servers", /^mine +My own server +h1 h2 h2b$/m],
    ["protocols", /^h2b +https +tcp +4440 +h2 +1 +HTTP\/2 by another door$/m],
    ["clients", /^mine +My own browser +h1 h2 h2b$/m],
    ["metrics", /^parsedMs +time to the parsed page +ms$/m],
    ["pages", /^mini +a few small pictures /m],
    ["links", /^home +16 +4 +30 +0 +60packets +same$/m],
    ["experiments", /^mini +All that is new +2 +20 +test/m],
  ] as const)
    assert.match((await lab("list", what)).stdout, row);
});

test("`plan` prints each condition with each value of the new axis, and omits the axis's default from ids", async () => {
  const { stdout } = await lab("plan", "--json", "--with", "ports=any,high");
  const rows = JSON.parse(stdout) as { condition: string; ports: string }[];
  assert.equal(rows.length, 2 * 288);
  for (const { condition, ports } of rows) assert.equal(ports, condition.endsWith("/ports-high") ? "high" : "any");
  assert.equal(rows.filter(({ ports }) => ports === "high").length, 288);
});

test("`plan` prints all fields of a condition whose page, link, protocol, server, client and ports are new", async () => {
  const { stdout } = await lab("plan", "mini", "--json", "--only", "ports=high");
  const link = { link: "home", downMbps: 16, upMbps: 4, rttMs: 30, lossPercent: 0, queuePackets: 60 };
  const [row, ...others] = JSON.parse(stdout) as object[];
  assert.deepEqual(others, []);
  const usual = Object.fromEntries(
    axes.flatMap((axis) => (axis.default === undefined ? [] : [[axis.field, axis.default]])),
  );
  assert.deepEqual(row, {
    ...usual,
    ...{ condition: "mini/1s/16x4-30ms-0%-q60/h2b/iw10/ports-high/mine/mine", page: "mini", servers: 1, ...link },
    ...{ protocol: "h2b", initcwnd: 10, ports: "high", recovery: "rack", server: "mine", client: "mine" },
  });
});

test("unknown and incompatible values are refused, and the message names them", async () => {
  for (const [value, message] of [
    ["ports=half", /--with ports=half: .*"any"\|"high"/],
    ["server=yours", /unknown server "yours"; known: .*mine, nginx, node/],
    ["protocol=h9", /unknown protocol "h9"; known: h1, .*, h2b/],
    ["client=yours", /unknown client "yours"; known: chrome, .*mine, .*replay/],
    ["page=maxi", /unknown page "maxi"; known: A, B, C, .*mini, .*9KB/],
    ["link=moon", /unknown link "moon"; known: .*, home/],
    ["protocol=h2b", /protocol h2b: nginx does not speak h2b; it speaks h1, h1c, h2/],
  ] as const) {
    const { code, stderr } = await lab("plan", "--with", value);
    assert.match(stderr, message);
    assert.equal(code, ExitCode.usage);
  }
  const beside = await lab("plan", "--with", "protocol=h2b", "--with", "server=mine");
  assert.match(beside.stderr, /protocol h2b: chromium does not speak h2b; it speaks h1, h1c, h2, h3/);
  copy.put("experiments/wrong.yml", experiment.replace("parsedMs", "lastByteMs"));
  const wrong = await lab("plan", "wrong");
  assert.match(wrong.stderr, /experiments\/wrong\.yml: metric: .*"parsedMs"/);
  assert.equal(wrong.code, ExitCode.usage);
});

const skip = process.getuid?.() === 0 ? false : "network namespaces require root privileges here";
test("a run with all new entries is valid; `tables` prints the new metric", { skip, timeout: 900_000 }, async (t) => {
  const folder = ({ stderr }: Ending) => runFolder(stderr) ?? "";
  await quiet();
  const run = await again(
    t,
    (before) =>
      lab(
        "run",
        ...(before
          ? ["--resume"]
          : ["mini", "--loads", "1", "--with", "ports=any,high", "--with", "recovery=rack,dupacks"]),
      ),
    (ending) => whyItGoesOn(ending.code, `${copy.folder}/${folder(ending)}`),
  );
  assert.equal(run.code, 0, run.stderr);
  const loads = loadsIn(`${copy.folder}/${folder(run)}`).flatMap((load) => (load.ok ? [load] : []));
  for (const { evidence, recovery } of loads) {
    const parameter = { "net.ipv4.tcp_recovery": recovery === "rack" ? "1" : "0" };
    assert.deepEqual(evidence.serverSysctls?.server1, parameter);
    assert.equal(evidence.userAgent, "MyOwnBrowser/1.0");
    assert.deepEqual(
      evidence.connections.map(({ software, address }) => [software, address?.split(":")[1]]),
      [[["mine"], "4440"]],
    );
  }
  const verified = await lab("verify", folder(run));
  assert.equal(verified.code, 0, verified.stdout);
  assert.match(verified.stdout, /^Valid: 4 of 4 loads;/);
  const shownForAll = [...verified.stdout.matchAll(/^\| (\w+) +\| +4 \| +0 \| +0 \| +\|$/gm)].map(([, axis]) => axis);
  // The rates are not in this list: too few packets of this small page queue behind one another to show them.
  for (const axis of ["page", "rtt", "queue", "protocol", "ports", "recovery", "server", "client"])
    assert.ok(shownForAll.includes(axis), `${axis}: ${verified.stdout}`);
  const tables = await lab("tables", folder(run));
  assert.match(tables.stdout, /Speedup = median time to the parsed page of the baseline/);
  assert.match(tables.stdout, /Table 1\. Speedup of high ports/);
});
