/** The certificate that the recording proxy presents for every site. Only the proxy's own browser trusts its key. */
import { webcrypto } from "node:crypto";
import "reflect-metadata"; // must be imported before x509
import * as x509 from "@peculiar/x509";

export interface OwnCertificate {
  /** PEM. */
  key: string;
  cert: string;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const dayMs = 86_400_000;

/** @param names the certificate's names. Only tests give names, because a recording's browser trusts the key for every name. */
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
  const pkcs8 = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  return { key: x509.PemConverter.encode(pkcs8, "PRIVATE KEY"), cert: certificate.toString("pem") };
}
