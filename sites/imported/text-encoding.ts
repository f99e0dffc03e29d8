/**
 * Encodes and decodes texts. Recorders keep some bodies as bytes and others as decoded texts. Browsers decode a text by what it and its
 * header declare, so a file must have the encoding that these declare.
 */

export const isHtmlType = (type: string): boolean => type === "text/html" || type === "application/xhtml+xml";

interface Declared {
  type: string;
  charset: string | null;
}

/** The bytes of a decoded text, in the encoding that it declares. */
export function encodedText(text: string, declared: Declared): Buffer {
  const inHeader = knownEncoding(declared.charset);
  const marked = inHeader?.startsWith("utf-16") ? inHeader : "utf-8";
  const encoding = encodingBy(text.startsWith("\ufeff") ? marked : null, text, declared);
  const isMarkup = isHtmlType(declared.type) || isXmlType(declared.type);
  return bytesIn(text, encoding, isMarkup ? (code) => `&#${code};` : () => "?");
}

/** Converts a body to text for rewriting, and back. ASCII is preserved, and parts that are not rewritten keep their bytes. */
export interface TextForm {
  text: string;
  /** A part of that text as the browser reads it. */
  read(part: string): string;
  /** A reference in that text as the browser reads it, with its query as it is requested. */
  url(part: string): string;
  /** @param rewritten has only ASCII where it was rewritten */
  toBytes(rewritten: string): Buffer;
}

export function textForm(body: Buffer, declared: Declared): TextForm {
  const encoding = encodingBy(markIn(body), body.subarray(0, mostDeclaring).toString("latin1"), declared);
  const asIs = (part: string) => part;
  if (encoding === "utf-16le" || encoding === "utf-16be")
    return {
      text: new TextDecoder(encoding, { ignoreBOM: true }).decode(body),
      ...{ read: asIs, url: asIs },
      toBytes: (rewritten) => bytesIn(rewritten, encoding),
    };
  const isUtf8 = encoding === "utf-8" && isValid(body);
  if (isUtf8)
    return { text: body.toString("utf8"), read: asIs, url: asIs, toBytes: (rewritten) => Buffer.from(rewritten) };
  // One character per byte is enough: encodings other than UTF-16 use ASCII for the syntax of HTML and CSS.
  const read = (part: string) => decodedIn(encoding, Buffer.from(part, "latin1"));
  return {
    text: body.toString("latin1"),
    read,
    url: (part) => withQueryIn(encoding, read(part)),
    toBytes: (rewritten) => Buffer.from(rewritten, "latin1"),
  };
}

/** Browsers encode the query of a URL in the document's encoding, and all other parts in UTF-8 (URL Standard, "query state"). */
const withQueryIn = (encoding: string, url: string): string =>
  url.replace(/(?<=^[^?#]*\?)[^#]+/, (query) =>
    query.replace(/\P{ASCII}+/gu, (part) =>
      bytesIn(part, encoding, (code) => `%26%23${code}%3B`)
        .toString("latin1")
        .replace(/\P{ASCII}/gu, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`),
    ),
  );

/**
 * The encoding that browsers use: that of a byte order mark, else of the header, else of the text itself (HTML, section 13.2.3; CSS Syntax,
 * section 3.2; RFC 7303 for XML). JSON and WebVTT are always UTF-8.
 */
const encodingBy = (mark: string | null, start: string, { type, charset }: Declared): string =>
  /[/+]json$|^text\/vtt$/.test(type) ? "utf-8" : (mark ?? knownEncoding(charset) ?? inText(start, type) ?? "utf-8");

function markIn(body: Buffer): string | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8";
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  return body[0] === 0xfe && body[1] === 0xff ? "utf-16be" : null;
}

/** Browsers search this many bytes at the start of a document for its encoding. */
const mostDeclaring = 1024;

const xml = /^<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)/i;
const isXmlType = (type: string): boolean => /[/+]xml$/.test(type);

/** The encoding in a meta element, @charset or XML declaration. If it can be read, the document is not in UTF-16, even if it says so. */
function inText(text: string, type: string): string | null {
  const start = text.slice(0, mostDeclaring);
  const patterns = [
    ...(isHtmlType(type) || isXmlType(type) ? [xml] : []),
    ...(isHtmlType(type) ? [/<meta\b[^>]*\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i] : []),
    ...(type === "text/css" ? [/^@charset "([^"]+)";/] : []),
  ];
  const [label = null] = patterns.flatMap((pattern) => pattern.exec(start)?.[1] ?? []);
  const encoding = knownEncoding(label);
  return encoding?.startsWith("utf-16") ? "utf-8" : encoding;
}

/** The name that browsers use for an encoding; null for an unknown encoding. */
function knownEncoding(label: string | null): string | null {
  try {
    return label === null ? null : new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

const isValid = (body: Buffer): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
};

/** The characters of bytes 80 to 9F in windows-1252, which some versions of Node.js decode as control characters. */
const windows1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

const decodedIn = (encoding: string, bytes: Buffer): string =>
  encoding === "windows-1252"
    ? bytes.toString("latin1").replace(/[\u0080-\u009f]/g, (byte) => windows1252[byte.charCodeAt(0) - 0x80]!)
    : new TextDecoder(encoding).decode(bytes);

/** @param lacking what takes the place of a character that the encoding lacks */
function bytesIn(text: string, encoding: string, lacking: (codePoint: number) => string = () => "?"): Buffer {
  if (encoding === "utf-8") return Buffer.from(text);
  if (encoding.startsWith("utf-16")) {
    // The lab's servers send no encoding, so the byte order mark has to declare it.
    const littleEndian = Buffer.from(text.startsWith("\ufeff") ? text : `\ufeff${text}`, "utf16le");
    return encoding === "utf-16le" ? littleEndian : littleEndian.swap16();
  }
  const table = tableOf(encoding);
  const parts = (text.match(/\p{ASCII}+|\P{ASCII}/gu) ?? []).map((part) =>
    /^\p{ASCII}/u.test(part) ? Buffer.from(part) : (table.get(part) ?? Buffer.from(lacking(part.codePointAt(0)!))),
  );
  return Buffer.concat(parts);
}

const tables = new Map<string, Map<string, Buffer>>();

/** Character -> its bytes, found by decoding every byte and every pair of bytes. */
function tableOf(encoding: string): Map<string, Buffer> {
  const known = tables.get(encoding);
  if (known) return known;
  const table = new Map<string, Buffer>();
  const add = (...bytes: number[]) => {
    const from = Buffer.from(bytes);
    const character = decodedIn(encoding, from);
    if ([...character].length === 1 && character !== "\ufffd" && !table.has(character)) table.set(character, from);
  };
  for (let first = 0; first < 256; first++) add(first);
  if (table.size < 200)
    for (let first = 0x81; first < 255; first++) for (let second = 0x40; second < 255; second++) add(first, second);
  tables.set(encoding, table);
  return table;
}
