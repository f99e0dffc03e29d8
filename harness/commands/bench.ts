import { benchChaos } from "./bench-chaos.ts";
import { benchMemory } from "./bench-memory.ts";
import { benchOverhead } from "./bench-overhead.ts";

interface BenchOptions {
  loads?: number;
  kills: number;
  seed?: number;
}

const all = {
  overhead: ({ loads }: BenchOptions) => benchOverhead(loads),
  memory: ({ loads }: BenchOptions) => benchMemory(loads),
  chaos: ({ kills, seed }: BenchOptions) => benchChaos(kills, seed),
};
export const benches = Object.keys(all);

export const bench = (what: keyof typeof all, options: BenchOptions): Promise<void> => all[what](options);
