/**
 * Runs commands of ./lab in one process, one after the other, because starting a process takes longer than refusing most commands.
 * stdin: a list of argument lists. stdout: the list of their endings.
 */
import { text } from "node:stream/consumers";
import type { Ending } from "./lab.ts";

const streams = [process.stdout, process.stderr] as const;
for (const stream of streams) stream.setMaxListeners(0); // each execution of main.ts adds listeners
const write = process.stdout.write.bind(process.stdout);
const endings: Ending[] = [];
for (const [i, words] of (JSON.parse(await text(process.stdin)) as string[][]).entries()) {
  const said = ["", ""];
  for (const [n, stream] of streams.entries())
    stream.write = (chunk: string | Uint8Array) => {
      said[n] += Buffer.from(chunk as string).toString();
      return true;
    };
  process.argv.splice(2, Infinity, ...words);
  await import(`../harness/cli/main.ts?${i}`);
  endings.push({ code: Number(process.exitCode), stdout: said[0]!, stderr: said[1]! });
}
process.exitCode = 0;
write(JSON.stringify(endings));
