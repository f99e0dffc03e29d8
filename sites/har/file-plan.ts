/** Plans for each file how large it is, whether servers compress it, and how many bytes it should take on the network. */
import { lookup } from "mrmime";
import { isCompressible } from "../../schema/compression.ts";
import { usageError } from "../../schema/errors.ts";
import { leastCopiedBytes } from "../imported/compressed-copies.ts";
import { isAbout } from "./entry-sizes.ts";
import type { Recorded } from "./read-har.ts";
import { quoted } from "./recorded-url.ts";

export interface FilePlan {
  bytes: number;
  /** The body's size on the network, if the recording has it. */
  wireBytes: number | null;
  /** Whether the file is a text that the lab sends uncompressed, because the recorded server did not compress it. */
  isUncompressed: boolean;
  /** Whether the recording has no size for the file. `bytes` is then assumed from other files of the same type. */
  isAssumed: boolean;
}

/** The usual ratio of a web page's compressed texts to their full size, for recordings without a compressed size. */
export const usualShare = 1 / 3;
/** The size of a file without a recorded size, if no other file of its type has a recorded size. */
const usualBytes = 10_000;
/** The same limit as for a page's folder (`mostPageBytes`). */
const mostBytes = 200e6;
const mostFiles = 10_000;

/** @throws LabError (usage) that names the largest file, if the page is too large */
export function planFiles(
  file: string,
  there: readonly Recorded[],
  pathOf: (one: Recorded) => string,
): Map<Recorded, FilePlan> {
  if (there.length > mostFiles)
    throw usageError(
      `${file} has ${there.length} files, but a page may have at most ${mostFiles}: record only one page load`,
    );
  const known = new Map(there.map((one) => [one, planOf(one, pathOf(one))]));
  const sizes = new Map<string, number[]>();
  for (const [{ type }, plan] of known) if (plan?.bytes) sizes.set(type, [...(sizes.get(type) ?? []), plan.bytes]);
  const plans = new Map([...known].map(([one, plan]) => [one, plan ?? assumed(sizes.get(one.type))]));
  const total = [...plans.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= mostBytes) return plans;
  const [largest, { bytes }] = [...plans].reduce((a, b) => (b[1].bytes > a[1].bytes ? b : a));
  throw usageError(
    `${file}: its files have ${megabytes(total)} together, but a page may have ${megabytes(mostBytes)}; the largest is entry ${largest.number}, ${quoted(largest.url)}, with ${megabytes(bytes)}`,
  );
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

function assumed(sizes: readonly number[] = []): FilePlan {
  const bytes = sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? usualBytes;
  return { bytes, wireBytes: null, isUncompressed: false, isAssumed: true };
}

function planOf(one: Recorded, path: string): FilePlan | null {
  const isText = isCompressible(lookup(path) ?? "");
  const size = sizeOf(one, isText);
  if (size === null) return null;
  const { isCoded, body } = one;
  // If a compressed text's recorded size on the network is not below its decoded size, the recorder did not know the size on the network.
  const wireBytes = isCoded && isText && body && (one.wireBytes ?? 0) >= size ? null : one.wireBytes;
  const isSent = !isText || size < leastCopiedBytes;
  if (isSent)
    return { bytes: body ? size : sentSize(size, wireBytes), wireBytes, isUncompressed: false, isAssumed: false };
  const isUncompressed = !isCoded && (wireBytes === null ? isCoded === false : wireBytes >= sameShare * size);
  return { bytes: size, wireBytes, isUncompressed, isAssumed: false };
}
const sameShare = 0.95;

/** Returns the size of the complete decoded body. The recorded body may be shorter, because recorders truncate large bodies. */
function sizeOf({ body, bodyBytes, wireBytes, isCoded }: Recorded, isText: boolean): number | null {
  const recorded = body ? Math.max(body.length, bodyBytes ?? 0) : bodyBytes;
  const fromWire = wireBytes && (isCoded && isText ? Math.round(wireBytes / usualShare) : wireBytes);
  if (recorded === null || wireBytes === null) return recorded ?? fromWire;
  return wireBytes > recorded && !isAbout(wireBytes, recorded) ? fromWire : recorded;
}

/** Returns the size of a file that is sent uncompressed: `size`, or the size on the network if the two clearly differ. */
const sentSize = (size: number, wireBytes: number | null): number =>
  wireBytes === null || isAbout(wireBytes, size) ? size : wireBytes;
