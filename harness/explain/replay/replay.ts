/**
 * A load made again by rules alone, in a world that may differ: what browser and servers wrote and waited for is the trace's,
 * and when it comes follows from the link, its queue, and TCP's rules.
 */
import type { LoadEvent } from "../event.ts";
import type { Delivery } from "../flow-events.ts";
import type { Connection, LoadGraph } from "../load-events.ts";
import { Bottleneck, type Direction } from "./bottleneck.ts";
import { Clock } from "./clock.ts";
import { Happening } from "./happening.ts";
import { nameOf } from "./loss.ts";
import { Receiver } from "./receiver.ts";
import { Sender } from "./sender.ts";
import { endOf, type Written, writtenByClient, writtenByServer } from "./written.ts";

export interface World {
  down: Direction;
  up: Direction;
  server: { initcwnd: number; hystart: boolean };
}

/** Linux's own: clients are left at it. */
const clientRules = { initcwnd: 10, hystart: true };

/** @returns milliseconds; null where the load does not end */
export function replayedMs({ end, connections }: LoadGraph, world: World): number | null {
  const clock = new Clock();
  const happenings = new Map<LoadEvent, Happening>();
  const happeningOf = (event: LoadEvent): Happening => {
    const known = happenings.get(event);
    if (known) return known;
    const causes = event.causes.map(({ from }) => from);
    const made = new Happening(clock, event.atUs - Math.max(0, ...causes.map(({ atUs }) => atUs)));
    happenings.set(event, made);
    if (causes.length) made.after(causes.map(happeningOf));
    else made.comes();
    return made;
  };
  const links = { down: new Bottleneck(clock, world.down), up: new Bottleneck(clock, world.up) };
  const wired = connections.map((connection) => wire(connection, clock, links, world, happenings));
  const last = happeningOf(end);
  for (const write of wired) write(happeningOf);
  clock.runUntil(() => last.happened);
  return last.happened ? clock.nowUs / 1000 : null;
}

/** Both ends of a connection, and what can be read at each. @returns what has its programs write */
function wire(
  connection: Connection,
  clock: Clock,
  links: { down: Bottleneck; up: Bottleneck },
  world: World,
  happenings: Map<LoadEvent, Happening>,
) {
  const { number } = connection.flow;
  const answered = new Reading(clock, connection.answers, happenings);
  const asked = new Reading(clock, connection.questions, happenings);
  const atClient: Receiver = new Receiver(
    clock,
    true,
    () => acknowledge(number, links.up, atClient, server),
    () => answered.to(atClient.to),
  );
  const atServer: Receiver = new Receiver(
    clock,
    false,
    () => acknowledge(number, links.down, atServer, client),
    () => asked.to(atServer.to),
  );
  const server: Sender = new Sender(
    clock,
    { ...world.server, roomTo: roomOf(connection.flow.up.packets) },
    (segment) => {
      const receipt = atServer.receipt();
      links.down.send(nameOf(number, segment.start, 0), segment.frameBytes, () => {
        client.received(receipt);
        atClient.came(segment);
      });
    },
  );
  const client: Sender = new Sender(clock, { ...clientRules, roomTo: () => Infinity }, (segment) => {
    const receipt = atClient.receipt();
    links.up.send(nameOf(number, segment.start, 0), segment.frameBytes, () => {
      server.received(receipt);
      atServer.came(segment);
    });
  });
  return (happeningOf: (event: LoadEvent) => Happening) => {
    writing(writtenByClient(connection), client, clock, happeningOf);
    writing(writtenByServer(connection), server, clock, happeningOf);
  };
}

function acknowledge(flow: number, link: Bottleneck, by: Receiver, to: Sender): void {
  const receipt = by.receipt();
  link.send(nameOf(flow, null, receipt.acknowledgedTo), receipt.frameBytes, () => to.received(receipt));
}

function writing(all: Written[], by: Sender, clock: Clock, happeningOf: (event: LoadEvent) => Happening): void {
  let before: Happening | null = null;
  for (const { segment, after, thinkUs } of all) {
    const written: Happening = new Happening(clock, thinkUs, () => by.write(segment));
    written.after([...after.map(happeningOf), ...(before ? [before] : [])]);
    before = written;
  }
}

/** What happens when so much of a stream can be read. */
class Reading {
  readonly #marks: { end: number; happening: Happening }[];

  constructor(clock: Clock, deliveries: readonly Delivery[], happenings: Map<LoadEvent, Happening>) {
    this.#marks = deliveries.map(({ packet, delivered }) => {
      const happening = new Happening(clock, 0);
      happenings.set(delivered, happening);
      return { end: endOf(packet), happening };
    });
  }

  to(end: number): void {
    while (this.#marks[0] && this.#marks[0].end <= end) this.#marks.shift()!.happening.comes();
  }
}

/** How far the client let the server send, by what it had acknowledged then. */
function roomOf(acknowledgments: Connection["flow"]["up"]["packets"]): (acknowledgedTo: number) => number {
  const told = acknowledgments.map(({ acknowledged, window }) => ({ to: acknowledged + 1, window }));
  return (acknowledgedTo) => {
    const last = told.findLast(({ to }) => to <= acknowledgedTo) ?? told[0];
    return acknowledgedTo + (last?.window ?? Infinity);
  };
}
