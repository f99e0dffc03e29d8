import { writeFileSync } from "node:fs";
import { keyExchanges } from "../schema/tls.ts";
import type { ServerOptions } from "./software.ts";

/** OpenSSL's defaults for versions, groups and session tickets, for software that has no such settings or ignores them. config(5ssl) */
const configuration = ({ tls }: ServerOptions) => `
openssl_conf = lab
[lab]
ssl_conf = programs
[programs]
system_default = every
[every]
MinProtocol = TLSv${tls.version}
MaxProtocol = TLSv${tls.version}
Groups = ${keyExchanges[tls.keyExchange].openssl}
${tls.resumption ? "" : "NumTickets = 0"}
`;

/** Writes OpenSSL's configuration file. @returns the environment variable with the path of the file, as NAME=value */
export function opensslDefaults(options: ServerOptions): string {
  const file = `${options.scratch}/openssl.cnf`;
  writeFileSync(file, configuration(options));
  return `OPENSSL_CONF=${file}`;
}
