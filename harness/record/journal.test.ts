import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { test } from "node:test";
import { run } from "../../hosts/command.ts";
import { Journal, readLines } from "./journal.ts";

/** Reads the lines that are JSON. */
const readJournal = (path: string) =>
  [...readLines(path)].flatMap(({ bytes }) => {
    try {
      return [JSON.parse(bytes.toString()) as unknown];
    } catch {
      return [];
    }
  });

function inFolder(body: (path: string) => void): void {
  const folder = mkdtempSync("/tmp/journal-test-");
  try {
    body(`${folder}/loads.jsonl`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("records are read back as they were appended, also if a second journal appends to the file", () =>
  inFolder((path) => {
    for (const n of [1, 2]) {
      const journal = new Journal(path);
      journal.append({ n });
      journal.close();
    }
    assert.deepEqual(readJournal(path), [{ n: 1 }, { n: 2 }]);
  }));

test("a record is refused if its line would be too long to be read, and the file stays readable", () =>
  inFolder((path) => {
    const journal = new Journal(path);
    assert.throws(
      () => journal.append({ reason: "x".repeat(64e6) }),
      /the next line of .*loads.jsonl would have 65 MB; a line may have at most 64 MB/,
    );
    journal.append({ n: 1 });
    journal.close();
    assert.deepEqual(readJournal(path), [{ n: 1 }]);
  }));

test("a line that a crash cut off is skipped when reading, stays in the file, and is separate from the next line", () =>
  inFolder((path) => {
    appendFileSync(path, '{"n":1}\n{"n":2,"pa');
    assert.deepEqual(readJournal(path), [{ n: 1 }]);
    const journal = new Journal(path);
    journal.append({ n: 3 });
    journal.close();
    assert.deepEqual(readJournal(path), [{ n: 1 }, { n: 3 }]);
    assert.match(readFileSync(path, "utf8"), /"pa\n/);
  }));

test(
  "on a full disk, one error says what to do, and no line that was appended is lost",
  {
    skip: process.getuid?.() !== 0 && "needs root",
  },
  async () => {
    const output = await run([
      "unshare",
      "--mount",
      "sh",
      "-c",
      `mount -t tmpfs -o size=16k full /mnt && exec "$0" --import tsx test/fill-disk.ts /mnt/loads.jsonl`,
      process.execPath,
    ]);
    const { error, exitCode, appended, whole } = JSON.parse(output) as {
      error: string;
      exitCode: number;
      appended: number;
      whole: number;
    };
    assert.match(
      error,
      /cannot write \/mnt\/loads\.jsonl: ENOSPC.*\nwhat was recorded before is safe; free some space, then resume/,
    );
    assert.equal(exitCode, 1);
    assert.ok(appended > 0);
    assert.equal(whole, appended);
  },
);

test("lines of any length are read with their offsets, also from an offset on; an incomplete last line is not read", () =>
  inFolder((path) => {
    const lines = ["a".repeat(3_000_000), "b", "", "c".repeat(5000)];
    appendFileSync(path, `${lines.join("\n")}\nd`);
    const read = [...readLines(path)];
    assert.deepEqual(
      read.map(({ bytes, offset }) => [bytes.length, offset]),
      [
        [3_000_000, 0],
        [1, 3_000_001],
        [5000, 3_000_004],
      ],
    );
    assert.deepEqual(
      [...readLines(path, 3_000_001)].map(({ offset }) => offset),
      [3_000_001, 3_000_004],
    );
  }));
