/** URLs of recordings in one form, so that a reference meets the file that it names, and without users and passwords. */

/** The address without user, password and fragment; null for a text that is not a URL. Unnecessary escapes are undone, and others are in capitals. */
export function normalUrl(text: string, base?: string): URL | null {
  if (!URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  [url.username, url.password, url.hash] = ["", "", ""];
  url.pathname = normalEscapes(url.pathname);
  url.search = normalEscapes(url.search);
  return url;
}

/** RFC 3986, sections 2.3 and 6.2.2. */
const normalEscapes = (text: string): string =>
  text.replace(/%[0-9a-f]{2}/gi, (found) => {
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : found.toUpperCase();
  });

export const isHttp = ({ protocol }: URL): boolean => protocol === "http:" || protocol === "https:";

/** A text without the users and passwords of the URLs in it. */
export const withoutCredentials = (text: string): string =>
  text.replace(/([a-z][a-z\d+.-]*:\/\/)[^\s/?#"'<>]*@/gi, "$1");

/** A foreign text for a message: without credentials, short, and with escapes for what is not printable. */
export const quoted = (text: string): string => {
  const plain = withoutCredentials(text);
  return JSON.stringify(plain.length > mostQuoted ? `${plain.slice(0, mostQuoted)}...` : plain).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
};
const mostQuoted = 100;

/** Whether the domain name system could have a host of this name (RFC 1035, section 2.3.4), or it is an address. */
export const isHostName = (hostname: string): boolean =>
  hostname.startsWith("[") ||
  (hostname.length <= 254 &&
    hostname
      .replace(/\.$/, "")
      .split(".")
      .every((label) => label !== "" && label.length <= 63));
