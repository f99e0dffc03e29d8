import { ExitCode } from "../../schema/errors.ts";
import { say } from "../output/output.ts";
import { endingOf } from "./ending.ts";
import { useAdditions, withRunsOfBundles } from "./named-additions.ts";
import { programOf } from "./program.ts";

// It is not an error if the reader of a pipe stops early, as `head` does.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) =>
    process.exit(error.code === "EPIPE" ? ExitCode.done : ExitCode.failed),
  );

let asNamed = (text: string) => text;
try {
  process.exitCode = ExitCode.done;
  process.argv.splice(2, Infinity, ...withRunsOfBundles(process.argv.slice(2)));
  asNamed = useAdditions(process.argv.slice(2));
  await (await programOf(process.argv[2])).parseAsync();
} catch (error) {
  const { exitCode, text } = endingOf(error);
  if (text) say(`lab: ${asNamed(text)}`);
  process.exitCode = exitCode;
}
