/** The length of a queue: in packets, or in bytes, as cable modems count. */
import { z } from "zod";
import { fullPacketsIn, type QueueLimit } from "../schema/link.ts";
import { exampleOf, readQueueLimit } from "../schema/units.ts";
import { notA } from "./values.ts";

/** A number of packets, or text like "64000bytes". */
export type QueueLength = number | string;

const numberOrText = z.union(
  [z.number(), z.string()],
  notA(`a value like "${exampleOf("queuePackets")}" or "${exampleOf("queueBytes")}"`),
);

function read(given: number | string, context: z.RefinementCtx): QueueLength {
  try {
    return lengthOf(readQueueLimit(given, ""));
  } catch (error) {
    context.addIssue({ code: "custom", message: (error as Error).message.replace(/^: /, "") });
    return z.NEVER;
  }
}

/** A number of packets, or text: a number with a unit, or without one for packets. */
export const queueLength = numberOrText.transform(read);

export const queueLengthOr = (word: string) =>
  numberOrText.transform((given, context) => (given === word ? word : read(given, context)));

export const limitOf = (length: QueueLength): QueueLimit => {
  if (typeof length === "number") return { queuePackets: length };
  const queueBytes = Number.parseInt(length, 10);
  return { queuePackets: fullPacketsIn(queueBytes), queueBytes };
};

export const lengthOf = ({ queuePackets, queueBytes }: QueueLimit): QueueLength =>
  queueBytes === undefined ? queuePackets : `${queueBytes}bytes`;

export const isInBytes = (length: QueueLength): length is string => /bytes$/.test(String(length));

export const textOfLength = (length: QueueLength): string => (isInBytes(length) ? length : `${length}packets`);
