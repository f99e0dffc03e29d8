/** The ways in which tests start the lab: in this checkout, in a copy, or as a script on the harness's host. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, relative, resolve } from "node:path";
import { after } from "node:test";
import { type Process, processesOf } from "../bench/chaos/processes.ts";
import { loadsIn } from "../harness/record/records.ts";
import { bundleFolder } from "../hosts/bundled.ts";
import { run } from "../hosts/command.ts";
import { environment } from "../hosts/environment.ts";
import type { LoadRecord } from "../schema/records.ts";
import { madePrograms } from "../servers/made.ts";
import { needsOwnKernel } from "../shaper/user-mode-kernel.ts";
import { bundleScripts } from "../substrate/bundle.ts";
import { buildKernel } from "../substrate/guest/kernel/kernel.ts";
import { makeRoot } from "../substrate/guest/root/root.ts";
import { netns } from "../substrate/netns.ts";
import { nodeCommand } from "../substrate/substrate.ts";

/** Each process of a lab that this test file starts has this environment variable, so that leftover processes can be found. */
const mark = { name: "LAB_MARK", value: `test-${process.pid}` };
export const processesLeft = (): Process[] => processesOf(`${mark.name}=${mark.value}`);

/** The arguments that limit an experiment to these values: `only("page=A", "servers=1,2")`. */
export const only = (...values: string[]): string[] => values.flatMap((some) => ["--only", some]);

export interface Ending {
  /** The exit code, or the signal that ended the process. */
  code: number | NodeJS.Signals;
  stdout: string;
  stderr: string;
}

export interface Where {
  /** The checkout; the default is this one. */
  folder?: string;
  env?: NodeJS.ProcessEnv;
  /** Arguments before the command, for example to run it as another user. */
  prefix?: string[];
}

/** A running `./lab` with these arguments. */
export class RunningLab {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
  stdout = "";
  stderr = "";

  constructor(words: string[], { folder = ".", env = process.env, prefix = [] }: Where = {}) {
    const [program = "", ...args] = [...prefix, ...nodeCommand("harness/cli/main.ts", ...words)];
    this.child = spawn(program, args, {
      cwd: folder,
      env: { ...env, [mark.name]: mark.value },
      stdio: ["ignore", "pipe", "pipe"],
    });
    after(() => this.child.kill("SIGKILL")); // still running if a test failed
    for (const stream of ["stdout", "stderr"] as const)
      this.child[stream]!.setEncoding("utf8").on("data", (text: string) => {
        this[stream] += text;
      });
    this.ended = once(this.child, "close").then(([code, signal]) => ({
      code: (signal ?? code) as Ending["code"],
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  get folder(): string | undefined {
    return runFolder(this.stderr);
  }
}

/** Runs `./lab` with these arguments to its end. */
export const lab = (words: string[], where?: Where): Promise<Ending> => new RunningLab(words, where).ended;

/** Finds the run's folder in the output of `./lab`. */
export const runFolder = (stderr: string): string | undefined => /^(results\/\S+):/m.exec(stderr)?.[1];

/** A copy of the working tree, with pages and certificates, in a separate folder: a test may change it, and no other run is active there. */
export class LabCopy {
  readonly folder = mkdtempSync(`${tmpdir()}/lab-`);

  private constructor() {
    const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { encoding: "utf8" })
      .split("\0")
      .filter((file) => file && !/^(results|node_modules)/.test(file) && existsSync(file));
    for (const file of files) cpSync(file, `${this.folder}/${file}`);
  }

  /**
   * Server programs that a copy needs are built in this checkout, once for all copies.
   * @param whole copies files instead of linking to this checkout, which another user may be unable to read; the copy builds its own programs
   */
  static async make({ virtualClock = false, whole = false } = {}): Promise<LabCopy> {
    if (virtualClock) await bundleScripts();
    const kernel = virtualClock || needsOwnKernel() ? [dirname(await buildKernel())] : [];
    const machine = [...kernel, ...(virtualClock ? [dirname((await makeRoot()).image)] : [])];
    const copy = new LabCopy();
    const bring = (from: string, to: string) =>
      whole ? cpSync(from, `${copy.folder}/${to}`, asItIs) : symlinkSync(from, `${copy.folder}/${to}`);
    for (const folder of ["results", ".lab/kernel", ".lab/root"])
      mkdirSync(`${copy.folder}/${folder}`, { recursive: true });
    mkdirSync(madePrograms, { recursive: true });
    if (!whole) bring(resolve(madePrograms), relative(".", madePrograms));
    for (const path of ["node_modules", ...machine]) bring(resolve(path), relative(".", path));
    // A copy gets this checkout's bundles. If a test changes a script, the copy bundles its scripts again.
    for (const path of [bundleFolder, `${bundleFolder}.made-from`])
      if (existsSync(path)) cpSync(path, `${copy.folder}/${path}`, asItIs);
    copyState(`${copy.folder}/.lab/state`);
    return copy;
  }

  /** Makes a copy without compiled programs, modules and generated pages. Images are built from such a copy, because they make their own. */
  static bare(): LabCopy {
    return new LabCopy();
  }

  put(path: string, content: string | Buffer): void {
    mkdirSync(dirname(`${this.folder}/${path}`), { recursive: true });
    writeFileSync(`${this.folder}/${path}`, content);
  }

  lab(...words: string[]): Promise<Ending> {
    return lab(words, { folder: this.folder });
  }

  /** Makes one load of each condition on the virtual clock, one after the other. */
  async virtualRun(...words: string[]): Promise<Ending & { folder: string; loads: LoadRecord[] }> {
    const ending = await this.lab("run", "--clock", "virtual", "--lanes", "1", "--loads", "1", ...words);
    const folder = `${this.folder}/${runFolder(ending.stderr)}`;
    return { ...ending, folder, loads: existsSync(`${folder}/loads.jsonl`) ? loadsIn(folder) : [] };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Copies certificates and pages, but no caches. If this checkout has no such files yet, the lab that a test starts creates them. */
function copyState(to: string): void {
  const caches = ["reports", "judged", "measurements"].map((name) => `${environment.state}/${name}`);
  const isNeeded = (path: string) => !caches.includes(path);
  if (existsSync(environment.state)) cpSync(environment.state, to, { ...asItIs, filter: isNeeded });
}
const asItIs = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };

/** From now on, labs of this test file serve a copy of the certificates and pages, to which a test can add more. @returns the copy's folder */
export function ownState(): string {
  const folder = mkdtempSync(`${tmpdir()}/lab-state-`);
  after(() => rmSync(folder, { recursive: true }));
  copyState(folder);
  process.env.LAB_STATE = folder;
  return folder;
}

let namespacesMayBeMade: Promise<unknown> | null = null;

/** Runs a script on the harness's host of a lab in network namespaces. The lab ends with the script. @returns the script's output, as lines */
export async function onHarnessHost(script: string, ...args: string[]): Promise<string[]> {
  namespacesMayBeMade ??= netns.open();
  await namespacesMayBeMade;
  return (await run(netns.commandInside(script, ...args))).trim().split("\n");
}
