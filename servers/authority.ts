/** The lab's own certificate authorities, one for each kind of chain. */
import { createHash, webcrypto } from "node:crypto";
import "reflect-metadata"; // must be imported before x509
import { p256 } from "@noble/curves/p256";
import * as x509 from "@peculiar/x509";
import { type CertificateChain, certificateChains } from "../schema/tls.ts";
import { rsaKeyOf } from "./rsa-keys.ts";

/**
 * Keys and signatures are the same on all machines. Random ECDSA signatures would vary in length, and so would loads' bytes. Anyone can compute
 * the keys, which is safe, because only the lab's browsers trust the certificates, and these browsers reach no other host.
 */
const ecdsa = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
/** Includes the year 2000, to which the clocks of guests are set. */
const validity = { notBefore: new Date("1999-01-01T00:00:00Z"), notAfter: new Date("2049-01-01T00:00:00Z") };

/** WebCrypto with deterministic ECDSA signatures (RFC 6979). RSA signatures (PKCS #1 v1.5) are always deterministic. */
const subtle = new Proxy(webcrypto.subtle, {
  get(target, name) {
    if (name === "sign") return sign;
    const value: unknown = Reflect.get(target, name);
    return typeof value === "function" ? value.bind(target) : value;
  },
});
x509.cryptoProvider.set({ subtle, getRandomValues: webcrypto.getRandomValues.bind(webcrypto) } as never);

async function sign(_: unknown, key: webcrypto.CryptoKey, data: ArrayBuffer): Promise<ArrayBuffer> {
  if (key.algorithm.name === rsa.name) return webcrypto.subtle.sign(rsa, key, data);
  const { d = "" } = await webcrypto.subtle.exportKey("jwk", key);
  const hash = createHash("sha256").update(Buffer.from(data)).digest();
  const signature = p256.sign(hash, Buffer.from(d, "base64url"), { lowS: false }).toCompactRawBytes();
  return Uint8Array.from(signature).buffer;
}

function ecdsaKeyOf(name: string): webcrypto.JsonWebKey {
  const secret = createHash("sha256").update(`Pageload Lab: key of ${name}`).digest();
  const point = p256.getPublicKey(secret, false); // 4, x, y
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => Buffer.from(half).toString("base64url"));
  return { kty: "EC", crv: "P-256", x: x!, y: y!, d: secret.toString("base64url") };
}

/** All chains except rsa3. `authorities` lists the CAs from the root CA to the CA that signs the hosts' certificates. */
const short = { algorithm: ecdsa, keyOf: ecdsaKeyOf, authorities: ["CA"], sendsRoot: true, isCustomary: false };
const usual2012 = {
  algorithm: rsa,
  keyOf: rsaKeyOf,
  authorities: ["root CA", "first CA", "second CA"],
  sendsRoot: false,
  isCustomary: true,
};
const kindOf = (chain: CertificateChain) => (chain === "rsa3" ? usual2012 : short);

/** An object identifier reserved for documentation (RFC 5612). */
const paddingId = "1.3.6.1.4.1.32473.1";
/** Bytes that the extension adds beyond its padding: identifier, length fields, and longer length fields around the extension. */
const paddingOverheadBytes = 32;

/** @returns an extension with which the chain has at most its `mostBytes`; null for chains without padding */
function paddingOf(chain: CertificateChain): x509.Extension | null {
  if (chain === "ec2" || kindOf(chain) !== short) return null;
  const bytes = certificateChains[chain].mostBytes - certificateChains.ec2.mostBytes - paddingOverheadBytes;
  return new x509.Extension(paddingId, false, Buffer.alloc(bytes));
}

interface Party {
  keys: webcrypto.CryptoKeyPair;
  certificate: x509.X509Certificate;
}

interface Subject {
  /** The key is derived from this name. */
  name: string;
  distinguished: string;
  serialNumber: string;
  extension: x509.Extension;
}

/** Makes the extensions that a CA of 2012 added: key usage, policies, revocation and issuer. They give certificates a realistic length. */
async function customary(
  publicKey: webcrypto.CryptoKey,
  issuerKey: webcrypto.CryptoKey,
  isHost: boolean,
): Promise<x509.Extension[]> {
  const site = "pageload-lab.example/authorities/of-class-3-secure-servers";
  const { keyCertSign, cRLSign, digitalSignature, keyEncipherment } = x509.KeyUsageFlags;
  return [
    new x509.KeyUsagesExtension(isHost ? digitalSignature | keyEncipherment : keyCertSign | cRLSign, true),
    ...(isHost
      ? [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth])]
      : []),
    new x509.CertificatePolicyExtension(["2.16.840.1.113733.1.7.54", "2.23.140.1.2.2"]),
    new x509.CRLDistributionPointsExtension([`http://crl.${site}/generation-3.crl`]),
    new x509.AuthorityInfoAccessExtension({
      ocsp: [new x509.GeneralName("url", `http://ocsp.${site}`)],
      caIssuers: [new x509.GeneralName("url", `http://issuer.${site}/generation-3.cer`)],
    }),
    await x509.SubjectKeyIdentifierExtension.create(publicKey),
    await x509.AuthorityKeyIdentifierExtension.create(issuerKey),
  ];
}

async function keysOf(chain: CertificateChain, name: string): Promise<webcrypto.CryptoKeyPair> {
  const { algorithm, keyOf } = kindOf(chain);
  const { kty, crv, x, y, n, e, ...secret } = keyOf(name);
  const open = Object.fromEntries(Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => value));
  const [publicKey, privateKey] = await Promise.all([
    webcrypto.subtle.importKey("jwk", open, algorithm, true, ["verify"]),
    webcrypto.subtle.importKey("jwk", { ...open, ...secret }, algorithm, true, ["sign"]),
  ]);
  return { publicKey, privateKey };
}

/** @param issuer the CA that signs the certificate; absent for a self-signed certificate */
async function certify(chain: CertificateChain, subject: Subject, issuer?: Party): Promise<Party> {
  const { algorithm, isCustomary } = kindOf(chain);
  const { name, distinguished, serialNumber, extension } = subject;
  const keys = await keysOf(chain, name);
  const signer = issuer?.keys ?? keys;
  const isHost = extension instanceof x509.SubjectAlternativeNameExtension;
  const padding = isHost ? paddingOf(chain) : null;
  const certificate = await x509.X509CertificateGenerator.create({
    subject: distinguished,
    issuer: issuer?.certificate.subject ?? distinguished,
    publicKey: keys.publicKey,
    signingKey: signer.privateKey,
    signingAlgorithm: algorithm,
    ...validity,
    serialNumber,
    extensions: [
      extension,
      ...(isCustomary ? await customary(keys.publicKey, signer.publicKey, isHost) : []),
      ...(padding ? [padding] : []),
    ],
  });
  return { keys, certificate };
}

export interface Authority {
  /** The certificate of the CA that signs the hosts' certificates. */
  pem: string;
  /** Makes a host's certificate chain and key, PEM. @param name the name from which the key is derived @param names the host's names */
  certify(name: string, names: string[], serialNumber: string): Promise<{ certificates: string; key: string }>;
}

export async function makeAuthority(chain: CertificateChain): Promise<Authority> {
  const { authorities, sendsRoot } = kindOf(chain);
  const parties: Party[] = [];
  for (const [i, name] of authorities.entries()) {
    const extension = new x509.BasicConstraintsExtension(true, authorities.length - 1 - i, true);
    const subject = { name, distinguished: `CN=Pageload Lab ${name}`, serialNumber: `0${i + 1}`, extension };
    parties.push(await certify(chain, subject, parties[i - 1]));
  }
  const issuer = parties.at(-1)!;
  const sent = parties.slice(sendsRoot ? 0 : 1).reverse();
  return {
    pem: issuer.certificate.toString("pem"),
    async certify(name, names, serialNumber) {
      const alternatives = names.map((value) => ({ type: "dns" as const, value }));
      const extension = new x509.SubjectAlternativeNameExtension(alternatives);
      const host = await certify(chain, { name, distinguished: `CN=${name}`, serialNumber, extension }, issuer);
      const pkcs8 = await webcrypto.subtle.exportKey("pkcs8", host.keys.privateKey);
      return {
        certificates: [host, ...sent].map(({ certificate }) => `${certificate.toString("pem")}\n`).join(""),
        key: x509.PemConverter.encode(pkcs8, "PRIVATE KEY"),
      };
    },
  };
}
