import { writeFileSync } from "node:fs";
import { keyExchanges } from "../schema/tls.ts";
import type { ServerOptions } from "./software.ts";

/** For software without words of its own for versions and groups: OpenSSL takes its programs' defaults from a file. config(5ssl) */
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
`;

/** Write that file, and say it as a variable of the program's environment. */
export function opensslDefaults(options: ServerOptions): string {
  const file = `${options.scratch}/openssl.cnf`;
  writeFileSync(file, configuration(options));
  return `OPENSSL_CONF=${file}`;
}
