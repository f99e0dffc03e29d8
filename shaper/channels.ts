import { z } from "zod";
import type { Channel } from "../schema/model.ts";
import { parseQuantity } from "../schema/units.ts";
import { readYamlFile } from "../schema/yaml-file.ts";

export const channelsFile = "shaper/channels.yml";

const text = z.union([z.string(), z.number()]);
const schema = z.record(
  z.string().regex(/^[\w.%-]+$/, "a channel's name is made of letters, digits and . _ % -"),
  z.strictObject({ down: text, up: text, rtt: text, loss: text, queue: text }),
);

/** The registry of channels, by name. */
export function readChannels(path = channelsFile): Map<string, Channel> {
  const channels = Object.entries(readYamlFile(path, schema)).map(([name, raw]): [string, Channel] => {
    const where = (key: string) => `${path}: ${name}.${key}`;
    return [
      name,
      {
        name,
        downMbps: parseQuantity("rateMbps", raw.down, where("down")),
        upMbps: parseQuantity("rateMbps", raw.up, where("up")),
        rttMs: parseQuantity("rttMs", raw.rtt, where("rtt")),
        lossPercent: parseQuantity("lossPercent", raw.loss, where("loss")),
        queuePackets: parseQuantity("queuePackets", raw.queue, where("queue")),
      },
    ];
  });
  return new Map(channels);
}
