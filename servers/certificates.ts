import { createHash, webcrypto } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import "reflect-metadata"; // x509 needs it first
import * as x509 from "@peculiar/x509";
import { giveAway } from "../hosts/rights.ts";

x509.cryptoProvider.set(webcrypto as never);
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const yearMs = 365 * 24 * 3600 * 1000;

/** A copy of a host's certificate and key for its server, which runs as somebody who may not read the others'. */
export function lendCertificate(state: string, name: string, folder: string): { certificate: string; key: string } {
  const lend = (file: string) => {
    const copy = `${folder}/${file}`;
    copyFileSync(`${state}/certificates/${file}`, copy);
    giveAway(copy, "server");
    return copy;
  };
  return { certificate: lend(`${name}.pem`), key: lend(`${name}.key`) };
}

/**
 * Make the lab's own CA and one certificate a host, for that name alone: one for all would let Chromium send every
 * host's requests over one HTTP/2 connection (RFC 9113, section 9.1.1). Nothing to do when they exist.
 * @param namesOf which names a certificate is for: its host's alone
 */
export async function ensureCertificates(
  state: string,
  names: string[],
  namesOf = (name: string) => [name],
): Promise<void> {
  const directory = `${state}/certificates`;
  if (existsSync(directory)) return;
  const building = `${directory}.${process.pid}`;
  mkdirSync(building, { recursive: true, mode: 0o700 });
  const caKeys = await newKeys();
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=Pageload Lab CA",
    keys: caKeys,
    signingAlgorithm: algorithm,
    ...validity(),
    serialNumber: "01",
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  for (const [i, name] of names.entries()) {
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      subject: `CN=${name}`,
      issuer: ca.subject,
      publicKey: keys.publicKey,
      signingKey: caKeys.privateKey,
      signingAlgorithm: algorithm,
      ...validity(),
      serialNumber: `1${i}`,
      extensions: [
        new x509.SubjectAlternativeNameExtension(namesOf(name).map((value) => ({ type: "dns" as const, value }))),
      ],
    });
    const pkcs8 = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey as never);
    writeFileSync(`${building}/${name}.pem`, `${certificate.toString("pem")}\n${ca.toString("pem")}\n`);
    writeFileSync(`${building}/${name}.key`, x509.PemConverter.encode(pkcs8, "PRIVATE KEY"), { mode: 0o600 });
  }
  writeFileSync(`${building}/ca.pem`, ca.toString("pem"));
  renameIfFirst(building, directory);
}

/** The CA's public key as `--ignore-certificate-errors-spki-list` wants it: SHA-256 of the SPKI, base64. */
export function caFingerprint(state: string): string {
  const ca = new x509.X509Certificate(readFileSync(`${state}/certificates/ca.pem`, "utf8"));
  return createHash("sha256").update(Buffer.from(ca.publicKey.rawData)).digest("base64");
}

const newKeys = async () => (await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;

/** A year either side; a guest in the year 2000 takes them too, for the browser knows their key. */
const validity = () => ({ notBefore: new Date(Date.now() - yearMs), notAfter: new Date(Date.now() + 2 * yearMs) });

function renameIfFirst(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
    rmSync(from, { recursive: true });
  }
}
