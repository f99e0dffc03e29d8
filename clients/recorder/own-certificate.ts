/** The certificate that the recording proxy presents for every site. Only the proxy's own browser trusts its key. */
import { createHash, webcrypto } from "node:crypto";
import "reflect-metadata"; // must be imported before x509
import * as x509 from "@peculiar/x509";

export interface OwnCertificate {
  /** PEM. */
  key: string;
  cert: string;
  /** SHA-256 of the public key (SPKI), base64, as in Chromium's options. */
  fingerprint: string;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const dayMs = 86_400_000;

/** @param names the certificate's names, for tests only: a recording's browser trusts the key for every name */
export async function makeOwnCertificate(names: readonly string[] = []): Promise<OwnCertificate> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: "01",
      name: `CN=${names[0] ?? "recording.invalid"}`,
      notBefore: new Date(Date.now() - dayMs),
      notAfter: new Date(Date.now() + dayMs),
      signingAlgorithm: algorithm,
      keys,
      extensions: names.length
        ? [new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: "dns" as const, value })))]
        : [],
    },
    webcrypto as never,
  );
  const exported = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey));
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${exported.toString("base64").replace(/.{1,64}/g, "$&\n")}-----END PRIVATE KEY-----\n`,
    cert: certificate.toString("pem"),
    fingerprint: createHash("sha256").update(Buffer.from(certificate.publicKey.rawData)).digest("base64"),
  };
}
