/** The TLS parameters that a server offers. It offers only one value of each, so that client and server cannot negotiate another value. */
import { z } from "zod";

export const tlsVersions = ["1.2", "1.3"] as const;
export type TlsVersion = (typeof tlsVersions)[number];

/** Groups of the key exchange: numbers in a hello (IANA's TLS Supported Groups), and names in OpenSSL and in the DevTools protocol. */
export const keyExchanges = {
  x25519: { group: 0x001d, openssl: "X25519", devTools: "X25519" },
  secp256r1: { group: 0x0017, openssl: "P-256", devTools: "P-256" },
  x25519mlkem768: { group: 0x11ec, openssl: "X25519MLKEM768", devTools: "X25519MLKEM768" },
} as const;
export type KeyExchange = keyof typeof keyExchanges;
export const keyExchangeNames = Object.keys(keyExchanges) as [KeyExchange, ...KeyExchange[]];

/**
 * Certificate chains that servers send: the number of certificates, and their total length in bytes (DER). The length of an ECDSA signature
 * varies by a few bytes.
 * - ec2: the certificates of the host and the CA, with P-256 keys. This is the shortest chain of the lab.
 * - rsa3: the certificates of the host and two intermediate CAs, with 2048-bit RSA keys and the usual extensions, as on web sites in 2012.
 * - 5.5kB and more: ec2 with padding in an extension of the host's certificate. With the padding, a handshake is as long as with post-quantum
 *   signatures, which this lab's browsers and servers do not support. The chain's length is the sum of the scheme's keys and signatures (with
 *   the signature of the handshake) plus 300 bytes for each certificate, minus 72 bytes: the ECDSA signature that the handshake really has.
 *   - With one certificate, as in ePrint 2019/1447: 5.5kB for Dilithium2 (round 2: a key of 1,184 bytes, signatures of 2,044), 20.3kB for
 *     qTESLA-p-I (14,880 and 2,592), 68.3kB for Picnic-L1-FS (33 and at most 34,036).
 *   - With the certificates of a host and an intermediate CA, as today: 10.4kB for ML-DSA-44 (FIPS 204: 1,312 and 2,420).
 */
export const certificateChains = {
  ec2: { certificates: 2, leastBytes: 618, mostBytes: 626 },
  rsa3: { certificates: 3, leastBytes: 3481, mostBytes: 3481 },
  "5.5kB": padded(5500),
  "10.4kB": padded(10_400),
  "20.3kB": padded(20_300),
  "68.3kB": padded(68_300),
} as const;

/** The length varies as ec2's length does, and also by the bytes of longer length fields. */
function padded(mostBytes: number) {
  return { certificates: 2, leastBytes: mostBytes - 20, mostBytes };
}

export type CertificateChain = keyof typeof certificateChains;
export const certificateChainNames = Object.keys(certificateChains) as [CertificateChain, ...CertificateChain[]];

export const tlsSchema = z.strictObject({
  version: z.enum(tlsVersions),
  keyExchange: z.enum(keyExchangeNames),
  certificates: z.enum(certificateChainNames),
  /** Servers issue tickets, with which a client can resume a session on a later connection. */
  resumption: z.literal(true).optional(),
  /** Servers accept requests in the first flight of a QUIC connection that resumes a session (0-RTT; RFC 9001, section 4.6). */
  earlyData: z.literal(true).optional(),
});
export type Tls = z.infer<typeof tlsSchema>;

export const usualTls: Tls = { version: "1.3", keyExchange: "x25519", certificates: "ec2" };
