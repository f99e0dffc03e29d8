/** The folder of the lab's scripts in a guest, each bundled with its imports into one JavaScript file (substrate/bundle.ts). */
export const bundleFolder = ".lab/bundle";

/** Limits V8 to processor features from before 2010. By default, V8 uses all features of the processor; guests need the same code on all machines. */
export const v8Flags = [
  ...["avx", "avx2", "fma3", "bmi1", "bmi2", "lzcnt"].map((feature) => `--no-enable-${feature}`),
  "--mcpu=any", // without the special code for Atom processors
];
/**
 * Node.js in a guest runs for seconds, and no virtual time passes while it computes. Optimizing code costs more than it saves. Threads for
 * compilation and garbage collection only add context switches. A young generation with semi-spaces of 16 MB is seldom collected.
 */
const nodeFlags = [...v8Flags, "--single-threaded", "--no-opt", "--min-semi-space-size=16", "--initial-heap-size=256"];

/**
 * Newer versions of V8 pad compiled code on Intel processors of 2015 to 2019. A guest has one CPU, where V8's threads for compilation and
 * garbage collection continue only when time passes; without `--single-threaded`, the duration of a page's computation would depend on them.
 */
export const chromiumV8Flags = [...v8Flags, "--no-intel-jcc-erratum-mitigation", "--single-threaded"];

/** Rewrites a command with a script of the lab (`node --import tsx ...`) for a guest, which has no TypeScript. Other commands stay as they are. */
export function asBundled(command: string[]): string[] {
  const at = command.indexOf("tsx") - 2; // the index of `node`
  if (at < 0) return command;
  const [script = "", ...args] = command.slice(at + 3);
  return [...command.slice(0, at), "node", ...nodeFlags, `${bundleFolder}/${script.replace(/ts$/, "mjs")}`, ...args];
}
