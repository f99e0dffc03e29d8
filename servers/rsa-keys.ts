/** Derives RSA keys from names, so that the keys are the same everywhere, like the lab's ECDSA keys (authority.ts). */
import { checkPrimeSync, createHash, type webcrypto } from "node:crypto";
import { invert } from "@noble/curves/abstract/modular";

type JsonWebKey = webcrypto.JsonWebKey;

const primeBits = 1024;
const exponent = 65537n;

/** @returns a JSON Web Key (RFC 7518, section 6.3) */
export function rsaKeyOf(name: string): JsonWebKey {
  const [p, q] = [primeOf(`${name}, p`), primeOf(`${name}, q`)];
  const d = invert(exponent, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e: exponent, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: invert(q, p) };
  return { kty: "RSA", ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, encoded(value)])) };
}

/** Finds the first prime that suits `exponent`, from `candidate` on. The two highest bits of `candidate` are set, so that p * q has full length. */
function primeOf(secret: string): bigint {
  const digits = Array.from({ length: primeBits / 256 }, (_, i) =>
    createHash("sha256").update(`Pageload Lab: RSA key of ${secret}, part ${i}`).digest("hex"),
  );
  let candidate = BigInt(`0x${digits.join("")}`) | (3n << BigInt(primeBits - 2)) | 1n;
  while ((candidate - 1n) % exponent === 0n || !checkPrimeSync(candidate)) candidate += 2n;
  return candidate;
}

function encoded(number: bigint): string {
  const hex = number.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex").toString("base64url");
}
