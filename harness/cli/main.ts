import { ExitCode } from "../../schema/errors.ts";
import { say } from "../output/output.ts";
import { endingOf } from "./ending.ts";
import { programOf } from "./program.ts";

// It is not an error if the reader of a pipe stops early, as `head` does.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) =>
    process.exit(error.code === "EPIPE" ? ExitCode.done : ExitCode.failed),
  );

try {
  process.exitCode = ExitCode.done;
  await (await programOf(process.argv[2])).parseAsync();
} catch (error) {
  const { exitCode, text } = endingOf(error);
  if (text) say(`lab: ${text}`);
  process.exitCode = exitCode;
}
