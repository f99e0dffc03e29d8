/** Builds the `docker run` arguments that run a gate in this version's image, without network and privileges. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { exitCodes, Refusal } from "./refusal.js";

/** @typedef {import("./words.js").Mount} Mount */

/**
 * @param {{ repository?: string | { url: string } }} about the parsed package.json
 * @returns {string | undefined} the GitHub repository, as "owner/name"
 */
export function repositoryOf({ repository = "" }) {
  const text = typeof repository === "string" ? repository : repository.url;
  return /github(?:\.com[/:]|:)([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(text)?.[1];
}

/**
 * @param {{ version: string, repository?: string | { url: string } }} about the parsed package.json; a release sets its `repository`
 * @param {string | undefined} given the value of PAGELOAD_LAB_IMAGE
 */
export function imageOf(about, given) {
  if (given) return given;
  const repository = repositoryOf(about);
  if (repository) return `ghcr.io/${repository.toLowerCase()}:${about.version}`;
  throw new Refusal(
    exitCodes.machineCannot,
    `this copy of pageload-lab is not from a release, so it has no container image. Build an image in a clone of the lab, then set its name:
docker build --target virtual -t pageload-lab-virtual . && export PAGELOAD_LAB_IMAGE=pageload-lab-virtual`,
  );
}

/** @param {string} machine process.arch @throws Refusal if the virtual clock does not run on this processor */
export function requireProcessor(machine) {
  if (machine === "x64") return;
  throw new Refusal(
    exitCodes.machineCannot,
    `the gate runs only on x86-64, and this machine is ${machine}: the gate's virtual clock needs a user-mode Linux kernel for x86-64.
Use a machine or a CI runner with x86-64. On this machine, a clone of the lab can measure on the real clock:
put both builds into pages/, then run ./lab try --page before,after`,
  );
}

/**
 * Returns the arguments after `docker run --name NAME`. The image writes runs to /lab/results, so ./results is mounted there.
 * @param {string} image @param {{ words: readonly string[], mounts: readonly Mount[] }} gate
 * @param {string} from @param {readonly string[]} user
 */
export function containerWords(image, { words, mounts }, from, user) {
  const results = join(from, "results");
  mkdirSync(results, { recursive: true });
  const all = [{ source: results, target: "/lab/results", readonly: false }, ...mounts];
  const rights = ["--network", "none", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"];
  return [
    "--rm",
    ...rights,
    ...user,
    ...all.flatMap((mount) => ["--mount", mountWord(mount)]),
    image,
    "gate",
    ...words,
  ];
}

/** Quotes each part, so a path may contain any character. `--volume` has no way to quote ":". @param {Mount} mount */
function mountWord({ source, target, readonly }) {
  /** @param {string} text */
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  return `type=bind,${quoted(`source=${source}`)},${quoted(`target=${target}`)}${readonly ? ",readonly" : ""}`;
}
