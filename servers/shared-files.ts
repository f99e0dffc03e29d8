import { chmodSync, statSync } from "node:fs";
import { readTopology, webHosts } from "../hosts/topology.ts";
import { ensureSite } from "../sites/pages.ts";
import { certify, ensureCertificates } from "./certificates.ts";
import { readProtocols } from "./protocols.ts";

/** Creates the files that all hosts share, certificates and pages, unless they exist. */
export async function ensureSharedFiles(folder: string): Promise<void> {
  const before = process.umask(0o022); // servers read the pages as another user
  try {
    if ((statSync(folder).mode & 0o777) !== 0o755) chmodSync(folder, 0o755); // an image's folder has this mode, which cannot be changed
    const hosts = webHosts(readTopology());
    await ensureCertificates(
      folder,
      hosts.map(({ name }) => name),
    );
    await ensureSite(`${folder}/site`, {
      certify,
      hostCounts: hosts.map((_, i) => i + 1),
      protocols: Object.values(readProtocols()),
    });
  } finally {
    process.umask(before);
  }
}
