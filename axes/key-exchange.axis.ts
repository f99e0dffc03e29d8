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
 * The default is x25519. OpenSSL 3.5 and later would choose ML-KEM, whose ServerHello takes two segments: the congestion window would grow before
 * the first response, and a window of 3 could not be distinguished from 2 or 4. With secp256r1 the client's first hello contains no key of that
 * group, so TLS 1.3 takes one more round trip (HelloRetryRequest). Confirmed by the group in each connection's ServerHello and by the client's
 * report. A ServerHello of TLS 1.2 contains no group.
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
    if (clients[client]?.replays) return `client ${client} offers only x25519 and secp256r1, which are allowed`;
    return tls === "1.2" ? "TLS 1.2 does not support this key exchange; tls=1.3 is allowed" : null;
  },
  proves: (keyExchange, all, evidence, registries) =>
    provesTls(evidence, all, registries, {
      what: "key exchange",
      asked: keyExchange,
      inHello: ({ version, group }) =>
        group === null && version === "1.2" ? null : nameOf((one) => one.group === group, `group ${group}`),
      drivenBy: registries.clients[all.client]?.drivenBy,
      byClient: ({ group }) => nameOf((one) => one.devTools === group, group),
    }),
});
