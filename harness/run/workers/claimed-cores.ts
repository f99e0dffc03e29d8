import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Redis } from "ioredis";
import { cores } from "../../../substrate/cores.ts";
import { keptSeconds, keyOf, renew } from "./worker-list.ts";

/** Names this machine for its containers, too. */
const machine = () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();

/**
 * Takes cores that no other worker of this machine has taken, since a lane stays on one core; where there are too few, lanes share them.
 * @returns a lane's slots, each the place of a core in cores(), and how to give them back
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
  const first = cores().length + randomInt(cores().length); // a slot's core is its remainder
  for (let i = 0; slots.length < count; i++) slots.push(first + i);
  return { slots, giveBack: () => stops.forEach((stop) => void stop()) };
}
