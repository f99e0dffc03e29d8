/** Speaks SPDY on an open connection. The library does not report the length of compressed headers. */
import type { Stream } from "spdy-transport";
import { type SpdyVersion, sendTogether, speakSpdy } from "../spdy-connection.ts";
import { type Listener, type Speech, weights } from "./speech.ts";

export const speakSpdyVersion =
  (alpn: SpdyVersion): Speech =>
  (socket) => {
    const connection = speakSpdy(socket, alpn, { isServer: false });
    connection.on("error", () => {}); // each stream reports the error, too
    return {
      ask({ url: { host, pathname, search }, kind, headers }, listener) {
        const priority = { parent: 0, weight: weights[kind], exclusive: false } as const;
        const request = { method: "GET", path: pathname + search, host, headers, priority } as const;
        sendTogether(socket, (ready) => follow(connection.request(request, ready), listener));
      },
      close() {},
    };
  };

/** Reports a stream's end only once, although the stream may emit several events at its end. */
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
