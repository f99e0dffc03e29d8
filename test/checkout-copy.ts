import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { environment } from "../hosts/environment.ts";

/** The checkout as it is, and its pages and certificates, without results and what is installed, in a folder of its own. @returns that folder */
export function copyOfCheckout(): string {
  const copy = mkdtempSync(`${tmpdir()}/lab-`);
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { encoding: "utf8" })
    .split("\0")
    .filter((file) => file && !/^(results|node_modules)/.test(file) && existsSync(file));
  for (const file of files) cpSync(file, `${copy}/${file}`);
  for (const folder of [".lab", "results"]) mkdirSync(`${copy}/${folder}`); // as `lab`, the entry, makes them
  // Where they are missing, the copy's own setup makes them.
  if (existsSync(environment.state)) cpSync(environment.state, `${copy}/.lab/state`, { recursive: true });
  return copy;
}
