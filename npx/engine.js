/** Docker or Podman: which of them answers, and how it runs a container as this user, until a signal ends it. */
import { spawn, spawnSync } from "node:child_process";
import { exitCodes, Refusal } from "./refusal.js";

/** @typedef {{ program: "docker" | "podman", rootless: boolean }} Engine */

/** What each says about itself; "rootless" or "true" is in it if containers have no root of this machine's. */
const questions = /** @type {const} */ ([
  ["docker", "{{json .SecurityOptions}}"],
  ["podman", "{{.Host.Security.Rootless}}"],
]);

/** @param {string} clone how to get the lab without an engine @returns {Engine} @throws Refusal if none answers */
export function findEngine(clone) {
  const silent = [];
  for (const [program, format] of questions) {
    const { error, status, stdout, stderr } = spawnSync(program, ["info", "--format", format], { encoding: "utf8" });
    if (!error && status === 0) return { program, rootless: /rootless|true/.test(stdout) };
    if (!error) silent.push(`${program} is here but does not answer: ${stderr.trim().split("\n").at(-1)}`);
  }
  const found = silent.length
    ? `${silent.join("\n")}\nStart it, then try again.`
    : "There is no Docker and no Podman here.";
  throw new Refusal(
    exitCodes.machineCannot,
    `the gate runs in a container. ${found}
On Debian 12 or 13 it runs without a container: ${clone}
On other systems install Docker or Podman.`,
  );
}

/**
 * The words that make files in the results this user's own: an engine without root rights has numbers of its own for users.
 * @param {Engine} engine @param {{ uid: number, gid: number } | null} user null where users have no numbers, as on Windows
 */
export function userWords({ program, rootless }, user) {
  if (!user) return [];
  if (program === "docker" && rootless) return ["--user", "0:0"];
  // label=disable: with SELinux a container reads no folder of the user's otherwise.
  const podman =
    program === "podman" ? ["--security-opt", "label=disable", ...(rootless ? ["--userns", "keep-id"] : [])] : [];
  return [...podman, "--user", `${user.uid}:${user.gid}`];
}

/**
 * Runs a container in the foreground. A signal goes to it, once; a second one kills it.
 * @param {Engine} engine @param {string} name of the container @param {readonly string[]} words of `docker run`
 * @returns {Promise<number>} its exit code
 */
export async function runContainer({ program }, name, words) {
  let signals = 0;
  // Before the start: a signal that came in between would end this process alone, and leave the container.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
    process.on(signal, () => {
      if (signals++ === 0) child.kill(signal);
      else spawn(program, ["kill", name], { stdio: "ignore" });
    });
  // A group of its own: Ctrl-C in a terminal would reach the engine's program a second time.
  const child = spawn(program, ["run", "--name", name, ...words], {
    stdio: ["ignore", "inherit", "inherit"],
    detached: process.platform !== "win32",
  });
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  // 125 to 127 are the engine's own, which has said why.
  if (code !== null && code >= 125 && code <= 127)
    throw new Refusal(exitCodes.machineCannot, `${program} did not start the container`);
  return code ?? exitCodes.interrupted;
}
