import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Redis } from "ioredis";
import { cores } from "../../../substrate/cores.ts";
import { keptSeconds, keyOf, renew } from "./worker-list.ts";

/** Identifies this machine. All containers on it read the same value. */
const machine = () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();

/**
 * Claims cores that no other worker on this machine has claimed, because a lane stays on one core. If there are too few, lanes share cores.
 * @returns a slot for each lane, and a function that gives the cores back. A slot modulo the number of cores is a core's index in cores()
 */
export async function claimCores(redis: Redis, count: number, onMachine = machine()) {
  const stops: (() => void)[] = [];
  const slots: number[] = [];
  for (let slot = 0; slot < cores().length && slots.length < count; slot++) {
    const key = keyOf("core", `${onMachine}:${cores()[slot]}`);
    if (!(await redis.set(key, "taken", "EX", keptSeconds, "NX"))) continue;
    slots.push(slot);
    stops.push(renew(redis, key, () => "taken"));
  }
  const first = cores().length + randomInt(cores().length);
  for (let i = 0; slots.length < count; i++) slots.push(first + i);
  return { slots, giveBack: () => stops.forEach((stop) => void stop()) };
}
