/** Types for the part of spdy-transport that the lab uses; the package has no types. */
declare module "spdy-transport" {
  import type { EventEmitter } from "node:events";
  import type { Duplex } from "node:stream";

  export type Headers = Record<string, string | number>;
  export interface Stream extends Duplex {
    method: string;
    path: string;
    headers: Record<string, string>;
    /** @param sent called when the frame is ready to be sent, or has failed */
    respond(status: number, headers: Headers, sent: () => void): void;
  }
  export interface Connection extends EventEmitter {
    start(version: number): void;
    /** @param sent called when the frame is ready to be sent */
    request(
      options: {
        method: "GET";
        path: string;
        host: string;
        headers: Headers;
        priority: { parent: 0; weight: number; exclusive: false };
      },
      sent: (error?: Error | null) => void,
    ): Stream;
  }
  const transport: {
    connection: {
      create(
        socket: Duplex,
        options: { protocol: "spdy"; isServer: boolean; headerCompression: true; windowSize: number },
      ): Connection;
    };
  };
  export default transport;
}
