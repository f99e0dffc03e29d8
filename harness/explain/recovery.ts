/** How a lost packet was found, by what its sender knew when it sent it again. */
import type { TracedPacket } from "../../schema/trace.ts";
import type { Part } from "./parts.ts";

/** The kernel answers an acknowledgment within this; what comes later, a timer or a program did. */
export const atOnceUs = 500;

/** The last packet of the other side that had arrived at a moment. */
export const lastArrived = (packets: readonly TracedPacket[], atUs: number): TracedPacket | undefined => {
  let last: TracedPacket | undefined;
  for (const packet of packets)
    if (packet.arrivedUs !== null && packet.arrivedUs <= atUs && packet.arrivedUs >= (last?.arrivedUs ?? -Infinity))
      last = packet;
  return last;
};

/**
 * @param lost as it was first sent @param again the repetition that came
 * @param sent all that its side sent, @param answers all that the other did
 */
export function recoveryOf(
  lost: TracedPacket,
  again: TracedPacket,
  sent: readonly TracedPacket[],
  answers: readonly TracedPacket[],
): Part {
  const byTimer = ({ sentUs }: TracedPacket) =>
    sentUs - (lastArrived(answers, sentUs)?.arrivedUs ?? -Infinity) > atOnceUs;
  const probed = sent.some(
    (packet) => packet.repeated && packet.sentUs > lost.sentUs && packet.sentUs < again.sentUs && byTimer(packet),
  );
  if (lost.syn) return "timeout";
  if (probed) return "tail probe";
  const reported = answers.some(
    ({ arrivedUs, sackedTo, acknowledged }) =>
      arrivedUs !== null &&
      arrivedUs >= lost.sentUs &&
      arrivedUs <= again.sentUs &&
      sackedTo > acknowledged &&
      sackedTo > lost.offset,
  );
  if (reported || !byTimer(again)) return "fast retransmit";
  const furthest = Math.max(...sent.filter(({ sentUs }) => sentUs < again.sentUs).map((one) => one.offset + one.bytes));
  return again.offset + again.bytes === furthest ? "tail probe" : "timeout";
}
