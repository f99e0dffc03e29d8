/** Alters a run's plan, and adds, removes or moves loads. */
import type { GoodLoad } from "../../schema/records.ts";
import { type Forgery, isVictim, onLoad, victimsLink } from "./forgery.ts";
import type { RunFiles } from "./run-files.ts";

const without = (files: RunFiles, is: (load: GoodLoad) => boolean) => {
  files.loads = files.loads.filter((load) => !is(load));
};

export const plan: Forgery[] = [
  { what: "a load removed", forge: (files) => without(files, isVictim), message: /1 missing/ },
  {
    what: "a load listed twice",
    forge: (files) => void files.loads.push(files.loads.find(isVictim)!),
    message: /its block already has a load of this condition/,
  },
  {
    what: "the same evidence in another block, with a different time",
    forge(files) {
      files.manifest.loads = 2;
      const copy = structuredClone(files.loads.find(isVictim)!);
      const last = files.loads.findLast(({ lane }) => lane === copy.lane)!;
      const startedAt = new Date(Date.parse(last.startedAt) + last.wallMs + 10).toISOString();
      copy.evidence.timing.loadEventStart! += 0.3;
      files.loads.push({ ...copy, block: 2, startedAt, pageLoadMs: copy.evidence.timing.loadEventStart! });
    },
    message: /another load has the same evidence/,
  },
  onLoad("a failed attempt removed", (load) => void load.attempt++, /it is attempt 2, but attempt 1 has no line/),
  {
    what: "two lines swapped",
    forge({ loads }) {
      [loads[10], loads[12]] = [loads[12]!, loads[10]!];
    },
    message: /before the previous load had ended/,
  },
  {
    what: "two lines swapped, and their start times adapted to the new order",
    forge(files) {
      const [one, other] = [structuredClone(files.loads[10]!), structuredClone(files.loads[12]!)];
      files.loads[10] = { ...other, startedAt: one.startedAt, wallMs: other.wallMs };
      files.loads[12] = { ...one, startedAt: other.startedAt, wallMs: one.wallMs };
    },
    message: /differs from the planned order, which follows from the seed|before the previous load had ended/,
  },
  onLoad(
    "a load that began before its lane",
    (load) => void (load.startedAt = "1999-01-01T00:00:00.000Z"),
    /it began at 1999/,
  ),
  {
    what: "the plan's seed changed after the run",
    forge: (files) => void (files.manifest.seed = 7),
    message: /differs from the planned order, which follows from the seed/,
  },
  {
    what: "conditions removed from the plan after the run, with their loads",
    forge(files) {
      files.manifest.only = [...(files.manifest.only as string[]), "page=A,B"];
      without(files, ({ page }) => page === "C");
    },
    message: /its position in its lane differs from the planned order, which follows from the seed/,
  },
  {
    what: "a plan extended after the run",
    forge: (files) => void (files.manifest.loads = 2),
    message: /run\.json was changed after the run began/,
  },
  {
    what: "another link under the same name",
    forge(files) {
      const registries = structuredClone(files.manifest.registries) as { links: Record<string, { downMbps: number }> };
      registries.links[victimsLink]!.downMbps = 8;
      files.manifest.registries = registries;
    },
    message: /it is not in the plan|the manifest/,
  },
  {
    what: "a page that has fewer requests in the plan than in its loads",
    forge(files) {
      const registries = structuredClone(files.manifest.registries) as { pages: Record<string, { requests: number }> };
      registries.pages.A!.requests--;
      files.manifest.registries = registries;
    },
    message: /\d+ requests instead of \d+/,
  },
];
