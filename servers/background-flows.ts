/** Runs the server's ends of background flows (axes/background.axis.ts). */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { BackgroundSender } from "../hosts/background-sender.ts";
import { congestionOf, sentOn, setCongestion } from "../hosts/tcp-socket.ts";
import { type Background, backgroundPorts, type SenderState } from "../schema/background.ts";
import { backgroundPage, type Certified } from "./background-page.ts";

/** A server's end of a flow. Its state is null if the socket is closed. */
interface Sender {
  state(): SenderState | null;
}

export class BackgroundFlows {
  readonly #address: string;
  readonly #certified: () => Certified;
  #listening: Server[] = [];
  readonly #sockets = new Set<Socket>();
  #senders: Sender[] = [];
  /** Why a flow could not begin; `states` throws it. */
  #failure: Error | null = null;

  /** @param certified reads the host's certificate, for a background page */
  constructor(address: string, certified: () => Certified) {
    this.#address = address;
    this.#certified = certified;
  }

  /** Accepts flows until `stop`: sends data on one port, discards received data on another, and serves a page on a third if `visit` is set. */
  async start(asked: Pick<Background, "congestion" | "segment" | "visit">): Promise<null> {
    this.stop();
    await this.#listen("down", createServer(), (socket) => {
      this.#senders.push(new BackgroundSender(socket, socket.remotePort ?? 0, asked));
    });
    await this.#listen("up", createServer(), (socket) => void socket.resume());
    if (asked.visit)
      await this.#listen("page", backgroundPage(asked.visit, this.#certified()), (socket) => {
        setCongestion(socket, asked.congestion);
        this.#senders.push(connectionOfPage(socket));
      });
    return null;
  }

  /** The states of the senders that are still open. @throws Error if a flow could not begin */
  states(): SenderState[] {
    if (this.#failure) throw this.#failure;
    return this.#senders.flatMap((sender) => sender.state() ?? []);
  }

  stop(): null {
    // Resets sockets first: `close` ends connections whose responses are written, and TCP would then go on sending these responses.
    for (const socket of this.#sockets) socket.resetAndDestroy();
    for (const server of this.#listening) server.close();
    this.#listening = [];
    this.#senders = [];
    this.#failure = null;
    this.#sockets.clear();
    return null;
  }

  async #listen(port: keyof typeof backgroundPorts, server: Server, use: (socket: Socket) => void): Promise<void> {
    server.on("connection", (socket: Socket) => {
      socket.on("error", () => {}); // the client resets its flows when a load is over
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      try {
        use(socket);
      } catch (error) {
        this.#failure = error as Error;
      }
    });
    server.listen(backgroundPorts[port], this.#address);
    await once(server, "listening");
    this.#listening.push(server);
  }
}

/** `isPastStart` is false, because only the client knows when a visit has ended. */
function connectionOfPage(socket: Socket): Sender {
  const clientPort = socket.remotePort ?? 0;
  return {
    state: () =>
      socket.destroyed
        ? null
        : {
            ...{ clientPort, congestion: congestionOf(socket), isPastStart: false },
            waitingBytes: sentOn(socket).waitingBytes,
          },
  };
}
