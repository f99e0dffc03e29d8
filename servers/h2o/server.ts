import { neverRoot } from "../../hosts/rights.ts";
import { keyExchangeNames } from "../../schema/tls.ts";
import { opensslDefaults } from "../openssl.ts";
import {
  endingsByType,
  importedHeader,
  otherType,
  type ServerOptions,
  type ServerSoftware,
  writeConfiguration,
} from "../software.ts";

/** One thread, no log of requests, time-outs longer than any load, and no OCSP requests, because the lab's authorities do not support OCSP. */
const configuration = ({ root, imported, certificate, key, scratch, tls, compression, protocols }: ServerOptions) => `
num-threads: 1
pid-file: ${scratch}/h2o.pid
error-log: ${scratch}/h2o.log
http2-idle-timeout: 600
ssl-session-resumption:
  mode: ${tls.resumption ? "ticket" : "off"}
hosts:
  default:
    listen:
${protocols
  .map(
    ({ port }) => `
      port: ${port}
      ssl:
        certificate-file: ${certificate}
        key-file: ${key}
        neverbleed: off
        ocsp-update-interval: 0`,
  )
  .join("")}
    paths:
      /:
        file.dir: ${root}
        file.send-compressed: ${imported && compression ? "ON" : "OFF"}
        ${imported ? `header.set: "${importedHeader.name}: ${importedHeader.value}"` : ""}
file.mime.settypes:
${[...endingsByType]
  .map(([type, endings]) => `  ${type}: [${endings.map((ending) => `".${ending}"`).join(", ")}]`)
  .join("\n")}
file.mime.setdefaulttype: ${otherType}
`;

/** h2o sends Brotli if a file has several compressed copies. Each port offers HTTP/2 and HTTP/1.1, so browsers never use HTTP/1.1. */
export const server: ServerSoftware = {
  title: "h2o",
  header: "h2o",
  protocols: ["h2"],
  versionCommand: ["h2o", "--version"],
  opensslCommand: ["openssl", "version"],
  can: ["br", ...keyExchangeNames],
  command(options) {
    const file = writeConfiguration(options, "h2o.conf", configuration(options));
    return [...neverRoot("server"), "env", opensslDefaults(options), "h2o", "-m", "worker", "-c", file];
  },
};
