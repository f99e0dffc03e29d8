/** A connection as a replay has it: both ends, what each writes when, and what happens when it can be read. */
import type { LoadEvent } from "../event.ts";
import type { Connection, RequestEvents } from "../load-events.ts";
import type { Bottleneck, Direction } from "./bottleneck.ts";
import type { Clock } from "./clock.ts";
import type { Exchange, Stretch } from "./exchanges.ts";
import { Happening } from "./happening.ts";
import { nameOf } from "./loss.ts";
import { asTold, LinuxWindow, type ReceiveWindow } from "./receive-window.ts";
import { type Receipt, Receiver, type Segment } from "./receiver.ts";
import { Recorded } from "./recorded.ts";
import { Sender } from "./sender.ts";
import { endOf } from "./written.ts";

export type Side = "up" | "down";

export interface World {
  down: Direction;
  up: Direction;
  server: { initcwnd: number; hystart: boolean };
  /** The client's window grows by Linux's rules from its own settings; else it is told as in the trace. */
  hasLinuxWindow: boolean;
}

export interface Replayed {
  clock: Clock;
  happenings: Map<LoadEvent, Happening>;
  happeningOf(event: LoadEvent): Happening;
}

/** Linux's own: clients are left at it. */
const clientRules = { initcwnd: 10, hystart: true };

/** Both ends of a connection. */
export function wire(
  connection: Connection,
  clock: Clock,
  links: { down: Bottleneck; up: Bottleneck },
  world: World,
): Wire {
  const { number } = connection.flow;
  const [answered, asked] = [new Reading(), new Reading()];
  const recorded = { up: new Recorded(), down: new Recorded() };
  const over = (side: Side, receipt: Receipt, segment: Segment | null, arrives: () => void) => {
    const frameBytes = segment?.frameBytes ?? receipt.frameBytes;
    const came = recorded[side].sent(receipt, segment, frameBytes);
    links[side].send(nameOf(number, segment?.start ?? null, receipt.acknowledgedTo), frameBytes, () => {
      came(clock.nowUs);
      arrives();
    });
  };
  const acknowledge = (side: Side, receipt: Receipt, to: Sender) =>
    over(side, receipt, null, () => to.received(receipt));
  const atClient: Receiver = new Receiver(
    clock,
    true,
    () => acknowledge("up", atClient.receipt(), server),
    () => answered.to(atClient.to),
    windowOf(connection.flow.up.packets, world.hasLinuxWindow),
  );
  const atServer: Receiver = new Receiver(
    clock,
    false,
    () => acknowledge("down", atServer.receipt(), client),
    () => asked.to(atServer.to),
  );
  const server: Sender = new Sender(clock, world.server, (segment) => {
    const [receipt, { echoUs }] = [atServer.receipt(), server];
    over("down", receipt, segment, () => {
      client.received(receipt);
      atClient.came(segment, echoUs);
    });
  });
  const client: Sender = new Sender(clock, clientRules, (segment) => {
    const receipt = atClient.receipt();
    over("up", receipt, segment, () => {
      server.received(receipt);
      atServer.came(segment);
    });
  });
  return new Wire(new Way(client, asked), new Way(server, answered), recorded);
}

/** A connection that carries one exchange after another. */
export class Wire {
  readonly #up: Way;
  readonly #down: Way;
  /** What each side sent. */
  readonly recorded: Record<Side, Recorded>;
  /** The requests that it carried. */
  readonly carried: RequestEvents[] = [];

  constructor(up: Way, down: Way, recorded: Record<Side, Recorded>) {
    [this.#up, this.#down, this.recorded] = [up, down, recorded];
  }

  carry({ up, down, request, connection }: Exchange, replayed: Replayed): void {
    if (request) this.carried.push(request);
    else if (!connection.isSerial) this.carried.push(...connection.requests);
    this.#up.carry(up, replayed);
    this.#down.carry(down, replayed);
  }
}

/** One direction: what one side's program writes, and the other's reads. */
class Way {
  readonly #by: Sender;
  readonly #reading: Reading;
  #end = 0;
  #before: Happening | null = null;

  constructor(by: Sender, reading: Reading) {
    this.#by = by;
    this.#reading = reading;
  }

  carry({ written, read, start, end }: Stretch, { clock, happenings, happeningOf }: Replayed): void {
    const shift = this.#end - start;
    this.#end += end - start;
    for (const { packet, delivered } of read) this.#reading.expect(endOf(packet) + shift, happenings.get(delivered)!);
    for (const { segment, after, thinkUs } of written) {
      const shifted = { ...segment, start: segment.start + shift, end: segment.end + shift };
      const one: Happening = new Happening(clock, thinkUs, () => this.#by.write(shifted));
      one.after([...after.map(happeningOf), ...(this.#before ? [this.#before] : [])]);
      this.#before = one;
    }
  }
}

/** What happens when so much of a stream can be read. */
class Reading {
  readonly #marks: { end: number; happening: Happening }[] = [];

  expect(end: number, happening: Happening): void {
    this.#marks.push({ end, happening });
  }

  to(end: number): void {
    while (this.#marks[0] && this.#marks[0].end <= end) this.#marks.shift()!.happening.comes();
  }
}

/** How far the client lets the server send: what it told in the handshake is where its rules begin. */
function windowOf(acknowledgments: Connection["flow"]["up"]["packets"], isLinux: boolean): ReceiveWindow {
  const told = acknowledgments
    .filter(({ syn }) => !syn)
    .map(({ acknowledged, window }) => ({ to: acknowledged + 1, window }));
  const first = told.find(({ to }) => to > 1);
  return isLinux && first ? new LinuxWindow(first) : asTold(told);
}
