// A copy of the checkout on the tests' engine, as a separate Compose project.
import { execFile, spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { buildKernel } from "../../substrate/guest/kernel/kernel.ts";
import { makeRoot } from "../../substrate/guest/root/root.ts";
import { LabCopy } from "../lab.ts";
import { type Engine, startEngine, startOwnEngine } from "./engine.ts";

const execute = promisify(execFile);
const runLimitMs = 180_000;

export interface Ending {
  code: number | null;
  output: string;
}

export class LabOnEngine {
  readonly project = `pageload-lab-test-${process.pid}`;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly #engine: Engine;
  readonly #copy = LabCopy.bare();

  private constructor(engine: Engine) {
    this.#engine = engine;
    this.folder = this.#copy.folder;
    this.env = { ...engine.env, COMPOSE_PROJECT_NAME: this.project };
  }

  static async start(): Promise<LabOnEngine> {
    try {
      return await LabOnEngine.built();
    } catch (error) {
      // Debian 12's engine (20.10) can crash while it builds: it reads its cache of checksums from a file that grows meanwhile.
      if (!String(error).includes("error reading from server")) throw error;
      console.error("the engine crashed; the build is tried again with another engine");
      return LabOnEngine.built();
    }
  }

  private static async built(): Promise<LabOnEngine> {
    const lab = await LabOnEngine.withoutImages();
    try {
      await lab.compose("build", "--quiet");
      return lab;
    } catch (error) {
      await lab.stop();
      throw error;
    }
  }

  static async withoutImages(): Promise<LabOnEngine> {
    return new LabOnEngine(await startEngine());
  }

  /** @param cache an empty folder, so that the engine has no image yet */
  static async onFreshEngine(cache: string): Promise<LabOnEngine> {
    return new LabOnEngine(await startOwnEngine(cache));
  }

  /** Creates an image with this checkout's kernel and guests' root image. Builds use it, because building both again would take minutes. */
  async importMachine(image: string): Promise<void> {
    const archive = join(this.folder, "machine.tar");
    const checkout = resolve(import.meta.dirname, "../..");
    const paths = [await buildKernel(), dirname((await makeRoot()).image)].map((path) => relative(checkout, path));
    const from = ["--create", "--dereference", `--file=${archive}`, `--directory=${checkout}`];
    await this.run("tar", ...from, "--transform=s,^,lab/,", ...paths);
    await this.run("docker", "import", archive, image);
    rmSync(archive);
  }

  async stop(): Promise<void> {
    await this.compose("down", "--volumes").catch(() => {});
    await this.#engine.stop();
    this.#copy.remove();
  }

  /** Runs a program in the copy, with the engine. @returns its stdout */
  async run(program: string, ...args: string[]): Promise<string> {
    return (await execute(program, args, { cwd: this.folder, env: this.env, maxBuffer: 1 << 26 })).stdout;
  }

  compose(...args: string[]): Promise<string> {
    return this.run("docker", "compose", ...args);
  }

  /** Like `compose`, but any exit code is accepted. Sends Ctrl-C after a time limit. */
  async follow(args: string[], onOutput: (text: string) => void = () => {}): Promise<Ending> {
    const child = spawn("docker", ["compose", ...args], {
      cwd: this.folder,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const limit = setTimeout(() => child.kill("SIGINT"), runLimitMs);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        onOutput(output);
      });
    const code = await new Promise<number | null>((done, reject) => child.once("error", reject).once("close", done));
    clearTimeout(limit);
    return { code, output };
  }

  /** `docker compose up` with other arguments for the harness. */
  up(command: string[]): Promise<Ending> {
    writeFileSync(join(this.folder, "compose.override.yml"), JSON.stringify({ services: { harness: { command } } }));
    return this.follow(["up", "--exit-code-from", "harness"]);
  }
}
