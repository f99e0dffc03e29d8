import { basename } from "node:path";
import type { Command } from "commander";
import { statisticsOf } from "../../../studies/capture-statistics.ts";
import { traceFigures } from "../../../studies/trace-figures.ts";
import { type NamedTrace, traceJson, traceMarkdown } from "../../../studies/trace-markdown.ts";
import { readCapture } from "../../../studies/tshark.ts";
import { print, say } from "../../output/output.ts";
import { userPath } from "../../record/user-path.ts";
import { writeFigures } from "../write-figures.ts";
import { formatOf, userPaths } from "./options.ts";

const renderers = { md: traceMarkdown, json: traceJson };

interface TraceOptions {
  format: keyof typeof renderers;
  figures?: string;
}

async function trace(files: string[], { format, figures }: TraceOptions): Promise<void> {
  const traces: NamedTrace[] = [];
  for (const file of files) {
    const packets = readCapture(file, (warning) => say(`lab: ${warning}`));
    traces.push({ name: basename(file), trace: await statisticsOf(packets) });
  }
  print(renderers[format](traces));
  if (figures) await writeFigures(traceFigures(traces), figures, say);
}

export const addTo = (lab: Command) =>
  lab
    .command("trace")
    .description(
      "characterise any packet captures: RTT, bytes, retransmissions, objects, requests (as in an IMC 2011 paper, section 3)",
    )
    .argument("<file...>", "pcap, pcapng or another format that tshark reads", userPaths)
    .addOption(formatOf(renderers))
    .option(
      "--figures <folder>",
      "also draw the paper's Figures 3 and 8 to 14 in this folder, as SVG and CSV",
      userPath,
    )
    .action(trace);
