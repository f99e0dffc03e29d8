/**
 * A chunk on the virtual clock gives the same bytes in any environment (virtual-container.test.ts tests containers). Its
 * link loses packets, so that any difference in timing shows.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { unprivileged, userIds } from "../../hosts/rights.ts";
import { isRoot, namespaceProblem } from "../../substrate/namespaces.ts";
import { LabCopy, lab, only, runFolder } from "../lab.ts";

const words = ["run", "--clock", "virtual", "--lanes", "1", "--loads", "1"];
const conditions = only("page=A", "servers=2", "link=20x2-100ms-1%", "initcwnd=3");
const files = ["calibration.jsonl", "lanes.jsonl", "loads.jsonl"];

let copy: LabCopy;
let other: string;
const inMemory = mkdtempSync("/dev/shm/lab-");
let first: string[];
before(async () => {
  copy = await LabCopy.make({ virtualClock: true, whole: true });
  other = mkdtempSync(`${tmpdir()}/lab-other-`);
  first = await linesOf(copy.folder);
  assert.ok(
    first.some((line) => /"lostPackets":[1-9]/.test(line)),
    "no load lost a packet",
  );
});
after(() => {
  copy?.remove();
  for (const folder of [other, inMemory]) rmSync(folder, { recursive: true, force: true });
});

/** Makes a run in this folder. @param prefix arguments before the command @returns the lines of the run's files */
async function linesOf(folder: string, prefix: string[] = [], options: string[] = []): Promise<string[]> {
  const { code, stderr } = await lab([...words, ...conditions, ...options], { folder, prefix });
  assert.equal(code, 0, stderr);
  return files.flatMap((file) => readFileSync(`${folder}/${runFolder(stderr)}/${file}`, "utf8").split("\n"));
}

async function assertSame(folder: string, prefix: string[] = []): Promise<void> {
  const lines = await linesOf(folder, prefix);
  for (const [i, line] of first.entries()) assert.equal(lines[i], line);
  assert.equal(lines.length, first.length);
}

/** Copies `copy`, without its runs, to another folder. @returns that folder */
function copied(folder: string): string {
  mkdirSync(folder, { recursive: true });
  execFileSync("cp", ["--archive", `${copy.folder}/.`, folder]);
  rmSync(`${folder}/results`, { recursive: true });
  mkdirSync(`${folder}/results`);
  return folder;
}

/** Returns arguments to put before a command. They run these shell commands and then the command, all in a separate mount namespace. */
const inNamespace = (commands: string[]): string[] => [
  "unshare",
  ...(isRoot ? [] : ["--user", "--map-root-user"]),
  "--mount",
  "sh",
  "-ec",
  [...commands, 'exec "$@"'].join("\n"),
  "sh",
];
const noMounts = (await namespaceProblem()) !== null && "requires mount namespaces, which this machine does not permit";

test("a run has the same bytes in another folder, at another depth", () =>
  assertSame(copied(`${other}/a/deeper/folder/with/a/longer/name`)));

test("a run with another seed has other page load times", async () => {
  const times = (lines: string[]) => lines.flatMap((line) => /"pageLoadMs":[\d.]+/.exec(line) ?? []);
  assert.notDeepEqual(times(await linesOf(copy.folder, [], ["--seed", "7"])), times(first));
});

test("a run has the same bytes in a folder in memory", () => assertSame(copied(`${inMemory}/lab`)));

test(
  "a run has the same bytes on a machine with a longer library cache, more host names and no fonts",
  { skip: noMounts },
  async () => {
    for (const path of ["/etc/ld.so.cache", "/etc/hosts"]) {
      const changed = `${other}/${path.split("/").at(-1)}`;
      copyFileSync(path, changed);
      appendFileSync(changed, "127.0.0.9 another.name.of.this.machine\n".repeat(200));
    }
    mkdirSync(`${other}/fonts`);
    const mounts = [
      `mount --bind ${other}/ld.so.cache /etc/ld.so.cache`,
      `mount --bind ${other}/hosts /etc/hosts`,
      `! [ -d /usr/share/fonts ] || mount --bind ${other}/fonts /usr/share/fonts`,
    ];
    await assertSame(copy.folder, inNamespace(mounts));
  },
);

const notRoot = !isRoot && "only root can run the lab as someone else";
test("a run has the same bytes for another user, with another umask and language", { skip: notRoot }, async () => {
  const folder = copied(`${other}/theirs`);
  execFileSync("chown", ["--recursive", `${userIds.server}:${userIds.server}`, folder]);
  execFileSync("chmod", ["755", other]);
  await assertSame(folder, [...unprivileged("server"), "sh", "-c", 'umask 077; LC_ALL=C.UTF-8 exec "$@"', "sh"]);
});

test(
  "a run has the same bytes with one core, and with guest memory in a file on disk because /dev/shm is too small",
  { skip: noMounts },
  () => assertSame(copy.folder, [...inNamespace(["mount -t tmpfs -o size=100M tmpfs /dev/shm"]), "taskset", "1"]),
);

test("a run has the same bytes next to four programs that never stop computing", async () => {
  const neighbours: ChildProcess[] = [1, 2, 3, 4].map(() => spawn("sh", ["-c", "while :; do :; done"]));
  try {
    await assertSame(copy.folder);
  } finally {
    for (const neighbour of neighbours) neighbour.kill("SIGKILL");
  }
});
