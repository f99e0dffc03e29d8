import { basename } from "node:path";
import { statisticsOf } from "../../traces/capture-statistics.ts";
import { readCapture } from "../../traces/tshark.ts";
import { traceFigures } from "../report/trace/figures.ts";
import { type NamedTrace, traceJson, traceMarkdown } from "../report/trace/render.ts";
import { writeFigures } from "./figures.ts";

const renderers = { md: traceMarkdown, json: traceJson };
export const traceFormats = Object.keys(renderers);

interface TraceOptions {
  format: keyof typeof renderers;
  figures?: string;
}

/** Captures of anybody's, one after another. */
export async function trace(files: string[], { format, figures }: TraceOptions): Promise<void> {
  const traces: NamedTrace[] = [];
  for (const file of files) {
    const packets = readCapture(file, (warning) => console.error(`lab: ${warning}`));
    traces.push({ name: basename(file), trace: await statisticsOf(packets) });
  }
  process.stdout.write(renderers[format](traces));
  if (figures) await writeFigures(traceFigures(traces), figures, console.error);
}
