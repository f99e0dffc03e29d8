/** A copy of the checkout that makes runs on the virtual clock: another test may be making one in this checkout. */
import { execFile } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { loadsIn } from "../harness/record/records.ts";
import { buildKernel, kernelPath } from "../kernel/kernel.ts";
import type { LoadRecord } from "../schema/records.ts";
import { nodeCommand } from "../substrate/substrate.ts";
import { copyOfCheckout } from "./checkout-copy.ts";

export interface VirtualRun {
  code: number;
  stderr: string;
  loads: LoadRecord[];
}

export class VirtualLab {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<VirtualLab> {
    await buildKernel();
    const folder = copyOfCheckout();
    const kernel = dirname(kernelPath()!);
    symlinkSync(resolve("node_modules"), `${folder}/node_modules`);
    mkdirSync(`${folder}/.lab/kernel`);
    symlinkSync(resolve(kernel), `${folder}/.lab/kernel/${basename(kernel)}`);
    return new VirtualLab(folder);
  }

  /** `./lab run` with these words, on one lane. */
  run(...asked: string[]): Promise<VirtualRun> {
    const words = ["run", "--clock", "virtual", "--lanes", "1", "--loads", "1", "--traces", "none", ...asked];
    const [program = "", ...args] = nodeCommand("harness/cli/main.ts", ...words);
    return new Promise((done) => {
      execFile(program, args, { cwd: this.folder }, (error, _, stderr) => {
        const made = /^(results\/\S+):/m.exec(stderr)?.[1];
        const loads = made ? loadsIn(`${this.folder}/${made}`) : [];
        done({ code: error ? Number(error.code) : 0, stderr, loads });
      });
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
