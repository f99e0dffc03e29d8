import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeOwner } from "../hosts/rights.ts";
import { type CertificateChain, certificateChainNames } from "../schema/tls.ts";
import { type Certify, type ReplayFile, replayCertificates, replayFile } from "../sites/recorded/replay-file.ts";

/** Change this number when the code makes different certificates. Certificates of another version are created again. */
const version = `4: ${certificateChainNames.join(", ")}`;

/** Copies a file for a server's user, who may not read the original. @returns the copy's path */
function copied(file: string, copy: string): string {
  copyFileSync(file, copy);
  makeOwner(copy, "server");
  return copy;
}

export function copyCertificate(
  state: string,
  name: string,
  folder: string,
  chain: CertificateChain,
): { certificate: string; key: string } {
  const own = (file: string) => copied(`${state}/certificates/${chain}/${file}`, `${folder}/${file}`);
  return { certificate: own(`${name}.pem`), key: own(`${name}.key`) };
}

/** Reads a host's certificates and key, for a server that runs in the host's agent. */
export const certified = (state: string, name: string, chain: CertificateChain): { cert: Buffer; key: Buffer } => ({
  cert: readFileSync(`${state}/certificates/${chain}/${name}.pem`),
  key: readFileSync(`${state}/certificates/${chain}/${name}.key`),
});

/** Copies the certificates of a recorded page's hosts for the page's server. @returns undefined if the folder has no recorded page */
export function replayedCertificates(
  site: string,
  variant: string | undefined,
  folder: string,
  chain: CertificateChain,
): { certificate: string; key: string }[] | undefined {
  if (variant === undefined || !existsSync(`${site}/${variant}/${replayFile}`)) return undefined;
  const { hosts } = JSON.parse(readFileSync(`${site}/${variant}/${replayFile}`, "utf8")) as ReplayFile;
  const from = `${site}/${dirname(variant)}/${replayCertificates}/${chain}`;
  return hosts.map((_, i) => {
    const own = (ending: string) => copied(`${from}/${i + 1}.${ending}`, `${folder}/replayed-${i + 1}.${ending}`);
    return { certificate: own("pem"), key: own("key") };
  });
}

/**
 * Creates the lab's CAs and a certificate for each host, unless they exist. With one certificate for all hosts, Chromium would send the
 * requests to all hosts over one HTTP/2 connection (RFC 9113, section 9.1.1). @param namesOf returns the names in a host's certificate
 */
export async function ensureCertificates(
  state: string,
  names: string[],
  namesOf = (name: string) => [name],
): Promise<void> {
  const directory = `${state}/certificates`;
  const made = [version, ...names.map((name) => namesOf(name).join(" "))].join("\n");
  const stamp = `${directory}/made`;
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === made) return;
  const { makeAuthority } = await import("./authority.ts"); // imported here, because only the first command needs its many modules
  rmSync(directory, { recursive: true, force: true });
  const building = `${directory}.${process.pid}`;
  for (const chain of certificateChainNames) {
    mkdirSync(`${building}/${chain}`, { recursive: true, mode: 0o700 });
    const authority = await makeAuthority(chain);
    writeFileSync(`${building}/${chain}/ca.pem`, authority.pem);
    for (const [i, name] of names.entries()) {
      const { certificates, key } = await authority.certify(name, namesOf(name), `1${i}`);
      writeFileSync(`${building}/${chain}/${name}.pem`, certificates);
      writeFileSync(`${building}/${chain}/${name}.key`, key, { mode: 0o600 });
    }
  }
  writeFileSync(`${building}/made`, made);
  renameIfFirst(building, directory);
}

/** Makes a certificate for a host of a recorded page. `names` are the recorded names. */
export const certify: Certify = async (chain, name, names) => {
  const { makeAuthority } = await import("./authority.ts");
  return (await makeAuthority(chain)).certify(name, names, "20");
};

/** Reads the CAs' certificates, PEM, without repetition. */
export const readAuthorities = (state: string): string[] => [
  ...new Set(certificateChainNames.map((chain) => readFileSync(`${state}/certificates/${chain}/ca.pem`, "utf8"))),
];

function renameIfFirst(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
    rmSync(from, { recursive: true });
  }
}
