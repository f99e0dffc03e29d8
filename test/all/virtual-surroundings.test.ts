/**
 * A chunk on the virtual clock is the same bytes whatever the machine around it has: another folder, user, umask and locale, more
 * libraries, fonts and names of hosts, one core less. One of its links loses packets, so that any moment that differs shows.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { isRoot, namespaceProblem } from "../../substrate/namespaces.ts";
import { LabCopy, lab, runFolder } from "../lab.ts";

const words = ["run", "--clock", "virtual", "--lanes", "1", "--loads", "1"];
const only = ["page=A", "servers=2", "link=20x2-100ms-1%", "initcwnd=3"].flatMap((values) => ["--only", values]);
const files = ["calibration.jsonl", "lanes.jsonl", "loads.jsonl"];

let copy: LabCopy;
let other: string;
before(async () => {
  copy = await LabCopy.make({ virtualClock: true });
  other = mkdtempSync(`${tmpdir()}/lab-other-`);
});
after(() => {
  copy?.remove();
  rmSync(other, { recursive: true, force: true });
});

/** The lines of a run in this folder. @param prefix words before the command */
async function linesOf(folder: string, prefix: string[] = []): Promise<string[]> {
  const { code, stderr } = await lab([...words, ...only], { folder, prefix });
  assert.equal(code, 0, stderr);
  return files.flatMap((file) => readFileSync(`${folder}/${runFolder(stderr)}/${file}`, "utf8").split("\n"));
}

/** Words before a command: for it alone, this machine has a longer cache of libraries, more names of hosts, and no fonts. */
function otherHost(): string[] {
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
  const user = isRoot ? [] : ["--user", "--map-root-user"];
  return [
    "unshare",
    ...user,
    "--mount",
    "sh",
    "-ec",
    `${mounts.join("\n")}\numask 077\nexec env LC_ALL=C.UTF-8 taskset 1 "$@"`,
    "sh",
  ];
}

test("another folder, and another host around it, give the same bytes", async (t) => {
  if (await namespaceProblem()) return t.skip("another host around it takes mount namespaces");
  const first = await linesOf(copy.folder);
  assert.ok(
    first.some((line) => /"lostPackets":[1-9]/.test(line)),
    "no load lost a packet",
  );
  const deep = `${other}/a/deeper/folder/with/a/longer/name`;
  mkdirSync(deep, { recursive: true });
  execFileSync("cp", ["--archive", `${copy.folder}/.`, deep]);
  rmSync(`${deep}/results`, { recursive: true });
  mkdirSync(`${deep}/results`);
  const second = await linesOf(deep, otherHost());
  for (const [i, line] of first.entries()) assert.equal(second[i], line);
  assert.equal(second.length, first.length);
});
