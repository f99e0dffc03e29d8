import { z } from "zod";
import { defineCompound } from "./axis.ts";

const pattern = /^([\d.]+)\/([\d.]+)$/;

/** Both directions' rates as the paper writes them. */
export const axis = defineCompound<string>({
  name: "rate",
  title: "rate down and up, Mb/s",
  example: "10/1",
  place: 39,
  value: z.string().regex(pattern, { error: ({ input }) => `"${input}" is not a rate like "10/1"` }),
  parts: ["down", "up"],
  expands(rate) {
    const [, down, up] = pattern.exec(rate)!;
    return { down: Number(down), up: Number(up) };
  },
  of: ({ down, up }) => `${down}/${up}`,
});
