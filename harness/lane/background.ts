/** Background flows between the client's host and the first server: started before a load, watched until they are settled, and reset after it. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { BackgroundSender } from "../../hosts/background-sender.ts";
import { ask } from "../../hosts/control.ts";
import { serverRoutes } from "../../hosts/routes.ts";
import {
  type Background,
  backgroundPorts,
  backgroundSteps,
  type SenderState,
  settledMs,
} from "../../schema/background.ts";
import { type Direction, directions, type Link } from "../../schema/link.ts";
import type { WebHost } from "../../schema/registries.ts";
import { counted } from "../../schema/words.ts";

/** How often senders are asked whether they are past their start. */
const askedEveryMs = 250;

/** What is known of the flows when the page has loaded. */
export interface FlowsTold {
  drawnMs: number | undefined;
  /** For how long flows must be settled before the load. */
  settledMs: number;
  senders: SenderState[];
  /** A flow's client port -> when it was first seen past its start, milliseconds since the epoch. */
  pastStartMs: ReadonlyMap<number, number>;
}

/** For a load without background: if its captures have packets of one, all are seen to be. */
export const nothingTold: FlowsTold = { drawnMs: undefined, settledMs: 0, senders: [], pastStartMs: new Map() };

export class RunningBackground {
  readonly #server: WebHost;
  readonly #asked: Background;
  readonly #settledMs: number;
  readonly #sockets: Socket[] = [];
  readonly #senders: BackgroundSender[] = [];
  readonly #pastStartMs = new Map<number, number>();
  /** Why a flow could not begin. */
  #failure: Error | null = null;

  private constructor(server: WebHost, asked: Background, link: Link) {
    this.#server = server;
    this.#asked = asked;
    this.#settledMs = settledMs(link, asked);
  }

  /** @returns once all flows are settled and the drawn time has passed @throws Error if they do not settle */
  static async start(server: WebHost, asked: Background, link: Link): Promise<RunningBackground> {
    const background = new RunningBackground(server, asked, link);
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

  /** What the senders say now. */
  async told(): Promise<FlowsTold> {
    const { drawnMs } = this.#asked;
    return { drawnMs, settledMs: this.#settledMs, senders: await this.#states(), pastStartMs: this.#pastStartMs };
  }

  /** Resets all flows at both ends, so that neither kernel sends anything of them again. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await ask(this.#server.service, serverRoutes.endBackground);
  }

  async #open(): Promise<void> {
    const { congestion, segment } = this.#asked;
    await ask(this.#server.service, serverRoutes.startBackground, { congestion, ...(segment && { segment }) });
    for (const direction of directions)
      for (let flow = 0; flow < this.#asked[direction]; flow++) this.#connect(direction);
  }

  #connect(direction: Direction): void {
    const buffer = Buffer.alloc(1 << 16); // what is received is discarded
    const socket = connect({
      host: this.#server.address,
      port: backgroundPorts[direction],
      onread: { buffer, callback: () => true },
    });
    socket.on("error", () => {}); // a flow that ends early is missing when its sender is asked
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
    if (this.#failure) throw this.#failure;
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
    const { down, up } = this.#asked;
    throw new Error(
      `the background is not steady after ${(ms * most) / 1000} s: only ${this.#pastStartMs.size} of ${counted(down + up, "flow")} passed its start`,
    );
  }

  #isSettled(): boolean {
    const [now, past] = [Date.now(), [...this.#pastStartMs.values()]];
    return past.length === this.#asked.down + this.#asked.up && past.every((ms) => now - ms >= this.#settledMs);
  }
}
