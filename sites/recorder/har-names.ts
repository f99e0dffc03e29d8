/** Reads what a HAR has about host names: addresses, handshakes, and which names shared a connection. A HAR has no certificates. */
import type { HarEntry } from "../har/har-entry.ts";
import { grouped } from "../har/same-url.ts";
import type { SeenName } from "./seen-exchange.ts";

/** @param entries the entries in the order of their requests */
export function namesInHar(entries: readonly HarEntry[]): SeenName[] {
  const byName = grouped(entries, ({ url }) => url.host);
  return [...byName].map(([name, own]) => {
    const handshakes = own.flatMap(({ handshakeMs }) => handshakeMs ?? []);
    return {
      name,
      endpoints: own.flatMap(({ address }) => address ?? []).slice(0, 1),
      covered: [...byName]
        .filter(([, others]) => shareConnection(own, others))
        .map(([other]) => other.replace(/:\d+$/, "")),
      handshakeMs: handshakes.length ? Math.min(...handshakes) : null,
    };
  });
}

/** Whether names shared a TLS connection. If so, one certificate covers them. */
function shareConnection(some: readonly HarEntry[], others: readonly HarEntry[]): boolean {
  // Some programs that write HARs give the port instead of the connection's identifier.
  const connectionsOf = (entries: readonly HarEntry[]) =>
    entries.flatMap(({ url, connection }) =>
      url.protocol !== "https:" || connection === null || connection === (url.port || "443") ? [] : [connection],
    );
  const known = new Set(connectionsOf(some));
  return connectionsOf(others).some((one) => known.has(one));
}
