import { type TlsVersion, tlsVersions, usualTls } from "../schema/tls.ts";
import { defineAxis } from "./axis.ts";
import { isOverQuic } from "./flows.ts";
import { provesTls } from "./handshake.ts";
import { oneOf } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    tls: TlsVersion;
  }
}

/** Confirmed by each connection's ServerHello in the server's capture, and by the client's report. */
export const axis = defineAxis({
  name: "tls",
  title: "the version of TLS",
  example: "1.2",
  follows: "protocol",
  field: "tls",
  value: oneOf(tlsVersions),
  default: usualTls.version,
  label: (version) => `TLS ${version}`,
  id: (version) => `tls${version}`,
  sets: (version) => ({ server: { tls: { version: version } } }),
  refuses: (version, all, registries) =>
    version !== "1.3" && isOverQuic(all, registries) ? "QUIC always uses TLS 1.3 (RFC 9001)" : null,
  proves: (version, all, evidence, registries) =>
    provesTls(evidence, all, registries, {
      what: "TLS",
      asked: version,
      inHello: ({ version: seen }) => seen,
      drivenBy: registries.clients[all.client]?.drivenBy,
      byClient: ({ version: said }) => (said === "QUIC" ? "1.3" : said.replace(/^TLS /, "")),
    }),
});
