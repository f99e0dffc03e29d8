/** Creates what all hosts share, certificates and pages, unless they exist. Argument: another folder for them. */
import { chmodSync, statSync } from "node:fs";
import { stateDirectory } from "../hosts/control.ts";
import { readTopology, webHosts } from "../hosts/topology.ts";
import { ensureSite } from "../sites/pages.ts";
import { ensureCertificates } from "./certificates.ts";
import { readProtocols } from "./protocols.ts";

process.umask(0o022); // servers read the pages as another user
const folder = process.argv[2] ?? stateDirectory;
if ((statSync(folder).mode & 0o777) !== 0o755) chmodSync(folder, 0o755); // not needed, and not permitted, in an image
const hosts = webHosts(readTopology());
await ensureCertificates(
  folder,
  hosts.map(({ name }) => name),
);
await ensureSite(`${folder}/site`, {
  hostCounts: hosts.map((_, i) => i + 1),
  protocols: Object.values(readProtocols()),
});
