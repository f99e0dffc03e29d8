/**
 * A load made again by rules alone, in a world that may differ: what browser and servers wrote and waited for is the trace's,
 * and when it comes follows from the link, its queue, TCP's rules, and which connection is free.
 */
import type { LoadEvent } from "../event.ts";
import type { Connection, LoadGraph } from "../load-events.ts";
import { Bottleneck } from "./bottleneck.ts";
import { Clock } from "./clock.ts";
import { causesOf, type Exchange, exchangesOf } from "./exchanges.ts";
import { Happening } from "./happening.ts";
import { Pool } from "./pool.ts";
import { type Replayed, type Wire, type World, wire } from "./wire.ts";

/** A replay that came to its end. */
export interface Replay {
  ms: number;
  /** Each connection as it went: what was sent over it, and which requests. */
  wires: { connection: Connection; wire: Wire }[];
  /** When an event of the load came, microseconds since navigation start; null for one that did not. */
  atUs(event: LoadEvent): number | null;
}

/** @returns null where the load does not end */
export function replay({ end, connections }: LoadGraph, world: World): Replay | null {
  const clock = new Clock();
  const happenings = new Map<LoadEvent, Happening>();
  const happeningOf = (event: LoadEvent): Happening => {
    const known = happenings.get(event);
    if (known) return known;
    const made = new Happening(clock, laterUs(event));
    happenings.set(event, made);
    return made.after(event.causes.map(({ from }) => happeningOf(from)));
  };
  const links = { down: new Bottleneck(clock, world.down), up: new Bottleneck(clock, world.up) };
  const wired = new Map(connections.map((connection) => [connection, wire(connection, clock, links, world)]));
  for (const { answers, questions } of connections)
    for (const { delivered } of [...answers, ...questions]) happenings.set(delivered, new Happening(clock, 0));
  share(connections, wired, { clock, happenings, happeningOf });
  const last = happeningOf(end);
  // Nothing need wait for a request of which an answer beside it says all; but when it went is to be known.
  for (const { requests } of connections)
    for (const { sent, end } of requests) for (const one of [sent, end]) happeningOf(one);
  clock.runUntil(() => last.happened);
  if (last.atUs === null) return null;
  const wires = [...wired].map(([connection, wire]) => ({ connection, wire }));
  return { ms: last.atUs / 1000, wires, atUs: (event) => happenings.get(event)?.atUs ?? null };
}

/** @returns milliseconds; null where the load does not end */
export const replayedMs = (graph: LoadGraph, world: World): number | null => replay(graph, world)?.ms ?? null;

const laterUs = ({ atUs, causes }: LoadEvent) => atUs - Math.max(0, ...causes.map(({ from }) => from.atUs));

/** Each request goes over its host's connection that is free; but where several go at once, over its own. */
function share(connections: readonly Connection[], wired: Map<Connection, Wire>, replayed: Replayed): void {
  const { clock, happenings, happeningOf } = replayed;
  const exchanges = connections.map(exchangesOf);
  const pools = new Map<string, Pool<Wire, Exchange>>();
  const poolOf = ({ evidence: { host } }: Connection) => pools.get(host) ?? pools.set(host, newPool()).get(host)!;
  const newPool = () =>
    new Pool<Wire, Exchange>(
      ({ request }) => request!.sent.atUs,
      ({ connection }) => wired.get(connection)!,
      (exchange, over) => {
        happeningOf(exchange.request!.sent).comes();
        over.carry(exchange, replayed);
        happeningOf(exchange.request!.end).calls(() => poolOf(exchange.connection).frees(over));
      },
    );
  for (const { request } of exchanges.flat())
    if (request) happenings.set(request.sent, new Happening(clock, laterUs(request.sent)));
  for (const [handshake, ...requests] of exchanges) {
    const { connection } = handshake!;
    const over = wired.get(connection)!;
    over.carry(handshake!, replayed);
    for (const exchange of requests) {
      const ready = new Happening(clock, 0, () => poolOf(connection).asks(exchange));
      ready.after(causesOf(exchange).map(happeningOf));
    }
    const opened = handshake!.down.read.at(-1)?.delivered;
    if (requests.length > 0 && opened) happeningOf(opened).calls(() => poolOf(connection).frees(over));
  }
}
