/** What decides a guest's lines and no program inside can say of itself. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import os from "node:os";
import { environment } from "../hosts/environment.ts";
import { bundleFolder } from "./bundle.ts";

/** Of the checkout, all that a guest runs or reads. */
const files = () => [
  bundleFolder,
  environment.state,
  "compose.yml",
  "kernel/guest.sh",
  "node_modules/koffi/package.json",
  "servers/protocols.yml",
];

/** As variables of a guest's environment (hosts/environment.ts). V8 compiles for the processor that it finds. */
export const guestVersions = (kernel: string): string[] => [
  `LAB_FILES=${shortHash(files())}`,
  `LAB_KERNEL=${shortHash([kernel])}`,
  `LAB_PROCESSOR=${(os.cpus()[0]?.model ?? "unknown").trim().replace(/[^\w.@-]+/g, "_")}`,
];

/** Of files' names and contents, those in folders too. */
export function shortHash(paths: string[]): string {
  const hash = createHash("sha256");
  for (const path of paths.flatMap(filesIn)) hash.update(`${path.split("/").at(-1)}\0`).update(readFileSync(path));
  return hash.digest("hex").slice(0, 12);
}

const filesIn = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesIn(`${path}/${name}`))
    : [path];
