/** Copies a recorded run into one of any length, to measure how long reports of it take. To make a million loads would take a month. */
import { once } from "node:events";
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { restMs } from "../../schema/procedure.ts";
import { orderOfBlock } from "../plan/blocks.ts";
import { contentOf } from "../record/journal.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { readRun } from "../record/records.ts";
import { virtualBlockRun } from "../record/run-folder.ts";

/** Copied loads take up to so much longer than the recorded one, percent. */
const longerPercent = 5;
/** Moments of copies differ by this for each block, so that no two loads are the same. */
const apartMs = 1e-6;

/** Writes whole blocks in the order of their plan, one load after the other. @returns how many loads the run has */
export async function makeRun(folder: string, loads: number): Promise<number> {
  mkdirSync(folder);
  const { manifest, lanes } = readRun(virtualBlockRun);
  const conditions = conditionsOfRun(manifest).map(({ id }) => id);
  const templates = templatesOf(virtualBlockRun);
  const blocks = Math.ceil(loads / conditions.length);
  const recorded = JSON.parse(readFileSync(`${virtualBlockRun}/run.json`, "utf8")) as object;
  writeFileSync(`${folder}/run.json`, JSON.stringify({ ...recorded, loads: blocks }));
  for (const file of ["lanes.jsonl", "calibration.jsonl"])
    writeFileSync(`${folder}/${file}`, contentOf(`${virtualBlockRun}/${file}`));
  const stream = createWriteStream(`${folder}/loads.jsonl`);
  const random = xoroshiro128plus(manifest.seed);
  let startsMs = Math.max(...lanes.map(({ startedAt }) => Date.parse(startedAt)));
  for (let block = 1; block <= blocks; block++) {
    let text = "";
    for (const id of orderOfBlock(conditions, block, manifest.seed)) {
      const template = templates.get(id)!;
      const laterMs = uniformInt(random, 0, Math.round(template.value("pageLoadMs") * longerPercent)) / 100;
      text += template.line(block, new Date(startsMs), laterMs);
      startsMs += template.value("wallMs") + Math.ceil(laterMs) + restMs;
    }
    if (!stream.write(text)) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "finish");
  return blocks * conditions.length;
}

/** The first load of each condition, by its id. */
function templatesOf(run: string): Map<string, Template> {
  const templates = new Map<string, Template>();
  for (const line of readRun(run).loads())
    if ("load" in line && line.load.block === 1 && line.load.ok)
      templates.set(line.load.condition, new Template(line.line.bytes.toString()));
  return templates;
}

const firsts = ["block", "startedAt", "wallMs", "pageLoadMs", "handshakeMs", "loadEventStart", "elapsedMs"] as const;
const lasts = ["endMs"] as const;
type Moved = (typeof firsts)[number] | (typeof lasts)[number];

/** A load's line, cut into the fields that differ in another block and the text between them. */
class Template {
  readonly #pieces: string[] = [];
  readonly #moved: { name: Moved; value: string }[];

  constructor(line: string) {
    const places = [
      ...firsts.map((name) => ({ name, at: line.search(`"${name}":(?!null)`) })),
      ...lasts.map((name) => ({ name, at: line.lastIndexOf(`"${name}":`) })),
    ].sort((a, b) => a.at - b.at);
    let from = 0;
    this.#moved = places.map(({ name, at }) => {
      const begin = at + name.length + 3;
      const value = /^[^,}]*/.exec(line.slice(begin, begin + 40))![0];
      this.#pieces.push(line.slice(from, begin));
      from = begin + value.length;
      return { name, value };
    });
    this.#pieces.push(line.slice(from));
  }

  value = (name: Moved): number => Number(this.#moved.find((one) => one.name === name)!.value);

  line(block: number, starts: Date, laterMs: number): string {
    const apart = (value: string) => `${Number(value) + block * apartMs}`;
    const later = (value: string) => `${Math.round((Number(value) + laterMs) * 10) / 10}`;
    const change: Record<Moved, (value: string) => string> = {
      block: () => `${block}`,
      startedAt: () => JSON.stringify(starts),
      wallMs: (value) => `${Number(value) + Math.ceil(laterMs)}`,
      pageLoadMs: later,
      loadEventStart: later,
      elapsedMs: later,
      handshakeMs: apart,
      endMs: apart,
    };
    const texts = this.#moved.map(({ name, value }, i) => this.#pieces[i] + change[name](value));
    return `${texts.join("")}${this.#pieces.at(-1)}\n`;
  }
}
