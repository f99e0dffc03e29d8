/** Finds a running Docker or Podman, and runs a container with it as this user. Signals are passed on to the container. */
import { spawn, spawnSync } from "node:child_process";
import { exitCodes, Refusal } from "./refusal.js";

/** @typedef {{ program: "docker" | "podman", rootless: boolean }} Engine */

/** The `info --format` template of each engine. The output of a rootless engine contains "rootless" or "true". */
const questions = /** @type {const} */ ([
  ["docker", "{{json .SecurityOptions}}"],
  ["podman", "{{.Host.Security.Rootless}}"],
]);

/** @param {string} clone the command to clone the lab and run a gate without a container @returns {Engine} @throws Refusal without an engine */
export function findEngine(clone) {
  const silent = [];
  for (const [program, format] of questions) {
    const { error, status, stdout, stderr } = spawnSync(program, ["info", "--format", format], { encoding: "utf8" });
    if (!error && status === 0) return { program, rootless: /rootless|true/.test(stdout) };
    if (!error) silent.push(`${program} is installed but does not answer: ${stderr.trim().split("\n").at(-1)}`);
  }
  const found = silent.length
    ? `${silent.join("\n")}\nStart it, then try again.`
    : "Neither Docker nor Podman is installed.";
  throw new Refusal(
    exitCodes.machineCannot,
    `the gate runs in a container. ${found}
On Debian 12 or 13 the gate also runs without a container: ${clone}
On other systems, install Docker or Podman.`,
  );
}

/**
 * The `docker run` arguments that make this user the owner of the result files. A rootless engine maps the container's user IDs to other IDs.
 * @param {Engine} engine @param {{ uid: number, gid: number } | null} user null on systems without user IDs, such as Windows
 */
export function userWords({ program, rootless }, user) {
  if (!user) return [];
  if (program === "docker" && rootless) return ["--user", "0:0"];
  // Without label=disable, SELinux prevents the container from reading the user's folders.
  const podman =
    program === "podman" ? ["--security-opt", "label=disable", ...(rootless ? ["--userns", "keep-id"] : [])] : [];
  return [...podman, "--user", `${user.uid}:${user.gid}`];
}

/**
 * Runs a container in the foreground. The first signal is passed on to the container; a second signal kills the container.
 * @param {Engine} engine @param {string} name the container's name @param {readonly string[]} words arguments of `docker run`
 * @returns {Promise<number>} the container's exit code
 */
export async function runContainer({ program }, name, words) {
  let signals = 0;
  // Handlers are installed before the container starts: otherwise an early signal would end only this process, not the container.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
    process.on(signal, () => {
      if (signals++ === 0) child.kill(signal);
      else spawn(program, ["kill", name], { stdio: "ignore" });
    });
  // The child gets its own process group: otherwise it would receive the SIGINT of Ctrl-C twice, from the terminal and from here.
  const child = spawn(program, ["run", "--name", name, ...words], {
    stdio: ["ignore", "inherit", "inherit"],
    detached: process.platform !== "win32",
  });
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  // Exit codes 125 to 127 come from the engine, which has printed the reason.
  if (code !== null && code >= 125 && code <= 127)
    throw new Refusal(exitCodes.machineCannot, `${program} did not start the container`);
  return code ?? exitCodes.interrupted;
}
