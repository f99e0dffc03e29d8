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

export const tlsSchema = z.strictObject({ version: z.enum(tlsVersions), keyExchange: z.enum(keyExchangeNames) });
export type Tls = z.infer<typeof tlsSchema>;

/** What an experiment that asks for nothing gets. */
export const usualTls: Tls = { version: "1.3", keyExchange: "x25519" };
