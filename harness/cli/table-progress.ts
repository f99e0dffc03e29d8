/** A run's medians and gains as they become known, on a terminal: below how it stands, drawn again with each load. */
import { clearScreenDown, moveCursor } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { metrics } from "../../metrics/registry.ts";
import type { LoadRecord } from "../../schema/records.ts";
import { counted } from "../../schema/words.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";
import type { CountedLoad } from "../report/tables/counted.ts";
import { mediansMarkdown } from "../report/tables/medians-markdown.ts";
import { buildTables } from "../report/tables/report.ts";
import type { Progress, Start } from "../run/runner.ts";
import { showProgress } from "./progress.ts";
import { standingOf } from "./standing.ts";

const drawnEveryMs = 500;

/** Elsewhere than on a terminal, plain lines as every run has them. */
export function startTableProgress(start: Start, stream = process.stderr): Progress {
  const standing = standingOf(start);
  if (!stream.isTTY) return showProgress(standing, stream);
  const screen = new Screen(stream);
  const table = new LiveTable(start.manifest);
  let drawnMs = -Infinity;
  const draw = () => {
    drawnMs = Date.now();
    const { done, total, block, doing } = standing;
    screen.show(`${table.text()}\n\n${done}/${counted(total, "load")}, block ${block}, ${standing.left()}: ${doing}`);
  };
  return {
    event(event) {
      standing.event(event);
      if (event.kind === "lane broke") screen.print(`${event.message}; starting another lane`);
      if (event.kind === "message" && event.message.kind === "load") table.add(event.message.load);
      if (Date.now() - drawnMs >= drawnEveryMs) draw();
    },
    print: (text) => screen.print(text),
    stop: () => screen.clear(),
  };
}

/** The loads of a run so far, and its tables of medians. */
class LiveTable {
  readonly #manifest: Manifest;
  readonly #loads: CountedLoad[] = [];

  constructor(manifest: Manifest) {
    this.#manifest = manifest;
  }

  add(load: LoadRecord): void {
    const { condition, block, attempt, ok } = load;
    const values = Object.values(metrics).map(({ name, of }) => [name, load.ok ? of(load.evidence) : null]);
    this.#loads.push({ condition, block, attempt, ok, metrics: Object.fromEntries(values), marked: false });
  }

  text(): string {
    const { experiment, loads, clock } = this.#manifest;
    const conditions = conditionsOfRun(this.#manifest);
    const facts = { clock, conditions };
    const { tables } = buildTables(this.#loads, { ...experiment, loads }, null, facts);
    return tables.flatMap((table) => (table.kind === "medians" ? [mediansMarkdown(table)] : [])).join("\n\n");
  }
}

/** The last lines of a terminal, which are drawn again and again; what is said stays above them. */
class Screen {
  readonly #stream: NodeJS.WriteStream;
  #lines: string[] = [];

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Lines are cut to the terminal's width: one that wraps would be two. */
  show(text: string): void {
    const width = this.#stream.columns - 1;
    this.clear();
    this.#lines = text.split("\n").map((line) => stripVTControlCharacters(line).slice(0, width));
    this.#stream.write(this.#lines.map((line) => `${line}\n`).join(""));
  }

  print(text: string): void {
    const lines = this.#lines;
    this.clear();
    this.#stream.write(`${text}\n`);
    if (lines.length) this.show(lines.join("\n"));
  }

  clear(): void {
    moveCursor(this.#stream, 0, -this.#lines.length);
    clearScreenDown(this.#stream);
    this.#lines = [];
  }
}
