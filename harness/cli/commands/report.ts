import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Command, Option } from "commander";
import { ExitCode, LabError, usageError } from "../../../schema/errors.ts";
import { print } from "../../output/output.ts";
import { openRun } from "../../record/run-folder.ts";
import { userPath } from "../../record/user-path.ts";
import { untilStopped } from "../../run/lifetime.ts";
import { buildReport, type OpenedRun } from "../../web/build.ts";
import { keptReport } from "../../web/kept-reports.ts";
import { loopback, type Place, serveReport } from "../../web/serve.ts";
import { writeReport } from "../../web/write.ts";
import { makeFolder } from "../folder.ts";
import { aRun, wholeNumber } from "./options.ts";

interface ReportOptions {
  out?: string;
  beside?: string;
  serve?: true;
  port?: number;
  address?: string;
}

const defaultPort = 8080;

async function report(name: string | undefined, options: ReportOptions): Promise<void> {
  const { out, beside, serve, port, address } = options;
  if (serve && out !== undefined) throw usageError("--serve writes no folder: leave out --out, or --serve");
  if (!serve && (port !== undefined || address !== undefined)) throw usageError("--port and --address are for --serve");
  const runs = [openRun(name), ...(beside === undefined ? [] : [openRun(beside)])];
  if (serve) return serveUntilStopped(runs, { port: port ?? defaultPort, address: address ?? loopback });
  const folder = out ?? `${runs[0]!.folder}/report`;
  await writeFolder(folder, runs);
  print(`${folder}/index.html`);
}

async function writeFolder(folder: string, runs: OpenedRun[]): Promise<void> {
  makeFolder(folder); // fails early if the report cannot be written
  const files = await keptReport(runs, () => buildReport(runs));
  // An earlier report in this folder may have data of more conditions.
  rmSync(join(folder, "data"), { recursive: true, force: true });
  writeReport(folder, files);
}

async function serveUntilStopped(runs: OpenedRun[], at: Place): Promise<void> {
  const { port } = at;
  const { url, close } = await serveReport(runs, at).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EADDRINUSE"
      ? new LabError(ExitCode.machineCannot, `port ${port} is in use; choose another with --port (0: any free port)`)
      : error;
  });
  print(url);
  await untilStopped();
  close();
}

export const addTo = (lab: Command) =>
  lab
    .command("report")
    .description("write a run as web pages: a folder that opens from disk, without a network")
    .argument(...aRun)
    .option("--out <folder>", "where to write the report (default: report/ in the run's folder)", userPath)
    .option("--beside <run>", "another run to compare this run with")
    .option(
      "--serve",
      "instead of writing a folder, serve the report on this machine, and update it while the run is active",
    )
    .option("--port <n>", `for --serve: the port to listen on (default: ${defaultPort})`, wholeNumber(0, 65_535))
    .addOption(
      new Option(
        "--address <ip>",
        "for --serve: the address to listen on; in a container use 0.0.0.0, because its loopback cannot be reached from outside",
      ).choices([loopback, "0.0.0.0"]),
    )
    .action(report);
