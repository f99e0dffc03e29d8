import { usageError } from "./errors.ts";
import { fullFrameBytes, fullPacketsIn, type QueueLimit } from "./link.ts";

interface Unit {
  example: string;
  pattern: RegExp;
  min: number;
  max: number;
}

/** The quantities that files and flags may contain. netem and TCP can emulate values within these bounds correctly. */
const units = {
  rateMbps: { example: "10 Mb/s", pattern: /^(-?[\d.]+)\s*Mb\/s$/, min: 0.01, max: 1000 },
  rttMs: { example: "100 ms", pattern: /^(-?[\d.]+)\s*ms$/, min: 0, max: 10_000 },
  lossPercent: { example: "1 %", pattern: /^(-?[\d.]+)\s*%$/, min: 0, max: 50 },
  duplicatePercent: { example: "1 %", pattern: /^(-?[\d.]+)\s*%$/, min: 0, max: 50 },
  corruptPercent: { example: "1 %", pattern: /^(-?[\d.]+)\s*%$/, min: 0, max: 50 },
  jitterMs: { example: "10 ms", pattern: /^(-?[\d.]+)\s*ms$/, min: 0, max: 1000 },
  cpuSlowdown: { example: "4x", pattern: /^(-?[\d.]+)\s*x$/, min: 1, max: 20 },
  burstPackets: { example: "4 packets", pattern: /^(-?[\d.]+)\s*packets?$/, min: 1, max: 1000 },
  queuePackets: { example: "50 packets", pattern: /^(-?\d+)\s*packets?$/, min: 1, max: 100_000 },
  queueBytes: {
    example: "64 KB",
    pattern: /^(-?[\d.]+)\s*bytes$/,
    min: fullFrameBytes,
    max: 100_000 * fullFrameBytes,
  },
  thinkTimeMs: { example: "200 ms", pattern: /^(-?[\d.]+)\s*ms$/, min: 0, max: 10_000 },
  idleMs: { example: "5000 ms", pattern: /^(-?[\d.]+)\s*ms$/, min: 0, max: 60_000 },
  processingMs: { example: "0.1 ms", pattern: /^(-?[\d.]+)\s*ms$/, min: 0, max: 10 },
  timeoutSeconds: { example: "120 s", pattern: /^(-?[\d.]+)\s*s$/, min: 1, max: 3600 },
} satisfies Record<string, Unit>;
export type Quantity = keyof typeof units;

export const exampleOf = (quantity: Quantity): string => units[quantity].example;

/**
 * Returns the number, in the unit with which the quantity's name ends. @param where names the value in errors: "shaper/links.yml: DSL.rtt"
 * @throws LabError (usage) when the unit is missing or wrong, or the number out of range
 */
export function parseQuantity(quantity: Quantity, text: unknown, where: string): number {
  const unit: Unit = units[quantity];
  const number = Number(unit.pattern.exec(String(text).trim())?.[1] ?? NaN);
  if (Number.isNaN(number)) throw usageError(`${where}: "${text}" is not a value like "${unit.example}"`);
  return inRange(quantity, number, where, String(text));
}

/** Returns the number. @throws LabError (usage) when it is out of its quantity's range */
export function inRange(quantity: Quantity, number: number, where: string, shown = String(number)): number {
  const unit: Unit = units[quantity];
  if (number >= unit.min && number <= unit.max) return number;
  throw usageError(
    `${where}: "${shown}" is out of range; ${unit.min} to ${unit.max} is allowed, as in "${unit.example}"`,
  );
}

/** Bytes in each unit in which a queue's length can be given. */
const byteUnits: Record<string, number> = { bytes: 1, KB: 1000, KiB: 1024, MB: 1_000_000, MiB: 1 << 20 };
const withByteUnit = new RegExp(`^(-?[\\d.]+)\\s*(${Object.keys(byteUnits).join("|")})$`);

/** Reads the length of a queue: a number, with or without "packets", or bytes with a unit. @throws LabError (usage) */
export function readQueueLimit(given: string | number, where: string): QueueLimit {
  const text = String(given).trim();
  const [, number, unit] = withByteUnit.exec(text) ?? [];
  if (unit !== undefined) {
    const queueBytes = inRange("queueBytes", Math.round(Number(number) * byteUnits[unit]!), where, text);
    return { queuePackets: fullPacketsIn(queueBytes), queueBytes };
  }
  const packets = /^-?[\d.]+$/.test(text)
    ? Number(text)
    : Number(units.queuePackets.pattern.exec(text)?.[1] ?? Number.NaN);
  if (!Number.isInteger(packets))
    throw usageError(
      `${where}: "${text}" is not a whole number of packets or bytes, as in "${units.queuePackets.example}" or "${units.queueBytes.example}"`,
    );
  return { queuePackets: inRange("queuePackets", packets, where, text) };
}
