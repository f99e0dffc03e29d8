import { z } from "zod";
import type { Direction } from "../schema/link.ts";
import { defineAxis, defineCompound } from "./axis.ts";
import { allOf, provesDirection, provesRate } from "./direction.ts";
import { bodyBytesOf } from "./expected.ts";
import { noTrace, traceNamed } from "./link-values.ts";
import { provesTracedRate } from "./traced-rate.ts";
import { notA, quantity } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    rate: string;
    down: number;
    up: number;
  }
}

const pattern = /^([\d.]+)\/([\d.]+)$/;
const mbps = quantity("rateMbps");
/** Down and up, Mb/s. */
const directionsOf = (rate: string) => {
  const [, down, up] = pattern.exec(rate)!;
  return { down: Number(down), up: Number(up) };
};

/** Both directions' rates, in the notation of the SPDY paper. */
const both = defineCompound({
  name: "rate",
  title: "rate down and up, Mb/s",
  example: "10/1",
  follows: "link",
  value: z
    .string(notA('a rate like "10/1"'))
    .regex(pattern, { ...notA('a rate like "10/1"'), abort: true })
    .superRefine((rate, context) => {
      for (const one of Object.values(directionsOf(rate)))
        for (const { message } of mbps.safeParse(one).error?.issues ?? [])
          context.addIssue({ code: "custom", message });
    }),
  parts: ["down", "up"],
  expands: directionsOf,
  of: ({ down, up }) => `${down}/${up}`,
});

/**
 * Confirmed by the shaper's kernel, which reports its queueing disciplines, and by packets that left the queue back to back. If the rate
 * varies, the value is the average of its trace, and the whole trace must be confirmed.
 */
const oneWay = (name: Direction, title: string, example: string, follows: "rate" | "down") =>
  defineAxis({
    name,
    shownByAnyLoad: true,
    title,
    example,
    follows,
    field: `${name}Mbps`,
    value: quantity("rateMbps"),
    text: (mbps) => `${mbps}Mb/s`,
    sets: (mbps) => ({ link: { [`${name}Mbps`]: mbps } }),
    proves: (mbps, all, evidence, registries) =>
      all.trace !== noTrace
        ? provesTracedRate(name, evidence, traceNamed(all.trace, registries)[name])
        : allOf(
            provesDirection(name, evidence.link[name], "rateMbps", mbps),
            provesRate(name, evidence, mbps, name === "down" ? bodyBytesOf(all, registries) : 0),
          ),
  });

export const axis = [
  both,
  oneWay("down", "rate to the client", "10Mb/s", "rate"),
  oneWay("up", "rate from the client", "1Mb/s", "down"),
];
