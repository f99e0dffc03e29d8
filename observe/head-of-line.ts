/** Head-of-line blocking: how many bytes waited for missing bytes of other streams (HTTP/2), or would have waited if TCP had been used (HTTP/3). */
import type { StreamsEvidence } from "../schema/packet-evidence.ts";
import type { TracedFlow, TracedQuicFlow } from "../schema/trace.ts";
import { http2Bytes, http3Bytes, requestStreams, type StreamBytes } from "./stream-arrivals.ts";

export function http2Streams(flow: TracedFlow): StreamsEvidence | null {
  const all = http2Bytes(flow);
  return all?.length ? { ...totals(all), blockedBytes: bytesOf(all.filter(isBlocked)), ...longestWait(all) } : null;
}

/** Whether bytes waited for earlier bytes of other streams, after all earlier bytes of their own stream had arrived. */
const isBlocked = ({ inOrderUs, readableUs }: StreamBytes) => readableUs > inOrderUs;

export function http3Streams(flow: TracedQuicFlow): StreamsEvidence | null {
  const all = http3Bytes(flow);
  if (!all?.length) return null;
  return { ...totals(all), blockedBytes: 0, longestBlockedMs: 0, passedBytes: bytesOf(passed(all, holesOf(flow))) };
}

const bytesOf = (all: readonly StreamBytes[]) => all.reduce((sum, { bytes }) => sum + bytes, 0);

const totals = (all: readonly StreamBytes[]) => ({
  responses: new Set(all.map(({ stream }) => stream)).size,
  bytes: bytesOf(all),
  waitedBytes: bytesOf(all.filter(({ inOrderUs, arrivedUs }) => inOrderUs > arrivedUs)),
});

const longestWait = (all: readonly StreamBytes[]) => ({
  longestBlockedMs: all.reduce((most, { readableUs, inOrderUs }) => Math.max(most, readableUs - inOrderUs), 0) / 1000,
});

/** A period in which bytes of a stream were missing, because a datagram with these bytes was lost. */
interface Hole {
  /** The lost datagram's index among the sent datagrams. */
  place: number;
  stream: number;
  /** When the bytes arrived in another datagram. */
  untilUs: number;
}

function holesOf({ down, opened }: TracedQuicFlow): Hole[] {
  if (!opened) return [];
  return [...requestStreams(down, opened.down)].flatMap(([stream, pieces]) =>
    pieces.flatMap(({ place, from, to, arrivedUs }) => {
      if (arrivedUs !== null) return [];
      const repeated = pieces.filter((one) => one.place > place && one.from < to && one.to > from);
      const untilUs = Math.max(...repeated.flatMap((one) => one.arrivedUs ?? []));
      return Number.isFinite(untilUs) ? [{ place, stream, untilUs }] : [];
    }),
  );
}

/** Finds bytes that were readable while bytes of another stream, sent earlier, were missing. Over TCP, the readable bytes would have waited. */
const passed = (all: readonly StreamBytes[], holes: readonly Hole[]): StreamBytes[] =>
  all.filter(({ stream, place, readableUs }) =>
    holes.some((hole) => hole.stream !== stream && hole.place < place && readableUs < hole.untilUs),
  );
