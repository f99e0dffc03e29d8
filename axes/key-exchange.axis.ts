import { entryOf } from "../schema/registries.ts";
import { type KeyExchange, keyExchangeNames, keyExchanges, usualTls } from "../schema/tls.ts";
import { defineAxis } from "./axis.ts";
import { provesTls } from "./handshake.ts";
import { oneOf } from "./values.ts";

const nameOf = (is: (group: (typeof keyExchanges)[KeyExchange]) => boolean, otherwise: string): string =>
  keyExchangeNames.find((name) => is(keyExchanges[name])) ?? otherwise;

declare module "../schema/plan.ts" {
  interface AxisValues {
    keyExchange: KeyExchange;
  }
}

/**
 * By default OpenSSL 3.5 and later use ML-KEM, whose ServerHello takes two segments and lets the congestion window grow before
 * the first response: a window of 3 would behave differently on Debian 13 and 12, and could not be distinguished from 2 or 4
 * (tcp_slow_start in Linux). For secp256r1 a client has sent no key, so that TLS 1.3 takes another round trip
 * (HelloRetryRequest).
 *
 * Confirmed by the group in each connection's ServerHello and by the client's report. TLS 1.2 has no group in its hello, so
 * there only the client reports it.
 */
export const axis = defineAxis({
  name: "keyExchange",
  title: "the group of TLS's key exchange",
  example: "x25519mlkem768",
  follows: "tls",
  field: "keyExchange",
  value: oneOf(keyExchangeNames),
  default: usualTls.keyExchange,
  id: (keyExchange) => keyExchange,
  sets: (keyExchange) => ({ server: { tls: { keyExchange: keyExchange } } }),
  needs: (keyExchange) => keyExchange,
  refuses(keyExchange, { tls, client }, { clients }) {
    if (keyExchange !== "x25519mlkem768") return null;
    if (clients[client]?.replays) return `client ${client} offers x25519 and secp256r1 alone; these are allowed`;
    return tls === "1.2" ? "TLS 1.2 has no such key exchange; TLS 1.3 has" : null;
  },
  proves: (keyExchange, all, evidence, registries) =>
    provesTls(evidence, entryOf(registries.protocols, "protocols", all.protocol), {
      what: "key exchange",
      asked: keyExchange,
      inHello: ({ version, group }) =>
        group === null && version === "1.2" ? null : nameOf((one) => one.group === group, `group ${group}`),
      drivenBy: registries.clients[all.client]?.drivenBy,
      byClient: ({ group }) => nameOf((one) => one.devTools === group, group),
    }),
});
