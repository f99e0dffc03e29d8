import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import type { Protocol } from "./protocols.ts";

const patienceMs = 2000;

/** Makes a server do its one-time work before the first load. Ignores failures, because a load reports them. Does nothing for SPDY and HTTP/3. */
export function warm({ scheme, port, alpn }: Protocol, path: string): Promise<void> {
  const origin = `${scheme}://127.0.0.1:${port}`;
  const insecure = { rejectUnauthorized: false };
  return new Promise((done) => {
    const end = () => done();
    if (alpn === "http/1.1")
      (scheme === "https" ? https : http)
        .get(`${origin}${path}`, { agent: false, timeout: patienceMs, ...insecure }, (response) =>
          response.on("close", end).resume(),
        )
        .on("error", end)
        .on("timeout", end);
    else if (alpn === "h2") {
      const session = http2.connect(origin, insecure);
      const close = () => session.destroy();
      session.on("error", close).on("close", end).setTimeout(patienceMs, close);
      session.request({ ":path": path }).on("error", close).on("close", close).resume().end();
    } else end();
  });
}
