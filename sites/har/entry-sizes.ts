/** Finds the sizes of a recorded response. Producers give the same fields different meanings (docs/pages.md, "HARs of different programs"). */

/** Sizes as recorded, including 0 and -1 for "unknown"; null if they are missing or not numbers. */
export interface RecordedSizes {
  status: number;
  /** Whether a cache or a service worker responded, or the server confirmed that the cached copy is still valid. */
  isCached: boolean;
  /** Whether the response has a Content-Encoding; null if none was recorded, and the response is a 304 (without a body) or lacks all headers. */
  isCoded: boolean | null;
  /** `response._transferSize`: headers and body on the network. */
  transferSize: number | null;
  /** WebPageTest adds three sizes to an entry: of all bytes (`bytesIn`), of the body on the network, and of the decoded body. */
  bytesIn: number | null;
  objectSize: number | null;
  objectSizeUncompressed: number | null;
  headersSize: number | null;
  /** The size of the headers as HTTP/1.1 sends them; null if they were not recorded, or if HTTP/2 or HTTP/3 compressed them. */
  listedHeaderBytes: number | null;
  bodySize: number | null;
  contentSize: number | null;
  compression: number | null;
  contentLength: number | null;
}

export interface EntrySizes {
  /** The size of the decoded body; null if the recording does not have it. */
  bodyBytes: number | null;
  /** The size of the body on the network; null if the recording does not have it. */
  wireBytes: number | null;
  /** The size of headers and body on the network, as far as it was recorded; 0 if neither came from the network. */
  transferredBytes: number;
  isCoded: boolean | null;
}

/** The usual size of a response's compressed headers with HTTP/2 and HTTP/3. */
const usualHeaderBytes = 200;
/** `isAbout` allows a difference up to the larger of these two limits, because headers, chunked encoding and frames add bytes. */
const slackBytes = 1000;
const slackShare = 0.05;

export const isAbout = (bytes: number, other: number): boolean =>
  Math.abs(bytes - other) <= Math.max(slackBytes, slackShare * other);

const positive = (bytes: number | null): number | null => (bytes !== null && bytes > 0 ? Math.round(bytes) : null);

export function sizesOf(recorded: RecordedSizes): EntrySizes {
  const { isCoded, isCached, transferSize, headersSize } = recorded;
  const isEmpty = isEmptyBody(recorded);
  const wireBytes = isEmpty ? 0 : isCached ? null : wireBytesOf(recorded);
  const bodyBytes = isEmpty ? 0 : bodyBytesOf(recorded, wireBytes);
  const body = isCached ? 0 : (wireBytes ?? bodyBytes ?? 0);
  const transferredBytes = transferSize === 0 ? 0 : (allBytesOf(recorded) ?? body + (positive(headersSize) ?? 0));
  return { bodyBytes, wireBytes, transferredBytes, isCoded };
}

/** The size of headers and body on the network; null if unknown, or if it has only the headers, as Chromium's first report does. */
function allBytesOf(recorded: RecordedSizes): number | null {
  const all = positive(recorded.transferSize) ?? positive(recorded.bytesIn);
  const areHeaders = all !== null && all <= headerBytesOf(recorded) && (recorded.bodySize ?? 0) > all;
  return areHeaders ? null : all;
}

/** Returns the body's size on the network: all bytes minus the headers, or else the producer's size of the body, or else Content-Length. */
function wireBytesOf(recorded: RecordedSizes): number | null {
  const { bodySize, objectSize, contentLength } = recorded;
  const all = allBytesOf(recorded);
  const body = positive(bodySize) ?? positive(objectSize) ?? withoutCompression(recorded) ?? null;
  if (all === null) return body ?? positive(contentLength);
  const rest = positive(all - headerBytesOf(recorded));
  // The producer's body size is more exact than `rest`, but some producers write the size of all bytes into the field for the body.
  return body !== null && body < all && isAbout(body, rest ?? 0) ? body : rest;
}

const headerBytesOf = ({ headersSize, listedHeaderBytes }: RecordedSizes): number =>
  positive(headersSize) ?? positive(listedHeaderBytes) ?? usualHeaderBytes;

/** Subtracts the bytes saved by compression (HAR 1.2, "content"). If Safari does not know them, `compression` is the whole size. */
const withoutCompression = ({ contentSize, compression }: RecordedSizes): number | null =>
  contentSize !== null && compression !== null && compression > 0 ? positive(contentSize - compression) : null;

function bodyBytesOf(recorded: RecordedSizes, wireBytes: number | null): number | null {
  const { isCoded, bodySize, compression } = recorded;
  const uncompressed = positive(recorded.objectSizeUncompressed);
  const size = positive(recorded.contentSize);
  const onWire = positive(bodySize);
  // mitmproxy writes the size on the network into `content.size`, and the bytes saved by compression into `content.compression`.
  const saved = compression !== null && compression > 0 && onWire !== null ? onWire + compression : null;
  if (uncompressed !== null) return uncompressed;
  if (size === null || size === onWire) return saved ?? (isCoded && size === wireBytes ? null : size);
  return size;
}

/** Whether the body is empty. A size of 0 may mean "unknown", so a second field must agree. */
function isEmptyBody(recorded: RecordedSizes): boolean {
  const { status, isCached, contentSize, bodySize, objectSize, contentLength } = recorded;
  if (status === 204 || status === 205) return true;
  const all = allBytesOf(recorded);
  if (isCached || positive(contentSize) || positive(bodySize) || positive(objectSize)) return false;
  if (all !== null) return contentSize === 0 && all - headerBytesOf(recorded) <= slackBytes;
  const zeros = [contentSize, bodySize, objectSize, contentLength].filter((bytes) => bytes === 0);
  return zeros.length >= 2 && !positive(contentLength);
}
