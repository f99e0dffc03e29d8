/** What a server offers of TLS: one of each, so that client and server can agree on nothing else. */
import { z } from "zod";

export const tlsVersions = ["1.2", "1.3"] as const;
export type TlsVersion = (typeof tlsVersions)[number];

/**
 * Groups of the key exchange: their numbers in a hello (IANA's TLS Supported Groups), and what OpenSSL and the DevTools
 * protocol call them.
 */
export const keyExchanges = {
  x25519: { group: 0x001d, openssl: "X25519", devTools: "X25519" },
  secp256r1: { group: 0x0017, openssl: "P-256", devTools: "P-256" },
  x25519mlkem768: { group: 0x11ec, openssl: "X25519MLKEM768", devTools: "X25519MLKEM768" },
} as const;
export type KeyExchange = keyof typeof keyExchanges;
export const keyExchangeNames = Object.keys(keyExchanges) as [KeyExchange, ...KeyExchange[]];

/**
 * Chains of certificates that a server sends: how many, and how long they are together, bytes of DER. An ECDSA signature's length
 * varies by a byte or two.
 * - ec2: the host's and the CA's, with keys on P-256; the shortest that the lab has
 * - rsa3: the host's and two intermediate CAs', with RSA keys of 2048 bits and all that CAs wrote into them, as web sites had them in 2012
 */
export const certificateChains = {
  ec2: { certificates: 2, leastBytes: 618, mostBytes: 626 },
  rsa3: { certificates: 3, leastBytes: 3481, mostBytes: 3481 },
} as const;
export type CertificateChain = keyof typeof certificateChains;
export const certificateChainNames = Object.keys(certificateChains) as [CertificateChain, ...CertificateChain[]];

export const tlsSchema = z.strictObject({
  version: z.enum(tlsVersions),
  keyExchange: z.enum(keyExchangeNames),
  certificates: z.enum(certificateChainNames),
  /** Servers give out tickets, by which a client may resume a session on a later connection. */
  resumption: z.literal(true).optional(),
});
export type Tls = z.infer<typeof tlsSchema>;

/** What an experiment that asks for nothing gets. */
export const usualTls: Tls = { version: "1.3", keyExchange: "x25519", certificates: "ec2" };
