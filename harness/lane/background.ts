/** Background flows, or loads of another page, between the client's host and the first server: settled before a load, and reset after it. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { BackgroundSender } from "../../hosts/background-sender.ts";
import { ask } from "../../hosts/control.ts";
import { serverRoutes } from "../../hosts/routes.ts";
import type { FlowsTold } from "../../observe/background-traffic.ts";
import {
  type Background,
  backgroundPorts,
  backgroundSteps,
  type SenderState,
  settledMs,
} from "../../schema/background.ts";
import { type Direction, directions, type Link } from "../../schema/link.ts";
import type { WebHost } from "../../schema/registries.ts";
import type { BackgroundPage } from "./background-page.ts";

/** The interval at which senders are asked whether their flows are past their start, as defined at `settledMs`. */
const askedEveryMs = 250;

/** The state for a load without background flows. If the load's captures have background flows nevertheless, its evidence shows these flows. */
export const nothingTold: FlowsTold = { drawnMs: undefined, settledMs: 0, senders: [], pastStartMs: new Map() };

/** Imports the background page's client only if it is needed, because the import takes as long as importing all other code of a lane. */
async function openPage(server: WebHost, asked: Background): Promise<BackgroundPage> {
  const { BackgroundPage } = await import("./background-page.ts");
  return new BackgroundPage(server, asked);
}

export class RunningBackground {
  readonly #server: WebHost;
  readonly #asked: Background;
  readonly #settledMs: number;
  readonly #sockets: Socket[] = [];
  readonly #senders: BackgroundSender[] = [];
  readonly #pastStartMs = new Map<number, number>();
  /** null unless the background is another page. */
  readonly #page: BackgroundPage | null;
  /** Why a flow could not begin. */
  #failure: Error | null = null;

  private constructor(server: WebHost, asked: Background, link: Link, page: BackgroundPage | null) {
    this.#server = server;
    this.#asked = asked;
    this.#settledMs = settledMs(link, asked);
    this.#page = page;
  }

  /** Starts the flows, and returns once all are settled and the random delay has passed. @throws Error if they do not settle */
  static async start(server: WebHost, asked: Background, link: Link): Promise<RunningBackground> {
    const page = asked.visit ? await openPage(server, asked) : null;
    const background = new RunningBackground(server, asked, link, page);
    try {
      await background.#open();
      await background.#settle();
      await sleep(asked.drawnMs ?? 0);
      return background;
    } catch (error) {
      await background.stop();
      throw error;
    }
  }

  async told(): Promise<FlowsTold> {
    const { drawnMs } = this.#asked;
    return { drawnMs, settledMs: this.#settledMs, senders: await this.#states(), pastStartMs: this.#pastStartMs };
  }

  /** Resets all flows at both ends, so that neither kernel sends any more of their packets. */
  async stop(): Promise<void> {
    this.#page?.stop();
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await ask(this.#server.service, serverRoutes.endBackground);
  }

  async #open(): Promise<void> {
    await ask(this.#server.service, serverRoutes.startBackground, this.#asked);
    if (this.#page) return this.#page.start();
    for (const direction of directions)
      for (let flow = 0; flow < this.#asked[direction]; flow++) this.#connect(direction);
  }

  #connect(direction: Direction): void {
    const buffer = Buffer.alloc(1 << 16); // received data is discarded
    const socket = connect({
      host: this.#server.address,
      port: backgroundPorts[direction],
      onread: { buffer, callback: () => true },
    });
    socket.on("error", () => {}); // a flow that ends early is missing in the senders' states
    if (direction === "up") socket.on("connect", () => this.#send(socket));
    this.#sockets.push(socket);
  }

  #send(socket: Socket): void {
    try {
      this.#senders.push(new BackgroundSender(socket, socket.localPort ?? 0, this.#asked));
    } catch (error) {
      this.#failure = error as Error;
    }
  }

  async #states(): Promise<SenderState[]> {
    const failure = this.#failure ?? this.#page?.failure;
    if (failure) throw failure;
    const own = this.#senders.flatMap((sender) => sender.state() ?? []);
    return [...(await ask(this.#server.service, serverRoutes.background)), ...own];
  }

  async #settle(): Promise<void> {
    const { ms, most } = backgroundSteps;
    const startMs = Date.now();
    for (let step = 1; step <= most; step++) {
      for (const endMs = startMs + step * ms; Date.now() < endMs; ) {
        await sleep(Math.min(askedEveryMs, endMs - Date.now()));
        for (const { clientPort, isPastStart } of await this.#states())
          if (isPastStart && !this.#pastStartMs.has(clientPort)) this.#pastStartMs.set(clientPort, Date.now());
      }
      if (this.#isSettled()) return;
    }
    throw new Error(`the background is not steady after ${(ms * most) / 1000} s: ${this.#whatIsMissing()}`);
  }

  #whatIsMissing(): string {
    const { down, up } = this.#asked;
    if (this.#page)
      return this.#page.firstLoadedMs === null ? "its page has not loaded" : "its page has only just loaded";
    return `flows past their start: ${this.#pastStartMs.size} of ${down + up}`;
  }

  #isSettled(): boolean {
    const isPast = (ms: number | null) => ms !== null && Date.now() - ms >= this.#settledMs;
    if (this.#page) return isPast(this.#page.firstLoadedMs);
    const past = [...this.#pastStartMs.values()];
    return past.length === this.#asked.down + this.#asked.up && past.every(isPast);
  }
}
