import { serialisationMs } from "../../axes/link-values.ts";
import { directions, fullFrameBytes, fullSegmentBytes, type Link, packetMs, rateOf } from "../../schema/link.ts";
import type { LinkMeasurement } from "../../schema/records.ts";
import { tolerance } from "../../schema/tolerances.ts";

/** A busy moment of the machine is not a wrong link: that one is wrong every time. */
export const maxCalibrations = 3;

/** Packets of the light load, for loss and delay: so few that a moment's stall of the machine cannot fill a queue of 50. */
export const lightLoad = { packetsPerSecond: 1000, share: 0.4, seconds: 3 };

/** The light load's rate of payload, Mb/s. */
export const lightMbps = (rateMbps: number) =>
  Math.min(
    (lightLoad.packetsPerSecond * probeBytes.small * 8) / 1e6,
    (rateMbps * lightLoad.share * probeBytes.small) / (probeBytes.small + probeBytes.headers),
  );

/** The most that TCP can carry down a link, Mb/s. */
export const goodputLimit = ({ downMbps }: Link) => (downMbps * fullSegmentBytes) / fullFrameBytes;

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
  const limitMbps = goodputLimit(link);
  if (Math.abs(goodputLimitMbps - limitMbps) > limitMbps / 1e6)
    problems.push(`TCP goodput's limit: ${limitMbps.toFixed(2)}, written ${goodputLimitMbps}`);
  if (!(rttMs.p99 >= rttMs.median)) problems.push(`RTT's 99th percentile ${rttMs.p99}, its median ${rttMs.median}`);
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
    const planned = (lightMbps(asked) * 1e6 * lightLoad.seconds) / (8 * probeBytes.small);
    hold(`${direction} packets counted`, planned, packets, (planned * tolerance.packetsPercent) / 100);
    hold(`${direction} queue, packets`, link.queuePackets, queuePackets, tolerance.queuePackets);
  }
  return problems;
}
