/** Translates a gate's arguments for the container: each path becomes a path in a mount; all other arguments stay unchanged. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { gateOptions } from "./help.js";
import { usageError } from "./refusal.js";

/**
 * How the container uses each path: it reads the path, reads the path's folder, or writes into that folder. `page` is the argument that
 * belongs to no option.
 * @type {Readonly<Record<string, "read" | "read-folder" | "write">>}
 */
export const paths = {
  page: "read",
  "--against": "read",
  "--root": "read",
  "--config": "read-folder",
  "--markdown": "write",
  "--junit": "write",
};

/** @typedef {{ source: string, target: string, readonly: boolean }} Mount */
/** @typedef {{ name: string, value?: string }} Asked an option with its value, or the page */

/**
 * @param {readonly string[]} words arguments after "gate" @param {string} from the folder against which relative paths are resolved
 * @returns {{ words: string[], mounts: Mount[] }} @throws Refusal for an unknown option, or a path that does not exist
 */
export function forContainer(words, from) {
  const asked = readWords(words);
  refuseOutside(asked, from);
  /** @type {Mount[]} */
  const mounts = [];
  const translated = asked.flatMap(({ name, value }) => {
    const use = paths[name];
    if (value === undefined) return [name];
    if (use === undefined) return [`${name}=${value}`];
    const { mount, path } = mountOf(name.replace(/^--/, ""), value, resolve(from, value), use);
    mounts.push(mount);
    return name === "page" ? [path] : [`${name}=${path}`];
  });
  return { words: translated, mounts };
}

/** @param {readonly string[]} words @returns {Asked[]} parsed by commander's rules, as in ./lab */
function readWords(words) {
  /** @type {Asked[]} */
  const asked = [];
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === "--") return [...asked, ...left.map(asPage)];
    if (!word.startsWith("-") || word === "-") {
      asked.push(asPage(word));
      continue;
    }
    const [, name = word, given] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    const option = gateOptions.get(name);
    if (!option) throw usageError(`unknown option '${name}'; known: ${[...gateOptions.keys()].join(" ")}`);
    asked.push({ name, ...valueAfter(name, option.value, given, left) });
  }
  return asked;
}

/** @param {string} value */
const asPage = (value) => ({ name: "page", value });

/** @param {string} name @param {"none" | "needed" | "possible"} takes @param {string | undefined} given @param {string[]} left */
function valueAfter(name, takes, given, left) {
  if (given !== undefined) return { value: given };
  if (takes === "none" || (takes === "possible" && (left[0] ?? "-").startsWith("-"))) return {};
  const value = left.shift();
  if (value === undefined) throw usageError(`${name} needs a value`);
  return { value };
}

/** @param {string} name @param {string} typed @param {string} path @param {"read" | "read-folder" | "write"} use */
function mountOf(name, typed, path, use) {
  const folder = `/given/${name}`;
  const inside = `${folder}/${basename(path)}`;
  if (use === "write") mkdirSync(dirname(path), { recursive: true });
  else if (!existsSync(path)) throw usageError(`${typed} does not exist`);
  const mount =
    use === "read"
      ? { source: path, target: inside, readonly: true }
      : { source: dirname(path), target: folder, readonly: use !== "write" };
  return { mount, path: inside };
}

/** Refuses a --config file with paths outside its folder, because the container sees only this folder. @param {Asked[]} asked @param {string} from */
function refuseOutside(asked, from) {
  const { value: config } = asked.find(({ name }) => name === "--config") ?? {};
  if (config === undefined || !existsSync(resolve(from, config))) return;
  const outside = [...readFileSync(resolve(from, config), "utf8").matchAll(/^(page|against): *["']?(?:\.\.|\/).*$/gm)];
  for (const [line, key] of outside)
    if (!asked.some(({ name }) => name.replace(/^--/, "") === key))
      throw usageError(
        `${config} has "${line}", but the container sees only the folder of ${config}; give ${
          key === "page" ? "the page" : `--${key}`
        } on the command line`,
      );
}
