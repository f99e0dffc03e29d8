import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { giveAway } from "../hosts/rights.ts";
import { type CertificateChain, certificateChainNames } from "../schema/tls.ts";
import { makeAuthority } from "./authority.ts";

/** What the files were made by, and for whom: those of an earlier version, or of other hosts, are made anew. */
const version = "3: ec2 and rsa3";

/** A copy of a host's certificates and key for its server, which runs as somebody who may not read the others'. */
export function lendCertificate(
  state: string,
  name: string,
  folder: string,
  chain: CertificateChain,
): { certificate: string; key: string } {
  const lend = (file: string) => {
    const copy = `${folder}/${file}`;
    copyFileSync(`${state}/certificates/${chain}/${file}`, copy);
    giveAway(copy, "server");
    return copy;
  };
  return { certificate: lend(`${name}.pem`), key: lend(`${name}.key`) };
}

/**
 * Make the lab's own CAs and one certificate a host, for that name alone: one for all would let Chromium send every
 * host's requests over one HTTP/2 connection (RFC 9113, section 9.1.1). Nothing to do when they are there.
 * @param namesOf which names a certificate is for: its host's alone
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
  rmSync(directory, { recursive: true, force: true }); // an earlier version's
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

/** The CAs' certificates, PEM. */
export const readAuthorities = (state: string): string[] =>
  certificateChainNames.map((chain) => readFileSync(`${state}/certificates/${chain}/ca.pem`, "utf8"));

function renameIfFirst(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
    rmSync(from, { recursive: true });
  }
}
