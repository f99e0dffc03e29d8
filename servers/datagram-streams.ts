/** Runs the server's ends of calibration's UDP streams. */
import type { Socket } from "node:dgram";
import type { z } from "zod";
import { openDatagramSocket, sendDatagrams } from "../hosts/datagram-stream.ts";
import type { serverRoutes } from "../hosts/routes.ts";

export class DatagramStreams {
  readonly #address: string;
  /** Port -> its socket, and a promise that resolves when everything is sent. */
  readonly #open = new Map<number, { socket: Socket; sent: Promise<void> }>();

  constructor(address: string) {
    this.#address = address;
  }

  async start({ port, client, send }: z.infer<typeof serverRoutes.startStream.question>): Promise<null> {
    this.#open.get(port)?.socket.close();
    const socket = await openDatagramSocket(this.#address, port);
    this.#open.set(port, { socket, sent: send ? sendDatagrams(socket, client, send) : Promise.resolve() });
    return null;
  }

  async finish({ port }: { port: number }): Promise<null> {
    await this.#open.get(port)?.sent;
    return null;
  }
}
