/** Some bodies were recorded as decoded texts. They are encoded again in the encoding that text and header declare, because browsers use it. */

export const isHtmlType = (type: string): boolean => type === "text/html" || type === "application/xhtml+xml";

interface Declared {
  type: string;
  /** The charset in the header that the recorded server sent. */
  charset: string | null;
}

/** Encodes a text that is sent with its recorded header. The encoding is the one that browsers will then use. */
export function textWithHeader(text: string, declared: Declared): Buffer {
  const mark = text.startsWith(byteOrderMark) ? markedEncoding(declared) : null;
  return markupIn(text, sentEncoding(mark, text, declared), declared.type) ?? markedUtf8(text);
}

/** Encodes a text for a folder, which is served without a charset. Browsers would guess an undeclared encoding, so a byte order mark is added. */
export function textAlone(text: string, declared: Declared): Buffer {
  const { type } = declared;
  const marked = markedEncoding(declared);
  if (marked !== "utf-8" && isText(type)) return unicodeIn(text, marked);
  const own = text.startsWith(byteOrderMark) ? null : inText(text, type);
  if (own === null) return isGuessed(type) ? markedUtf8(text) : Buffer.from(text);
  return markupIn(text, own, type) ?? markedUtf8(text);
}

/** Returns a recorded body for a folder, which has no headers: a text whose encoding only its header declares becomes UTF-8. */
export function bytesAlone(body: Buffer, declared: Declared): Buffer {
  const { type, charset } = declared;
  const start = startOf(body);
  const mark = markIn(body);
  const sent = sentEncoding(mark, start, declared);
  const isDeclared = mark !== null || inText(start, type) === sent;
  if (isDeclared || knownEncoding(charset) === null || !isText(type)) return body;
  if (sent !== "utf-8") return markedUtf8(decodedIn(sent, body));
  return isAscii(body) ? body : Buffer.concat([Buffer.from(byteOrderMark), body]);
}

/** Converts a body to text for rewriting, and back. ASCII is preserved, and parts that are not rewritten keep their bytes. */
export interface TextForm {
  text: string;
  /** Decodes a part of `text` as the browser does. */
  read(part: string): string;
  /** Decodes a reference in `text`, and encodes its query as the browser requests it. */
  url(part: string): string;
  /** Converts the text back to bytes. @param rewritten the text, whose rewritten parts are ASCII, unless the encoding is UTF-8 or UTF-16 */
  toBytes(rewritten: string): Buffer;
}

/** Queries of URLs are encoded in the header's charset if there is one, because the recorded browser encoded them so. */
export function textForm(body: Buffer, { type, charset }: Declared): TextForm {
  const encoding = markIn(body) ?? inText(startOf(body), type) ?? "utf-8";
  const ofQueries = knownEncoding(charset) ?? encoding;
  const asIs = (part: string) => part;
  if (isUtf16(encoding))
    return {
      text: new TextDecoder(encoding, { ignoreBOM: true }).decode(body),
      ...{ read: asIs, url: asIs },
      toBytes: (rewritten) => unicodeIn(rewritten, encoding),
    };
  const isUtf8 = encoding === "utf-8" && isValid(body);
  // One character per byte is enough: encodings other than UTF-16 use ASCII for the syntax of HTML and CSS.
  const form = isUtf8 ? "utf8" : "latin1";
  const read = isUtf8 ? asIs : (part: string) => decodedIn(encoding, Buffer.from(part, "latin1"));
  return {
    text: body.toString(form),
    read,
    url: (part) => withQueryIn(ofQueries, read(part)),
    toBytes: (rewritten) => Buffer.from(rewritten, form),
  };
}

/** Encodes the query of a URL in the document's encoding, as browsers do. They encode other parts in UTF-8 (URL Standard, "query state"). */
function withQueryIn(encoding: string, url: string): string {
  if (encoding === "utf-8" || isUtf16(encoding)) return url;
  return url.replace(/(?<=^[^?#]*\?)[^#]+/, (query) =>
    query.replace(/\P{ASCII}+/gu, (part) =>
      (bytesIn(part, encoding, (code) => `%26%23${code}%3B`) ?? Buffer.from(part))
        .toString("latin1")
        .replace(/\P{ASCII}/gu, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`),
    ),
  );
}

/** As browsers do: byte order mark, then header, then text (HTML, section 13.2.3; CSS Syntax, section 3.2; RFC 7303). JSON and WebVTT are UTF-8. */
const sentEncoding = (mark: string | null, start: string, { type, charset }: Declared): string =>
  /[/+]json$|^text\/vtt$/.test(type) ? "utf-8" : (mark ?? knownEncoding(charset) ?? inText(start, type) ?? "utf-8");

/** Whether browsers guess the encoding of a file that does not declare it, or use the page's encoding. XML without a declaration is UTF-8. */
const isGuessed = (type: string): boolean =>
  isHtmlType(type) || type === "text/css" || /\/(x-)?(java|ecma)script$/.test(type);
export const isXmlType = (type: string): boolean => /[/+]xml$/.test(type);
const isText = (type: string): boolean => isGuessed(type) || isXmlType(type);

const byteOrderMark = "\ufeff";

export const unmarkedBytes = (body: Buffer): number =>
  body.length - (markIn(body) === "utf-8" ? Buffer.byteLength(byteOrderMark) : 0);

/** Returns the encoding that a byte order mark in a decoded text stands for: UTF-16 if the header declares it, otherwise UTF-8. */
function markedEncoding({ charset }: Declared): string {
  const inHeader = knownEncoding(charset);
  return inHeader && isUtf16(inHeader) ? inHeader : "utf-8";
}

function markIn(body: Buffer): string | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8";
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  return body[0] === 0xfe && body[1] === 0xff ? "utf-16be" : null;
}

/** Browsers search this many bytes at the start of a document for its encoding. */
const mostDeclaring = 1024;
const startOf = (body: Buffer): string => body.subarray(0, mostDeclaring).toString("latin1");

const xml = /^<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)/i;

/** The encoding in a meta element, @charset or XML declaration. UTF-16 becomes UTF-8, because a declaration in UTF-16 would not be found. */
function inText(text: string, type: string): string | null {
  const start = text.slice(0, mostDeclaring);
  const patterns = [
    ...(isHtmlType(type) || isXmlType(type) ? [xml] : []),
    ...(isHtmlType(type) ? [/<meta\b[^>]*\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i] : []),
    ...(type === "text/css" ? [/^@charset "([^"]+)";/] : []),
  ];
  const [label = null] = patterns.flatMap((pattern) => pattern.exec(start)?.[1] ?? []);
  const encoding = knownEncoding(label);
  return encoding && isUtf16(encoding) ? "utf-8" : encoding;
}

const isUtf16 = (encoding: string): boolean => encoding.startsWith("utf-16");

/** Returns the name that browsers use for an encoding; null for an unknown encoding. */
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

const isAscii = (text: string | Buffer): boolean =>
  typeof text === "string" ? /^\p{ASCII}*$/u.test(text) : text.every((byte) => byte < 0x80);

const markedUtf8 = (text: string): Buffer =>
  Buffer.from(isAscii(text) || text.startsWith(byteOrderMark) ? text : byteOrderMark + text);

/** Encodes in UTF-8, or in UTF-16 with a byte order mark, because a folder is served without a charset. */
function unicodeIn(text: string, encoding: string): Buffer {
  if (encoding === "utf-8") return Buffer.from(text);
  const littleEndian = Buffer.from(text.startsWith(byteOrderMark) ? text : byteOrderMark + text, "utf16le");
  return encoding === "utf-16le" ? littleEndian : littleEndian.swap16();
}

/** Encodes a text. In HTML and XML, characters that the encoding lacks become references. @returns null for other texts with such characters */
const markupIn = (text: string, encoding: string, type: string): Buffer | null =>
  bytesIn(text, encoding, isHtmlType(type) || isXmlType(type) ? (code) => `&#${code};` : null);

/** @param lacking replaces a character that the encoding lacks @returns null if a character can be neither encoded nor replaced */
function bytesIn(text: string, encoding: string, lacking: ((codePoint: number) => string) | null): Buffer | null {
  if (encoding === "utf-8" || isUtf16(encoding)) return unicodeIn(text, encoding);
  const table = tableOf(encoding);
  const parts: Buffer[] = [];
  for (const [part] of text.matchAll(/\p{ASCII}+|\P{ASCII}/gu)) {
    const bytes = isAscii(part) ? Buffer.from(part) : table.get(part);
    // Encodings that switch between alphabets, such as ISO-2022-JP, have no table.
    if (!bytes && (lacking === null || table.size <= asciiSize)) return null;
    parts.push(bytes ?? Buffer.from(lacking!(part.codePointAt(0)!)));
  }
  return Buffer.concat(parts);
}
const asciiSize = 128;

const tables = new Map<string, Map<string, Buffer>>();

/** Maps each character to its bytes. Finds the bytes by decoding every byte and every pair of bytes. */
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
