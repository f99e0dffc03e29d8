/** Makes the lab's own synthetic traces, always with the same random numbers: node --import tsx shaper/rate-traces/make.ts */
import { writeFileSync } from "node:fs";
import type { RateStep } from "../../schema/rate-trace.ts";
import { rateTracePath, rateTraceText } from "../rate-traces.ts";

type Random = () => number;

/** Lehmer's generator with the multiplier of Park and Miller (1988). Its numbers are the same everywhere, evenly distributed from 0 to 1. */
function randomFrom(seed: number): Random {
  let state = seed * 1_000_003; // small states have small first numbers
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A normally distributed random number (Box and Muller, 1958). */
const normal = (random: Random) => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());

const steps = (count: number, ms: number, mbpsAt: (step: number) => number): RateStep[] =>
  Array.from({ length: count }, (_, i) => [ms, Math.max(0, Math.round(100 * mbpsAt(i)) / 100)]);

/** Log-normal rates. @param spread standard deviation of the logarithm @param memory the share of a step's deviation that the next step keeps */
function wandering(random: Random, count: number, ms: number, median: number, spread: number, memory: number) {
  let deviation = 0;
  return steps(count, ms, () => {
    deviation = memory * deviation + Math.sqrt(1 - memory ** 2) * normal(random);
    return Math.max(0.2, median * Math.exp(spread * deviation));
  });
}

/** Makes the rates of a train that passes three antennas. Between two antennas, the rate falls, is 0 during the handover, and rises. */
const antennas = (random: Random, most: number) =>
  [0, 1, 2].flatMap(() => {
    const near = most * (0.6 + 0.4 * random());
    const pass = steps(36, 500, (i) => near * Math.max(0.08, Math.exp(-(((i - 18) / 9) ** 2))));
    return [...pass, ...steps(4, 500, () => 0)];
  });

const handover = (mbps: number, after: number): RateStep[] => [
  [4000, mbps],
  [500, mbps / 4],
  [500, 0],
  [500, after / 2],
  [4500, after],
];

function write(name: string, source: string, rtt: string, queue: string, down: RateStep[], up: RateStep[]): void {
  const text = rateTraceText(`synthetic: ${source}`, { rtt, loss: "0 %", queue }, { down, up });
  writeFileSync(rateTracePath(name), text);
}

const [lte, train, satellite, wifi] = [randomFrom(1), randomFrom(2), randomFrom(3), randomFrom(4)];
write(
  "LTE-evening",
  "LTE in a busy cell, a minute in steps of 0.5 s around a median of 9 Mb/s down and 3 up",
  "60 ms",
  "200 packets",
  wandering(lte, 120, 500, 9, 0.7, 0.8),
  wandering(lte, 120, 500, 3, 0.6, 0.8),
);
write(
  "train",
  "a train that passes three antennas in a minute, with 2 s of nothing after each",
  "80 ms",
  "200 packets",
  antennas(train, 30),
  antennas(train, 8),
);
write(
  "handover",
  "4G to 5G after 5 s, with half a second of nothing in between; it repeats every 10 s",
  "50 ms",
  "200 packets",
  handover(8, 40),
  handover(3, 10),
);
write(
  "satellite",
  "satellites close to the Earth: another rate every 15 s, for two minutes",
  "40 ms",
  "300 packets",
  steps(8, 15_000, () => 20 + 60 * satellite()),
  steps(8, 15_000, () => 4 + 8 * satellite()),
);
write(
  "WiFi-busy",
  "Wi-Fi that neighbours use, too: ten seconds in steps of 0.1 s around 20 Mb/s down and 10 up",
  "20 ms",
  "150 packets",
  wandering(wifi, 100, 100, 20, 0.5, 0.3),
  wandering(wifi, 100, 100, 10, 0.5, 0.3),
);
