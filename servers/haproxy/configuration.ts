/** HAProxy's configuration files. */
import { readFileSync, writeFileSync } from "node:fs";
import { makeOwner } from "../../hosts/rights.ts";
import { keyExchanges } from "../../schema/tls.ts";
import type { Protocol } from "../protocols.ts";
import type { ServerOptions } from "../software.ts";

/** HAProxy reads a certificate and its key from one file. @returns the file's path */
export function certificateFile(
  { certificate, key }: Pick<ServerOptions, "certificate" | "key">,
  file: string,
): string {
  writeFileSync(file, readFileSync(certificate, "utf8") + readFileSync(key, "utf8"), { mode: 0o600 });
  makeOwner(file, "server");
  return file;
}

interface Front {
  protocols: readonly Protocol[];
  tls: ServerOptions["tls"];
  /** A file with certificate and key, or a folder of such files, of which SNI chooses one. */
  certificates: string;
  /** Rules for the responses of a protocol. */
  rulesOf?(protocol: Protocol): string[];
  /** The port on the same host whose server responds, over unencrypted HTTP/1.1. */
  behindPort: number;
}

/** QUIC always uses TLS 1.3. */
function frontend(protocol: Protocol, { tls, certificates, rulesOf }: Front): string {
  const { name, port, alpn, scheme, transport } = protocol;
  const version = transport === "quic" ? "1.3" : tls.version;
  const secure = [
    ...["ssl", "crt", certificates, "alpn", alpn, "ssl-min-ver", `TLSv${version}`, "ssl-max-ver", `TLSv${version}`],
    ...["curves", keyExchanges[tls.keyExchange].openssl, ...(tls.resumption ? [] : ["no-tls-tickets"])],
  ];
  const rules = rulesOf?.(protocol) ?? [];
  return `
frontend ${name}
  bind ${transport === "quic" ? "quic4@" : ""}:${port} ${scheme === "https" ? secure.join(" ") : ""}
  ${rules.join("\n  ")}`;
}

/** One thread, no log, and time-outs longer than any load. OpenSSL has no interface for HAProxy's QUIC, hence `limited-quic`: without early data. */
export const configuration = (front: Front): string => `
global
  nbthread 1
  maxconn 1000
  limited-quic
  tune.ssl.cachesize 0
  tune.quic.frontend.max-idle-timeout 600s
defaults
  mode http
  timeout connect 10s
  timeout client 600s
  timeout server 600s
  default_backend behind
backend behind
  server behind 127.0.0.1:${front.behindPort}
${front.protocols.map((protocol) => frontend(protocol, front)).join("\n")}
`;
