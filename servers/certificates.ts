import { createHash, webcrypto } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import "reflect-metadata"; // x509 needs it first
import { p256 } from "@noble/curves/p256";
import * as x509 from "@peculiar/x509";
import { giveAway } from "../hosts/rights.ts";

/**
 * The same keys and signatures everywhere: a certificate's length is part of what a load transfers, and ECDSA's usual
 * signatures vary by a byte or two. Nothing but the lab's own browser trusts them, and it knows no other host.
 */
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
/** A guest in the year 2000 takes them too. */
const validity = { notBefore: new Date("1999-01-01T00:00:00Z"), notAfter: new Date("2049-01-01T00:00:00Z") };

/** WebCrypto, but that signatures follow from key and content (RFC 6979). */
const subtle = new Proxy(webcrypto.subtle, {
  get(target, name) {
    if (name === "sign") return sign;
    const value: unknown = Reflect.get(target, name);
    return typeof value === "function" ? value.bind(target) : value;
  },
});
x509.cryptoProvider.set({ subtle, getRandomValues: webcrypto.getRandomValues.bind(webcrypto) } as never);

async function sign(_: unknown, key: webcrypto.CryptoKey, data: ArrayBuffer): Promise<ArrayBuffer> {
  const { d = "" } = await webcrypto.subtle.exportKey("jwk", key);
  const hash = createHash("sha256").update(Buffer.from(data)).digest();
  const signature = p256.sign(hash, Buffer.from(d, "base64url"), { lowS: false }).toCompactRawBytes();
  return Uint8Array.from(signature).buffer;
}

/** @param name whose they are: they follow from it */
async function keysOf(name: string): Promise<CryptoKeyPair> {
  const secret = createHash("sha256").update(`Pageload Lab: key of ${name}`).digest();
  const point = p256.getPublicKey(secret, false); // 4, x, y
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => Buffer.from(half).toString("base64url"));
  const open = { kty: "EC", crv: "P-256", x: x!, y: y! };
  const [publicKey, privateKey] = await Promise.all([
    webcrypto.subtle.importKey("jwk", open, algorithm, true, ["verify"]),
    webcrypto.subtle.importKey("jwk", { ...open, d: secret.toString("base64url") }, algorithm, true, ["sign"]),
  ]);
  return { publicKey, privateKey } as CryptoKeyPair;
}

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
 * host's requests over one HTTP/2 connection (RFC 9113, section 9.1.1). Nothing to do when they are there.
 * @param namesOf which names a certificate is for: its host's alone
 */
export async function ensureCertificates(
  state: string,
  names: string[],
  namesOf = (name: string) => [name],
): Promise<void> {
  const directory = `${state}/certificates`;
  const caKeys = await keysOf("CA");
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=Pageload Lab CA",
    keys: caKeys,
    signingAlgorithm: algorithm,
    ...validity,
    serialNumber: "01",
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const caFile = `${directory}/ca.pem`;
  if (existsSync(caFile) && readFileSync(caFile, "utf8") === ca.toString("pem")) return;
  rmSync(directory, { recursive: true, force: true }); // an earlier version's
  const building = `${directory}.${process.pid}`;
  mkdirSync(building, { recursive: true, mode: 0o700 });
  for (const [i, name] of names.entries()) {
    const keys = await keysOf(name);
    const certificate = await x509.X509CertificateGenerator.create({
      subject: `CN=${name}`,
      issuer: ca.subject,
      publicKey: keys.publicKey,
      signingKey: caKeys.privateKey,
      signingAlgorithm: algorithm,
      ...validity,
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

function renameIfFirst(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
    rmSync(from, { recursive: true });
  }
}
