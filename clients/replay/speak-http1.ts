/** Speaks HTTP/1.1 on an open connection, with undici's client. */
import { Client, type Dispatcher } from "undici";
import type { Speech } from "./speech.ts";

/** A time-out longer than any load, because each load has its own time-out. */
const patienceMs = 4_000_000;

export const speakHttp1: Speech = (socket, origin, pipelines) => {
  const client = new Client(origin, {
    pipelining: pipelines ? Number.MAX_SAFE_INTEGER : 1,
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
    keepAliveTimeout: patienceMs,
    keepAliveMaxTimeout: patienceMs,
    // Deferred, because undici does not continue if `done` is called before `connect` returns.
    connect: (_, done) =>
      queueMicrotask(() => (socket.destroyed ? done(new Error("its connection has ended"), null) : done(null, socket))),
  });
  return {
    ask({ url: { pathname, search }, headers }, { answered, data, ended }) {
      // By default a GET is "blocking": undici sends no other request over the connection until the response's headers have arrived.
      client.dispatch(
        { path: pathname + search, method: "GET", headers: { ...headers }, blocking: false },
        {
          onRequestStart() {}, // shows that this handler implements undici's new interface
          onResponseStart(controller, status, fields, words = "") {
            const server = fields.server === undefined ? null : String(fields.server);
            answered(status, server, headerBytes(status, words, controller));
          },
          onResponseData: (_, chunk) => data(chunk),
          onResponseEnd: () => ended(null),
          onResponseError: (_, error) => ended(error.message),
        },
      );
    },
    close: () => void client.destroy().catch(() => {}),
  };
};

/** Computes the length of a response's status line and headers, as servers write them: "name: value". */
function headerBytes(status: number, words: string, { rawHeaders }: Dispatcher.DispatchController): number {
  const parts = Array.isArray(rawHeaders)
    ? rawHeaders
    : Object.entries(rawHeaders ?? {})
        .flat()
        .map(String);
  const each = ": ".length / 2 + "\r\n".length / 2;
  return parts.reduce((sum, part) => sum + part.length + each, `HTTP/1.1 ${status} ${words}\r\n\r\n`.length);
}
