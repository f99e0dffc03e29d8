import { z } from "zod";
import { addedPath, withAdded } from "../hosts/added.ts";
import type { Link } from "../schema/link.ts";
import { parseQuantity, readQueueLimit } from "../schema/units.ts";
import { readYamlFile } from "../schema/yaml-file.ts";
import { readRateTraces } from "./rate-traces.ts";

export const linksFile = "shaper/links.yml";

const text = z.union([z.string(), z.number()]);
export const linksSchema = z.record(
  z.string().regex(/^[\w.%-]+$/, "a link's name has only letters, digits and . _ % -"),
  z.strictObject({
    ...{ down: text, up: text, rtt: text, loss: text },
    /** One length for both directions, or a length for each direction. */
    queue: z.union([text, z.strictObject({ down: text, up: text })]),
  }),
);

function queuesIn(given: z.infer<typeof text> | Record<"down" | "up", z.infer<typeof text>>, where: string) {
  if (typeof given !== "object") return readQueueLimit(given, where);
  return { ...readQueueLimit(given.down, `${where}.down`), upQueue: readQueueLimit(given.up, `${where}.up`) };
}

/** The file with an experiment's own links, in the same folder as the experiment. */
export const addedLinksFile = "links.yml";

/** Reads the lab's named links, its traces' links, and added links. @throws LabError (usage) that names the file, the link and the key */
export function readLinks(): Record<string, Link> {
  const added = addedPath(addedLinksFile);
  const traced = Object.entries(readRateTraces()).map(([name, { link }]) => [name, link] as const);
  const own = withAdded("link", linksIn(linksFile), Object.fromEntries(traced));
  return withAdded("link", own, added === undefined ? {} : linksIn(added));
}

export function linksIn(path: string): Record<string, Link> {
  const links = Object.entries(readYamlFile(path, linksSchema)).map(([name, raw]) => {
    const where = (key: string) => `${path}: ${name}.${key}`;
    const link: Link = {
      downMbps: parseQuantity("rateMbps", raw.down, where("down")),
      upMbps: parseQuantity("rateMbps", raw.up, where("up")),
      rttMs: parseQuantity("rttMs", raw.rtt, where("rtt")),
      lossPercent: parseQuantity("lossPercent", raw.loss, where("loss")),
      ...queuesIn(raw.queue, where("queue")),
    };
    return [name, link] as const;
  });
  return Object.fromEntries(links);
}
