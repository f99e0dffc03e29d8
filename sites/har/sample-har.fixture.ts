/** Makes, for tests, a page as servers sent it, and the HAR that each producer (a program that records HARs) would write for this page. */
import { gzipSync } from "node:zlib";

/** A response as its server sent it. */
export interface Sent {
  url: string;
  type: string;
  /** The size of the decoded body. `text` is this body, if the test needs it. */
  bytes: number;
  text?: string;
  /** The size of the body on the network. */
  wireBytes: number;
  isCoded: boolean;
}

export interface Producer {
  name: string;
  /** The fields that this producer writes into the entry, its response and the response's content. */
  write(sent: Sent): { entry?: object; response: object; content: object; timings?: object };
  hasBodies?: false;
  pages?: (url: string) => object[];
  hasPages?: false;
  startedDateTime?: (ms: number) => string;
}

const headerBytes = 230;
const headersOf = ({ type, isCoded, wireBytes }: Sent) => [
  { name: "Content-Type", value: type },
  { name: "content-length", value: `${wireBytes}` },
  ...(isCoded ? [{ name: "Content-Encoding", value: "gzip" }] : []),
];

/** Makes a page of a document, two style sheets, a compressed and an uncompressed script, two images, a font and JSON. */
export function samplePage(host: string, factor: number): Sent[] {
  const file = (path: string, type: string, bytes: number, wireShare: number): Sent => ({
    url: `https://${host}${path}`,
    type,
    bytes: Math.round(bytes * factor),
    wireBytes: Math.round(bytes * factor * wireShare),
    isCoded: wireShare < 1,
  });
  const css = Array.from({ length: 2000 * factor }, (_, i) => `.c${i} { width: ${(i * 7919) % 1000}px }\n`).join("");
  return [
    file("/", "text/html", 60_000, 0.2),
    {
      ...{ url: `https://${host}/text.css`, type: "text/css", bytes: css.length, text: css },
      ...{ wireBytes: gzipSync(css).length, isCoded: true },
    },
    file("/site.css", "text/css", 90_000, 0.15),
    file("/app.js", "text/javascript", 240_000, 0.31),
    file("/plain.js", "text/javascript", 30_000, 1),
    file("/hero.jpg", "image/jpeg", 110_000, 1),
    file("/logo.png", "image/png", 9_000, 1),
    file("/text.woff2", "font/woff2", 40_000, 1),
    file("/data.json", "application/json", 12_000, 0.4),
  ];
}

/** Each producer's format follows its source code or documentation. */
export const producers: Producer[] = [
  {
    name: "Chromium DevTools, HTTP/2",
    write: (sent) => ({
      entry: { _resourceType: "other", _priority: "High" },
      response: { headers: headersOf(sent), headersSize: -1, bodySize: -1, _transferSize: sent.wireBytes + 190 },
      content: { size: sent.bytes, mimeType: sent.type },
    }),
  },
  {
    name: "Chromium DevTools, HTTP/1.1",
    write: (sent) => ({
      response: {
        headers: headersOf(sent),
        headersSize: headerBytes,
        bodySize: sent.wireBytes,
        _transferSize: sent.wireBytes + headerBytes,
      },
      content: { size: sent.bytes, compression: sent.bytes - sent.wireBytes, mimeType: sent.type },
    }),
  },
  {
    name: "Firefox, whose bodySize includes the headers",
    startedDateTime: (ms) => new Date(ms + 3_600_000).toISOString().replace("Z", "+01:00"),
    write: (sent) => ({
      response: { headers: headersOf(sent), headersSize: headerBytes, bodySize: sent.wireBytes + headerBytes },
      content: { size: sent.bytes, mimeType: sent.type },
    }),
  },
  {
    name: "Firefox without response bodies",
    hasBodies: false,
    write: (sent) => ({
      response: { headers: headersOf(sent), headersSize: headerBytes, bodySize: sent.wireBytes + headerBytes },
      content: { size: -1, mimeType: sent.type, comment: "Response bodies are not included." },
    }),
  },
  {
    name: "WebKit Web Inspector",
    write: (sent) => ({
      entry: { _fetchType: "Network Load" },
      response: {
        headers: headersOf(sent),
        headersSize: headerBytes,
        bodySize: sent.wireBytes,
        _transferSize: sent.wireBytes + headerBytes,
      },
      content: { size: sent.bytes, compression: sent.bytes - sent.wireBytes, mimeType: sent.type },
    }),
  },
  {
    name: "WebKit Web Inspector, which writes -1 for unknown sizes",
    write: (sent) => ({
      response: {
        headers: headersOf(sent),
        headersSize: -1,
        bodySize: -1,
        _transferSize: sent.wireBytes + headerBytes,
      },
      content: { size: sent.bytes, compression: sent.bytes, mimeType: sent.type },
    }),
  },
  {
    name: "WebPageTest, whose content.size is the size on the network",
    startedDateTime: (ms) => new Date(ms).toISOString().replace(".000Z", "+00:00"),
    pages: (url) => [{ id: "page_1_0_1", title: `Run 1, First View for ${url}` }],
    write: (sent) => ({
      entry: { _bytesIn: sent.wireBytes + 180, _objectSize: `${sent.wireBytes}`, _objectSizeUncompressed: sent.bytes },
      response: { headers: headersOf(sent), headersSize: 700, bodySize: sent.wireBytes },
      content: { size: sent.wireBytes, mimeType: sent.type },
    }),
  },
  {
    name: "WebPageTest without sizes of objects",
    write: (sent) => ({
      entry: { _bytesIn: `${sent.wireBytes + headerBytes}`, _objectSize: "", _objectSizeUncompressed: "" },
      response: { headers: headersOf(sent), headersSize: headerBytes, bodySize: 0 },
      content: { size: 0, mimeType: sent.type },
    }),
  },
  {
    name: "chrome-har, whose bodySize counts all bytes",
    write: (sent) => ({
      response: {
        headers: headersOf(sent),
        httpVersion: "h2",
        headersSize: -1,
        bodySize: sent.wireBytes + 150,
        _transferSize: sent.wireBytes + 150,
      },
      content: { size: sent.bytes, compression: sent.bytes - sent.wireBytes, mimeType: sent.type },
    }),
  },
  {
    name: "Playwright",
    write: (sent) => ({
      response: {
        headers: headersOf(sent),
        headersSize: headerBytes,
        bodySize: sent.wireBytes,
        redirectURL: "",
        _transferSize: sent.wireBytes + headerBytes,
      },
      content: { size: sent.bytes, compression: Math.max(0, sent.bytes - sent.wireBytes), mimeType: sent.type },
    }),
  },
  {
    name: "mitmproxy, whose content.size is the size on the network",
    hasPages: false,
    startedDateTime: (ms) => new Date(ms).toISOString().replace("Z", "123+00:00"),
    write: (sent) => ({
      response: { headers: headersOf(sent), headersSize: headerBytes, bodySize: sent.wireBytes, redirectURL: "" },
      content: { size: sent.wireBytes, compression: sent.bytes - sent.wireBytes, mimeType: sent.type },
    }),
  },
  {
    name: "Charles",
    hasPages: false,
    startedDateTime: (ms) => new Date(ms).toISOString().replace("Z", "+0000"),
    write: (sent) => ({
      response: { headers: headersOf(sent), headersSize: headerBytes, bodySize: sent.wireBytes, redirectURL: null },
      content: { size: sent.bytes, compression: sent.bytes - sent.wireBytes, mimeType: `${sent.type};charset=utf-8` },
    }),
  },
  {
    name: "Fiddler",
    hasPages: false,
    startedDateTime: (ms) => new Date(ms + 7_200_000).toISOString().replace("Z", "4567+02:00"),
    write: (sent) => ({
      response: { headers: headersOf(sent), headersSize: headerBytes, bodySize: sent.wireBytes },
      content: { size: sent.bytes, compression: sent.bytes - sent.wireBytes, mimeType: sent.type },
    }),
  },
  {
    name: "HTTPWatch, which writes numbers as strings",
    write: (sent) => ({
      response: { headersSize: `${headerBytes}`, bodySize: `${sent.wireBytes}`, status: "200" },
      content: { size: `${sent.bytes}`, mimeType: sent.type },
    }),
  },
  {
    name: "a proxy that records only headers",
    hasBodies: false,
    hasPages: false,
    write: (sent) => ({
      response: { headers: headersOf(sent), headersSize: -1, bodySize: -1 },
      content: { size: -1, mimeType: "" },
    }),
  },
];

/** Makes a HAR whose entries are in the order of their requests, 1 s apart. */
export function harOf(
  { name, write, hasBodies, hasPages, pages, startedDateTime }: Producer,
  sent: readonly Sent[],
): object {
  const startMs = Date.parse("2026-01-01T10:00:00Z");
  const page = pages?.(sent[0]!.url) ?? [{ id: "page_1", title: sent[0]!.url, startedDateTime: "", pageTimings: {} }];
  const { id } = page[0] as { id: string };
  const entries = sent.map((one, i) => {
    const { entry, response, content, timings } = write(one);
    const ms = startMs + 1000 * i;
    return {
      ...(hasPages === false ? {} : { pageref: id }),
      startedDateTime: startedDateTime?.(ms) ?? new Date(ms).toISOString(),
      time: 90,
      request: { method: "GET", url: one.url, headers: [] },
      response: {
        ...{ status: 200, redirectURL: "", ...response },
        content: hasBodies === false ? content : { ...content, text: one.text },
      },
      timings: timings ?? { connect: 60, ssl: 30, wait: 40 },
      ...entry,
    };
  });
  return {
    log: {
      version: "1.2",
      creator: { name, version: "1" },
      ...(hasPages === false ? { pages: [] } : { pages: page }),
      entries,
    },
  };
}
