import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { test } from "node:test";
import { run } from "../../hosts/command.ts";
import { Journal, readJournal } from "./journal.ts";

function inFolder(body: (path: string) => void): void {
  const folder = mkdtempSync("/tmp/journal-test-");
  try {
    body(`${folder}/loads.jsonl`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("what is appended is read back, also by a second journal on the file", () =>
  inFolder((path) => {
    for (const n of [1, 2]) {
      const journal = new Journal(path);
      journal.append({ n });
      journal.close();
    }
    assert.deepEqual(readJournal(path), [{ n: 1 }, { n: 2 }]);
  }));

test("a line cut off by a crash is passed over, stays, and does not swallow the next", () =>
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
  "a full disk is one clear error, and loses nothing",
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
      /cannot write \/mnt\/loads\.jsonl: ENOSPC.*\nwhat was recorded before is safe; make room, then resume/,
    );
    assert.equal(exitCode, 1);
    assert.ok(appended > 0);
    assert.equal(whole, appended);
  },
);
