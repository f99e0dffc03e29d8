/** The server's ends of background flows (axes/background.axis.ts). */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { BackgroundSender } from "../hosts/background-sender.ts";
import { type Background, backgroundPorts, type SenderState } from "../schema/background.ts";
import type { Direction } from "../schema/link.ts";

export class BackgroundFlows {
  readonly #address: string;
  #listening: Server[] = [];
  readonly #sockets = new Set<Socket>();
  #senders: BackgroundSender[] = [];
  /** Why a flow could not begin, told to the next question. */
  #failure: Error | null = null;

  /** @param address of this host */
  constructor(address: string) {
    this.#address = address;
  }

  /** Accepts flows until `stop`. On one port it sends, on the other it discards what it receives. */
  async start(asked: Pick<Background, "congestion" | "segment">): Promise<null> {
    this.stop();
    await this.#listen("down", (socket) => {
      this.#senders.push(new BackgroundSender(socket, socket.remotePort ?? 0, asked));
    });
    await this.#listen("up", (socket) => void socket.resume());
    return null;
  }

  /** What the senders say that are still open. @throws Error if a flow could not begin */
  states(): SenderState[] {
    if (this.#failure) throw this.#failure;
    return this.#senders.flatMap((sender) => sender.state() ?? []);
  }

  /** Resets all flows, so that nothing of them is sent any more. */
  stop(): null {
    for (const server of this.#listening) server.close();
    for (const socket of this.#sockets) socket.resetAndDestroy();
    this.#listening = [];
    this.#senders = [];
    this.#failure = null;
    this.#sockets.clear();
    return null;
  }

  async #listen(direction: Direction, use: (socket: Socket) => void): Promise<void> {
    const server = createServer((socket) => {
      socket.on("error", () => {}); // the client resets its flows when a load is over
      this.#sockets.add(socket);
      try {
        use(socket);
      } catch (error) {
        this.#failure = error as Error;
      }
    });
    server.listen(backgroundPorts[direction], this.#address);
    await once(server, "listening");
    this.#listening.push(server);
  }
}
