import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { asInFiles, readRegistries, usedBy } from "../../axes/registries.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";
import { blockRun } from "../record/find-run.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { openRun } from "../record/run-folder.ts";
import { answerCommand, changeSince, openToResume, refuseChange, withResumeCommand } from "./resume.ts";

test("a run is not resumed if a definition that it uses has changed; the message has the definition's name", () => {
  const recorded = openRun(blockRun).manifest;
  const manifest = { ...recorded, registries: usedBy(conditionsOfRun(recorded), readRegistries()) };
  const links = {
    ...manifest.registries.links,
    "10x1-20ms-0%": { ...manifest.registries.links["10x1-20ms-0%"]!, rttMs: 21 },
  };
  assert.doesNotThrow(() => refuseChange(manifest, "run"));
  assert.throws(
    () => refuseChange({ ...manifest, registries: { ...manifest.registries, links } }, "run"),
    /links "10x1-20ms-0%" has changed: rttMs was 21 and is 20;/,
  );
  assert.throws(
    () => refuseChange({ ...manifest, registries: { ...manifest.registries, hosts: [] } }, "run"),
    /the hosts in compose\.yml have changed/,
  );
});

test("only the fields that have changed are reported, with their old and new values as JSON", () => {
  const { manifest } = openRun(blockRun);
  const now = readRegistries();
  const nginx = { ...now.servers.nginx!, header: "nginx/1.0" };
  const changed = (registries: object) => changeSince({ ...manifest, registries: { ...now, ...registries } });
  assert.equal(
    changed({ servers: { nginx } }),
    `servers "nginx" has changed: header was "nginx/1.0" and is ${JSON.stringify(now.servers.nginx!.header)}`,
  );
  assert.equal(
    changed({ servers: { nginx: { ...now.servers.nginx!, protocols: ["h1,h2"] } } }),
    `servers "nginx" has changed: protocols was ["h1,h2"] and is ${JSON.stringify(now.servers.nginx!.protocols)}`,
  );
  assert.equal(changed({ servers: { vanished: nginx } }), 'servers "vanished" is gone');
  assert.equal(changed({ defaults: { initrwnd: "44" } }), 'defaults "initrwnd" has changed: it was "44" and is 44');
});

test("the answer of a `why` or `advise` run is printed by the command that made the run, with --resume; other runs have no answer", () => {
  const { folder, manifest } = openRun(blockRun);
  const answer = (news: object) => answerCommand({ folder, manifest: { ...manifest, ...news } });
  assert.equal(answer({ why: {} }), `./lab why --resume ${folder}`);
  assert.equal(answer({ advise: {} }), `./lab advise --resume ${folder}`);
  assert.equal(answer({}), null);
});

test("requests and pictures of the browser's window that a run recorded for a page do not count as changes of the page", () => {
  const page = { sha256: "0", learnt: { "1-h2": [] }, windows: { "1-h2": { picture: "AAAA", images: [] } } };
  assert.deepEqual(asInFiles(page), { sha256: "0", learnt: {} });
});

test("the command that resumes a run with workers has --workers, but not the password in the queue's address", () => {
  const run = openRun(blockRun);
  const full = () => Promise.reject(new LabError(ExitCode.failed, "the disk is full"));
  const work = withResumeCommand(run, { workers: "redis://:secret@host" }, new AbortController().signal, full);
  return assert.rejects(work, /To continue: \.\/lab run --resume \S+ --clock virtual --workers ADDRESS$/);
});

test("a run whose run.json was edited is not resumed", () => {
  const folder = mkdtempSync("/tmp/resume-test-");
  try {
    cpSync(blockRun, folder, { recursive: true });
    const path = `${folder}/run.json`;
    writeFileSync(path, readFileSync(path, "utf8").replace(/"timeoutSeconds": ?\d+/, '"timeoutSeconds":7'));
    assert.throws(() => openToResume({ resume: folder } as never), /run\.json was changed after the run began/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
