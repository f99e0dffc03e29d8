/** Which packets chance takes on their way into one direction of the link. */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { mersenne } from "pure-rand/generator/mersenne";
import { burstShares, type Link } from "../../../schema/link.ts";
import type { PacketEvents } from "../link-events.ts";

/** @param what a packet is called, the same each time it is sent */
export type Loss = (what: string) => boolean;

export const noLoss: Loss = () => false;

/** What a packet is called, wherever it is sent in its flow: by where its data begins or, without data, by what it acknowledges. */
export const nameOf = (flow: number, start: number | null, acknowledgedTo: number) =>
  start === null ? `${flow} ack ${acknowledgedTo}` : `${flow} data ${start}`;

/** The same packets that a trace lacks although the queue had room, each as often as it was sent in vain. */
export function lossAsTraced(packets: readonly PacketEvents[], link: Link): Loss {
  const sent = new Map<string, number>();
  const count = (what: string) => {
    const times = (sent.get(what) ?? 0) + 1;
    sent.set(what, times);
    return `${what}, time ${times}`;
  };
  const taken = takenByChance(packets, link);
  const inOrder = packets.toSorted((a, b) => a.sentUs - b.sentUs);
  const lost = new Set(
    inOrder
      .map((packet) => {
        const { flow, syn, offset, bytes, acknowledged } = packet;
        const what = count(nameOf(flow, syn ? 0 : bytes > 0 ? offset + 1 : null, acknowledged + 1));
        return taken.has(packet) ? what : "";
      })
      .filter(Boolean),
  );
  sent.clear();
  return (what) => lost.has(count(what));
}

/** Those that did not come although the queue had room; of the last that were sent it is not known, for nobody looked any longer. */
export function takenByChance(packets: readonly PacketEvents[], { rttMs, queuePackets }: Link): Set<PacketEvents> {
  const entersUs = ({ sentUs }: PacketEvents) => sentUs + 500 * rttMs;
  const inOrder = packets.toSorted((a, b) => a.sentUs - b.sentUs);
  const taken = new Set<PacketEvents>();
  const lastCame = inOrder.findLastIndex(({ arrivedUs }) => arrivedUs !== null);
  for (const [i, packet] of inOrder.entries()) {
    if (packet.arrivedUs !== null || i > lastCame) continue;
    let ahead = 0;
    for (const other of inOrder.slice(Math.max(0, i - 4 * queuePackets), i))
      if (other.arrivedUs !== null && other.arrivedUs > entersUs(packet)) ahead++;
    if (ahead < queuePackets) taken.add(packet);
  }
  return taken;
}

/** As chance may take them on a link (Gilbert's model, where losses come in bursts). The same seed gives the same. */
export function drawnLoss(link: Link, seed: number): Loss {
  const generator = mersenne(seed); // of xoroshiro128+ the third number of a third of all small seeds is below 1%
  const draw = () => uniformInt(generator, 0, resolution - 1) / resolution;
  const { toLost, toKept } = burstShares(link);
  let isLost = draw() < link.lossPercent / 100;
  return () => {
    const was = isLost;
    isLost =
      link.lossBurstPackets === undefined ? draw() < link.lossPercent / 100 : draw() < (was ? 1 - toKept : toLost);
    return was;
  };
}

const resolution = 2 ** 30;
