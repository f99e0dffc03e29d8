/** For tests: runs shell scripts in a guest of the virtual clock, which has Debian's programs and none of the lab's files. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, linkSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before } from "node:test";
import { makeOwner, unprivileged } from "../hosts/rights.ts";
import { buildKernel, guestCommand, guestFiles, scratchParent } from "../substrate/guest/kernel/kernel.ts";
import { pack } from "../substrate/guest/lane-files.ts";
import { makeRoot } from "../substrate/guest/root/root.ts";

const memoryMiB = 256;
const withoutPrivileges = unprivileged("server");
/** The guest's folder, and a folder for its memory file. */
export let folder: string;
export let scratch: string;
export let kernel: string;

before(async () => {
  kernel = await buildKernel();
  const root = await makeRoot();
  // A folder that every user can read, wherever the repository is.
  folder = mkdtempSync(`${tmpdir()}/lab-`);
  copyFileSync(kernel, `${folder}/linux`);
  try {
    linkSync(root.image, `${folder}/${guestFiles.root}`);
  } catch {
    copyFileSync(root.image, `${folder}/${guestFiles.root}`); // on another disk
  }
  makeOwner(folder, "server");
  scratch = mkdtempSync(`${scratchParent(memoryMiB)}/lab-`);
  makeOwner(scratch, "server");
});
after(() => {
  for (const path of [folder, scratch]) if (path) rmSync(path, { recursive: true, force: true });
});

/** Runs a shell script in a guest, as a user without privileges. */
export async function inGuest(script: string, { startNs = 10n ** 18n, seed = 1, processingNs = 0 } = {}) {
  writeFileSync(`${folder}/script.sh`, script);
  pack("create", `${folder}/${guestFiles.lab}`, folder, ["script.sh"]);
  const options = { kernel: "./linux", memoryMiB, startNs, seed, processingNs };
  const command = guestCommand(options, [], ["sh", "-eu", "script.sh"]);
  const started = performance.now();
  const [program = "", ...args] = [...withoutPrivileges, "timeout", "--signal=KILL", "120", ...command];
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    cwd: folder,
    env: { ...process.env, TMPDIR: scratch },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr, wallSeconds: (performance.now() - started) / 1000 };
}
