/** Speaks HTTP/2 on an open connection, with Node.js's client. This client does not report the length of compressed headers. */
import { type ClientHttp2Stream, connect } from "node:http2";
import { type Speech, weights, windowBytes } from "./speech.ts";

export const speakHttp2: Speech = (socket, origin) => {
  const session = connect(origin, {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: windowBytes },
  });
  session.on("error", () => {}); // each stream reports the error, too
  session.once("connect", () => session.setLocalWindowSize(windowBytes));
  return {
    ask({ url: { pathname, search }, kind, headers }, { answered, data, ended }) {
      const stream: ClientHttp2Stream = session.request(
        { ":path": pathname + search, ...headers },
        { endStream: true, weight: weights[kind] },
      );
      let failure: string | null = "its stream ended before the response";
      stream
        .on("response", (fields) => answered(Number(fields[":status"]), fields.server?.toString() ?? null, 0))
        .on("data", data)
        .on("end", () => {
          failure = null;
        })
        .on("error", ({ message }) => {
          failure = message;
        })
        .on("close", () => ended(failure));
    },
    close: () => session.destroy(),
  };
};
