/** Fetches a response for the browser from its site, passes it on as it arrives, and keeps it. */
import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

/** Where the response goes: to the browser. */
export interface Receiver {
  begin(status: number, headers: [name: string, value: string][]): void;
  /** Never waits for the browser, which takes nothing of a body that no script reads. The chunks are kept anyway. */
  write(chunk: Buffer): void;
  end(): void;
  /** Called when the browser no longer wants the response. */
  onCancel(cancel: () => void): void;
}

export interface Asked {
  method: string;
  url: URL;
  headers: [name: string, value: string][];
  sent: Buffer;
}

/** A response up to now. `atMs` are times of `performance.now()`. */
export interface Fetched {
  status: number;
  headers: [name: string, value: string][];
  chunks: Buffer[];
  sentAtMs: number;
  answeredAtMs: number;
}

/** The name that a fetch fails with when the browser gave it up. */
export const cancelled = "cancelled";

/** HTTP's headers for one connection (RFC 9110, section 7.6.1), and Alt-Svc, which would lead the browser past the proxy. */
const ofConnection = new Set(
  "connection keep-alive proxy-connection proxy-authenticate proxy-authorization transfer-encoding te trailer upgrade http2-settings alt-svc expect".split(
    " ",
  ),
);
export const isPassedOn = (name: string): boolean => !name.startsWith(":") && !ofConnection.has(name);

/** What is told while a response arrives. */
export interface Arrival {
  head(status: number, headers: [name: string, value: string][]): void;
  bytes(count: number): void;
}

/** @throws Error of the connection, or one with the name `cancelled` */
export const fetchExchange = (
  dispatcher: Dispatcher,
  { method, url, headers, sent }: Asked,
  receiver: Receiver,
  arrival: Arrival,
): Promise<Fetched> =>
  new Promise((resolve, reject) => {
    const fetched: Fetched = { status: 0, headers: [], chunks: [], sentAtMs: performance.now(), answeredAtMs: 0 };
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: method as Dispatcher.HttpMethod,
        headers: headers.flat(),
        body: sent.length ? sent : null,
      },
      {
        onRequestStart(controller) {
          fetched.sentAtMs = performance.now();
          receiver.onCancel(() =>
            controller.abort(Object.assign(new Error("the page gave it up"), { name: cancelled })),
          );
        },
        onResponseStart(_, status, incoming) {
          if (status < 200) return;
          fetched.answeredAtMs = performance.now();
          Object.assign(fetched, { status, headers: listOf(incoming) });
          arrival.head(status, fetched.headers);
          receiver.begin(
            status,
            fetched.headers.filter(([name]) => isPassedOn(name)),
          );
        },
        onResponseData(_, chunk) {
          const bytes = Buffer.from(chunk);
          fetched.chunks.push(bytes);
          arrival.bytes(bytes.length);
          receiver.write(bytes);
        },
        onResponseEnd() {
          receiver.end();
          resolve(fetched);
        },
        onResponseError: (_, error) => reject(error),
      },
    );
  });

const listOf = (headers: IncomingHttpHeaders): [string, string][] =>
  Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name.toLowerCase(), one]),
  );
