/** If somebody else's run has files that lead out of its folder, or would fill this machine's memory, they are refused within seconds. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { ExitCode, type LabError } from "../../schema/errors.ts";
import { captureFolders, readCapture } from "./captures.ts";
import { blockRun } from "./find-run.ts";
import { packRun } from "./pack.ts";
import { readRun } from "./records.ts";
import { parsedJson } from "./run-files.ts";
import { openRun } from "./run-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "lab-run-files-"));
after(() => rmSync(folder, { recursive: true }));

/** Makes an altered copy of the committed run. */
function runWith(alter: (folder: string) => void): string {
  const copy = mkdtempSync(join(folder, "run-"));
  cpSync(blockRun, copy, { recursive: true });
  alter(copy);
  return copy;
}
const refusedBy = (act: () => unknown, why: RegExp) => {
  const before = process.cpuUsage(); // only this process's processor time, because the machine may be busy
  assert.throws(act, (error: LabError) => error.exitCode === ExitCode.usage && why.test(error.message));
  assert.ok(process.cpuUsage(before).user < 20e6);
};
const put = (path: string, content: string | Buffer) => {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
};

test("the committed run is read", () => assert.ok([...readRun(runWith(() => {})).loads()].length > 0));

const secret = join(folder, "secret.txt");
writeFileSync(secret, "{}");
for (const place of [
  "pages",
  "captures",
  "report",
  "captures/X/secret.txt",
  "pages/page-0123456789ab/a.js",
  "index/rows.jsonl",
])
  for (const target of [secret, folder, "nothing"])
    test(`a symbolic link ${place} to ${target === "nothing" ? target : target === folder ? "a folder" : "a file"} is refused`, () => {
      const run = runWith((path) => {
        mkdirSync(join(path, place, ".."), { recursive: true });
        symlinkSync(target, join(path, place));
      });
      refusedBy(() => openRun(run), new RegExp(`${place} is a symbolic link: a run has only files and folders`));
    });

test("a run's folder may be reached by a symbolic link, but its run.json must not be a symbolic link or a pipe", () => {
  const run = runWith(() => {});
  symlinkSync(run, join(folder, "link"));
  assert.ok(openRun(join(folder, "link")));
  const linked = runWith((path) => {
    rmSync(join(path, "run.json"));
    symlinkSync(join(run, "run.json"), join(path, "run.json"));
  });
  refusedBy(() => openRun(linked), /run\.json is a symbolic link/);
  const piped = runWith((path) => {
    rmSync(join(path, "run.json"));
    execFileSync("mkfifo", [join(path, "run.json")]);
  });
  refusedBy(() => openRun(piped), /run\.json is not a file/);
});

test("a capture that contains a folder is refused", () => {
  const run = runWith((path) => {
    put(join(path, "captures/X/load.json"), "{}");
    mkdirSync(join(path, "captures/X/folder"));
  });
  writeFileSync(join(run, "captures/X/load.json"), JSON.stringify({ sample: false, load: failedLoad }));
  assert.throws(
    () => captureFolders(run).map(readCapture),
    /captures\/X\/folder is not a file; a capture has only files/,
  );
});

const failedLoad = {
  ...{ condition: "A", block: 1, attempt: 1, lane: 1, startedAt: "2000-01-01T00:00:00.000Z", wallMs: 1, ok: false },
  reason: "timeout",
};

const gigabyte = Buffer.alloc(1e9, 10);
const packed: [ending: string, content: () => Buffer, why: RegExp][] = [
  [".gz", () => gzipSync(gigabyte, { level: 1 }), /loads\.jsonl\.gz unpacks to more than 512 MB/],
  [".br", () => brotliCompressSync(gigabyte, { params: { 1: 1 } }), /loads\.jsonl\.br unpacks to more than 512 MB/],
  [".gz", () => Buffer.from("AAAA"), /loads\.jsonl\.gz is cut off or damaged/],
];
for (const [ending, content, why] of packed)
  test(`loads.jsonl${ending} is refused: ${why.source.replaceAll("\\", "")}`, () => {
    const run = runWith((path) => {
      rmSync(join(path, "loads.jsonl"), { force: true });
      rmSync(join(path, "loads.jsonl.br"), { force: true });
      writeFileSync(join(path, `loads.jsonl${ending}`), content());
    });
    refusedBy(() => [...readRun(run).loads()], why);
  });

const deep = (open: string, close: string) => `${open.repeat(1e6)}${close.repeat(1e6)}`;
test("lines that are nested a million levels deep are reported as problems, in each of a run's files", () => {
  const run = runWith((path) => {
    for (const file of ["loads", "lanes", "calibration"]) {
      rmSync(join(path, `${file}.jsonl.br`), { force: true });
      const load = JSON.stringify({ ...failedLoad, more: "HERE" }).replace('"HERE"', deep("[", "]"));
      writeFileSync(join(path, `${file}.jsonl`), `${load}\n${deep('{"a":', "")}\n{"a":${deep("[", "]")}}\n`);
    }
  });
  const saved = readRun(run);
  assert.deepEqual(
    [...saved.loads()].map((line) => "problem" in line || "torn" in line),
    [true, true, true],
  );
  assert.equal(saved.problems.length, 4);
  assert.match(saved.digest().toString(), /^[0-9a-f]{64}$/);
});

test("a run.json that is nested a million levels deep, or too large, is refused", () => {
  const nested = runWith((path) => writeFileSync(join(path, "run.json"), `{"schemaVersion":${deep("[", "]")}}`));
  refusedBy(() => openRun(nested), /is not a run: it is nested more than 200 levels deep/);
  const large = runWith((path) => truncateSync(join(path, "run.json"), 51e6));
  refusedBy(() => openRun(large), /run\.json has 51 MB; at most 50 MB are read/);
});

test("brackets in strings do not count as levels of nesting", () =>
  assert.deepEqual(parsedJson(JSON.stringify(['"[\\'.repeat(500), { a: "{".repeat(500) }])), [
    '"[\\'.repeat(500),
    { a: "{".repeat(500) },
  ]));

test("a line of 100 MB is refused, and so are 200,000 lines that are not records", () => {
  const plain = (content: Buffer) =>
    runWith((path) => {
      rmSync(join(path, "loads.jsonl.br"), { force: true });
      writeFileSync(join(path, "loads.jsonl"), content);
    });
  refusedBy(() => [...readRun(plain(Buffer.alloc(100e6, 65))).loads()], /byte 0: a line has more than 64 MB/);
  const many = plain(Buffer.from("{}\n".repeat(200_000)));
  refusedBy(() => [...readRun(many).loads()], /more than 100000 lines that are not records/);
});

test("a file of more than 512 MB is not packed, because it could not be unpacked again", () => {
  const run = runWith((path) => {
    rmSync(join(path, "loads.jsonl.br"), { force: true });
    writeFileSync(join(path, "loads.jsonl"), "");
    truncateSync(join(path, "loads.jsonl"), 513e6);
  });
  refusedBy(() => packRun(run), /loads\.jsonl has 513 MB; at most 512 MB are read/);
});
