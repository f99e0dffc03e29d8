import { writeFileSync } from "node:fs";
import { neverRoot } from "../../hosts/rights.ts";
import { opensslDefaults } from "../openssl.ts";
import {
  endingsByType,
  importedHeader,
  importedPrefix,
  otherType,
  type ServerOptions,
  type ServerSoftware,
} from "../software.ts";

/** One thread, no log of requests; keep-alive for as long as a load can take. */
const configuration = ({ root, certificate, key, scratch, tls, protocols }: ServerOptions) => `
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
        neverbleed: off`,
  )
  .join("")}
    paths:
      /:
        file.dir: ${root}
      ${importedPrefix}:
        file.dir: ${root}${importedPrefix}
        header.set: "${importedHeader.name}: ${importedHeader.value}"
file.mime.settypes:
${[...endingsByType]
  .map(([type, endings]) => `  ${type}: [${endings.map((ending) => `".${ending}"`).join(", ")}]`)
  .join("\n")}
file.mime.setdefaulttype: ${otherType}
`;

/** Each of its ports offers HTTP/2 beside HTTP/1.1, so that a browser cannot be had to speak the latter. */
export const server: ServerSoftware = {
  title: "h2o",
  header: "h2o",
  protocols: ["h2"],
  versionCommand: ["h2o", "--version"],
  opensslCommand: ["openssl", "version"],
  followsLinks: true,
  cannotSayCaching: true,
  command(options) {
    const file = `${options.scratch}/h2o.conf`;
    writeFileSync(file, configuration(options));
    return [...neverRoot("server"), "env", opensslDefaults(options), "h2o", "-m", "worker", "-c", file];
  },
};
