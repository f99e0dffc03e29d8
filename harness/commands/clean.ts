import { existsSync, rmSync } from "node:fs";
import { netns } from "../substrate/netns.ts";
import { stopRun } from "../lock.ts";

const labFolder = ".lab";

/** Namespaces, devices and processes end with the run; what is left is a folder. */
export async function clean(): Promise<void> {
  if (await stopRun(netns.lockPath)) console.error("ended the run that was under way; its finished loads are kept");
  if (existsSync(labFolder)) {
    rmSync(labFolder, { recursive: true, force: true });
    console.error(`removed ${labFolder}: certificates, pages, caches`);
  }
  console.error("clean; results/ is yours and stays");
}
