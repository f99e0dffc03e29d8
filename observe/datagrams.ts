import { leastPayloadBytes, numberOffset } from "../hosts/datagram-stream.ts";
import type { Datagram } from "../schema/observation.ts";
import type { Frame } from "./packet-capture.ts";

const udp = 17;
const udpHeaderBytes = 8;

/** Finds the packets that `source` sent in a calibration stream. The port identifies the stream. */
export function datagrams(frames: readonly Frame[], source: string, port: number): Datagram[] {
  return frames.flatMap(({ timeMs, bytes, head }) => {
    const ip = head.subarray(14);
    if (head.readUInt16BE(12) !== 0x0800 || ip[9] !== udp || ip.subarray(12, 16).join(".") !== source) return [];
    const segment = ip.subarray((ip[0]! & 15) * 4);
    const ends = [segment.readUInt16BE(0), segment.readUInt16BE(2)];
    if (!ends.includes(port)) return [];
    if (segment.length < udpHeaderBytes + leastPayloadBytes) return [];
    const number = segment.readUInt32BE(udpHeaderBytes + numberOffset);
    const clientPort = ends.find((one) => one !== port)!;
    return [{ number, timeMs, bytes, clientPort }];
  });
}

/** One stream, as captured at both ends. */
export interface StreamMeasurement {
  packets: number;
  /** The number of packets in each series of consecutive losses. */
  lostInRow: number[];
  /** One-way delay of each packet that arrived, in the order they were sent. */
  delaysMs: number[];
  /** The packets that arrived, in the order of arrival. */
  arrived: Datagram[];
}

/** Measures each packet's delay or loss. Only the stream that began last is measured, because all streams use the same packet numbers. */
export function matchStream(allSent: readonly Datagram[], allArrived: readonly Datagram[]): StreamMeasurement {
  const last = [...new Set(allSent.map(({ clientPort }) => clientPort))].at(-1);
  const isOfLast = ({ clientPort }: Datagram) => clientPort === last;
  const [sent, arrived] = [allSent.filter(isOfLast), allArrived.filter(isOfLast)];
  const arrivals = new Map(arrived.map((datagram) => [datagram.number, datagram]));
  const delaysMs: number[] = [];
  const lostInRow: number[] = [];
  let inRow = 0;
  const endRow = () => {
    if (inRow > 0) lostInRow.push(inRow);
    inRow = 0;
  };
  for (const { number, timeMs } of sent) {
    const arrival = arrivals.get(number);
    if (!arrival) inRow++;
    else {
      endRow();
      delaysMs.push(arrival.timeMs - timeMs);
    }
  }
  endRow();
  return { packets: sent.length, lostInRow, delaysMs, arrived };
}
