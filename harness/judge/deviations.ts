import { serialisationMs } from "../../axes/link-values.ts";
import { directions, type Link, packetMs, rateOf } from "../../schema/link.ts";
import type { LinkMeasurement } from "../../schema/records.ts";
import { tolerance } from "../../schema/tolerances.ts";

/** What calibration sends, bytes: the payload of a full packet (1500 of IP, 1514 of Ethernet, which netem counts) and of a small one. */
export const probeBytes = { full: 1472, small: 64, headers: 42 };

/** Each quantity of a measured link that is out of tolerance: asked, measured, allowed. Empty for the link that was asked for. */
export function deviations(
  link: Link,
  { rttMs, goodputMbps, goodputLimitMbps, ...measured }: LinkMeasurement,
): string[] {
  const problems: string[] = [];
  const hold = (what: string, asked: number, value: number, allowed: number) => {
    if (!(Math.abs(value - asked) <= allowed))
      problems.push(`${what}: asked ${asked.toFixed(2)}, measured ${value.toFixed(2)}, allowed ±${allowed.toFixed(2)}`);
  };
  hold("RTT with serialisation, ms", link.rttMs + serialisationMs(link), rttMs.median, tolerance.rttMs);
  const goodputAllowed = (goodputLimitMbps * tolerance.goodputPercent) / 100;
  hold("down TCP goodput, Mb/s", goodputLimitMbps, goodputMbps, goodputAllowed);
  for (const direction of directions) {
    const { delayMs, rateMbps, lossPercent, packets, queuePackets } = measured[direction];
    const asked = rateOf(link, direction);
    const askedDelayMs = link.rttMs / 2 + packetMs(probeBytes.small + probeBytes.headers, asked);
    hold(`${direction} delay with serialisation, ms`, askedDelayMs, delayMs, tolerance.rttMs);
    hold(`${direction} rate, Mb/s`, asked, rateMbps, (asked * tolerance.ratePercent) / 100);
    const p = link.lossPercent / 100;
    const lossAllowed = 100 * tolerance.lossDeviations * Math.sqrt((p * (1 - p)) / packets);
    hold(`${direction} loss, %`, link.lossPercent, lossPercent, lossAllowed);
    hold(`${direction} queue, packets`, link.queuePackets, queuePackets, tolerance.queuePackets);
  }
  return problems;
}
