import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import type { SeenExchange } from "../../sites/recorder/seen-exchange.ts";

export type Asked = Pick<SeenExchange, "method" | "headers" | "sent"> & { url: URL };
export type Head = Pick<SeenExchange, "status" | "headers">;

/** Receives the parts of a response as they arrive. */
export interface Arrival {
  /** @param waitMs time since the request was sent */
  head(head: Head, waitMs: number): void;
  /** @returns whether more may follow at once; if not, the receiver later calls `resume` */
  chunk(bytes: Buffer, resume: () => void): boolean;
}

/** Hop-by-hop headers (RFC 9110, section 7.6.1), and Alt-Svc, which would make the browser bypass the proxy. */
const ofConnection = new Set(
  "connection keep-alive proxy-connection proxy-authenticate proxy-authorization transfer-encoding te trailer upgrade http2-settings alt-svc expect".split(
    " ",
  ),
);
export const isPassedOn = (name: string): boolean => !name.startsWith(":") && !ofConnection.has(name);

/** Resolves when the response is complete. @throws the connection's error, or the signal's reason */
export const fetchExchange = (
  dispatcher: Dispatcher,
  { method, url, headers, sent }: Asked,
  arrival: Arrival,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve, reject) => {
    let sentAtMs = performance.now();
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
          sentAtMs = performance.now();
          if (signal.aborted) controller.abort(signal.reason);
          else signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
        },
        onResponseStart(_, status, incoming) {
          if (status >= 200) arrival.head({ status, headers: listOf(incoming) }, performance.now() - sentAtMs);
        },
        onResponseData(controller, chunk) {
          if (!arrival.chunk(Buffer.from(chunk), () => controller.resume())) controller.pause();
        },
        onResponseEnd: () => resolve(),
        onResponseError: (_, error) => reject(error),
      },
    );
  });

export const listOf = (headers: IncomingHttpHeaders): [string, string][] =>
  Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name.toLowerCase(), one]),
  );
