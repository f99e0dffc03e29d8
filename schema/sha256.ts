import { createHash } from "node:crypto";

/** Returns the SHA-256 hash of a text or of bytes, in hexadecimal digits. */
export const sha256 = (content: Uint8Array | string): string => createHash("sha256").update(content).digest("hex");
