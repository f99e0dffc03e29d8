/** SPDY, on a connection that is there. How long its compressed headers are its library does not tell. */
import type { Stream } from "spdy-transport";
import { type SpdyVersion, sayTogether, speakSpdy } from "../spdy-connection.ts";
import { type Listener, type Speech, weights } from "./speech.ts";

export const speakSpdyVersion =
  (alpn: SpdyVersion): Speech =>
  (socket) => {
    const connection = speakSpdy(socket, alpn, { isServer: false });
    connection.on("error", () => {}); // each of its streams has it too
    return {
      ask({ url: { host, pathname, search }, kind, headers }, listener) {
        const priority = { parent: 0, weight: weights[kind], exclusive: false } as const;
        const asked = { method: "GET", path: pathname + search, host, headers, priority } as const;
        sayTogether(socket, (ready) => follow(connection.request(asked, ready), listener));
      },
      close() {},
    };
  };

/** A stream may say its end in several ways. */
function follow(stream: Stream, { answered, data, ended }: Listener): void {
  let isOver = false;
  const end = (failure: string | null) => {
    if (!isOver) ended(failure);
    isOver = true;
  };
  stream
    .on("response", (status: number, fields: Record<string, string>) => answered(status, fields.server ?? null, 0))
    .on("data", data)
    .on("end", () => end(null))
    .on("error", ({ message }: Error) => end(message))
    .on("close", (error?: Error) => error && end(error.message));
}
