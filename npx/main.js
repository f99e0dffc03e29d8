#!/usr/bin/env node
/** `npx pageload-lab gate` runs the lab's gate in a container. Paths, file owners, signals and exit codes work as without a container. */
import { readFileSync } from "node:fs";
import { containerWords, imageOf, repositoryOf, requireProcessor } from "./container.js";
import { findEngine, runContainer, userWords } from "./engine.js";
import { gateHelp } from "./help.js";
import { Refusal, usageError } from "./refusal.js";
import { forContainer } from "./words.js";

const about = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const usage = `Usage: npx pageload-lab gate [options] [page]      (options: npx pageload-lab gate --help)

Runs ./lab gate of Pageload Lab in a container of Docker or Podman. Results are written to ./results.
To use another image than that of version ${about.version}, set PAGELOAD_LAB_IMAGE to its name.
`;

/** @param {readonly string[]} words @returns {Promise<number>} the exit code */
async function main([command = "--help", ...words]) {
  const isHelp = (/** @type {string} */ word) => word === "--help" || word === "-h";
  if (command === "--version") return print(`${about.version}\n`);
  if (isHelp(command) || command === "help") return print(usage);
  if (command !== "gate")
    throw usageError(`unknown command '${command}'; known: gate; a clone of Pageload Lab has all commands of ./lab`);
  if (words.some(isHelp)) return print(gateHelp.replace("Usage: lab ", "Usage: npx pageload-lab "));
  requireProcessor(process.arch);
  const gate = forContainer(words, process.cwd());
  const image = imageOf(about, process.env.PAGELOAD_LAB_IMAGE);
  const repository = repositoryOf(about) ?? "OWNER/pageload-lab";
  const engine = findEngine(`git clone https://github.com/${repository} lab && lab/lab gate`);
  const user = process.getuid && process.getgid ? { uid: process.getuid(), gid: process.getgid() } : null;
  const name = `pageload-lab-${process.pid}-${Date.now().toString(36)}`;
  return runContainer(engine, name, containerWords(image, gate, process.cwd(), userWords(engine, user)));
}

/** @param {string} text */
function print(text) {
  process.stdout.write(text);
  return 0;
}

process.exitCode = await main(process.argv.slice(2)).catch((error) => {
  console.error(`lab: ${error instanceof Refusal ? error.message : error.stack}`);
  return error instanceof Refusal ? error.code : 1;
});
