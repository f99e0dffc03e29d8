/** Puts the files that a guest reads into an archive. The archive's bytes do not depend on the checkout's folder, the user or the time. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { bundleFolder } from "../../hosts/bundled.ts";
import { environment } from "../../hosts/environment.ts";
import { madePrograms } from "../../servers/made.ts";
import type { Slot } from "../substrate.ts";

type Needs = Pick<Slot, "site" | "servers">;

/** Matches the files of axes, clients and servers. A lane needs only their names, because their code is in the bundles. */
const entry = /^(axes\/[^/]+\.axis|clients\/[^/]+\/client|servers\/[^/]+\/server)\.ts$/;
const entries = ["axes", "clients", "servers"]
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`))
  .filter((path) => entry.test(path))
  .sort();

const pathsOf = ({ site = [""], servers }: Needs): string[] =>
  [
    bundleFolder,
    "compose.yml",
    "node_modules/@koromix/koffi-linux-x64",
    "node_modules/koffi",
    "servers/protocols.yml",
    ...programsOf(servers),
    `${environment.state}/certificates`,
    ...site.map((path) => `${environment.state}/site/${path}`),
  ].sort();

/** The suffix of programs that are built for guests. If such a program exists, the program without the suffix is only for this machine. */
const forGuests = ".guests";

/** Finds the programs that the lab has built for these servers. If `servers` is undefined, finds all built programs. */
function programsOf(servers: Needs["servers"]): string[] {
  const names = existsSync(madePrograms) ? readdirSync(madePrograms) : [];
  const made = names.filter((name) => !/\.(lock|log|work)$/.test(name) && !names.includes(name + forGuests));
  return made.filter((name) => servers?.includes(name.split(".")[0]!) ?? true).map((name) => `${madePrograms}/${name}`);
}

/** Packs files, sorted and with one owner, time and mode: equal files give equal bytes. Hard links become copies: a copied checkout may lack them. */
export function pack(how: "create" | "append", archive: string, folder: string, paths: string[]): void {
  const one = ["--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"];
  const words = ["--sort=name", "--format=gnu", "--hard-dereference", `--directory=${folder}`, ...paths];
  execFileSync("tar", [`--${how}`, `--file=${archive}`, ...one, ...words]);
}

/** Makes the archive of a lane. @param given a file that is for this lane only */
export function packLane(archive: string, needs: Needs, given?: { folder: string; file: string }): void {
  const renamed = `--transform=s,^\\(${madePrograms}/[^/]*\\)\\${forGuests},\\1,`;
  pack("create", archive, ".", [renamed, ...pathsOf(needs)]);
  const empty = `${archive}.empty`;
  for (const path of entries) {
    mkdirSync(dirname(`${empty}/${path}`), { recursive: true });
    writeFileSync(`${empty}/${path}`, "");
  }
  pack("append", archive, empty, entries);
  rmSync(empty, { recursive: true });
  if (given) pack("append", archive, given.folder, [given.file]);
}
