/** The container of a gate: the image of this version, without a network and without privileges. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { exitCodes, Refusal } from "./refusal.js";

/** @typedef {import("./words.js").Mount} Mount */

/** @param {{ repository?: string | { url: string } }} about package.json @returns {string | undefined} as in "owner/name", on GitHub */
export function repositoryOf({ repository = "" }) {
  const text = typeof repository === "string" ? repository : repository.url;
  return /github(?:\.com[/:]|:)([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(text)?.[1];
}

/**
 * @param {{ version: string, repository?: string | { url: string } }} about package.json; a release sets its repository
 * @param {string | undefined} given PAGELOAD_LAB_IMAGE
 */
export function imageOf(about, given) {
  if (given) return given;
  const repository = repositoryOf(about);
  if (repository) return `ghcr.io/${repository.toLowerCase()}:${about.version}`;
  throw new Refusal(
    exitCodes.machineCannot,
    `this copy is of no release, so it has no image. Build one in a clone of the lab, then name it:
docker build --target virtual -t pageload-lab-virtual . && export PAGELOAD_LAB_IMAGE=pageload-lab-virtual`,
  );
}

/** @param {string} machine process.arch @throws Refusal for a processor on which there is no virtual clock */
export function requireProcessor(machine) {
  if (machine === "x64") return;
  throw new Refusal(
    exitCodes.machineCannot,
    `the gate runs on x86-64 alone, and this is ${machine}: its virtual clock is a user-mode Linux kernel, which no other processor
has. Use a machine or a CI runner with x86-64. Here a clone of the lab measures on the real clock:
put both builds into pages/, then ./lab try --page before,after`,
  );
}

/**
 * The arguments after `docker run --name NAME`. The image writes runs to /lab/results.
 * @param {string} image @param {{ words: readonly string[], mounts: readonly Mount[] }} gate @param {string} from @param {readonly string[]} user
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

/** Quotes each part, so that a path may contain any character. --volume could not quote ":". @param {Mount} mount */
function mountWord({ source, target, readonly }) {
  /** @param {string} text */
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  return `type=bind,${quoted(`source=${source}`)},${quoted(`target=${target}`)}${readonly ? ",readonly" : ""}`;
}
