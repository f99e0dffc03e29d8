/** Normalises recorded URLs to find the file of each reference, and removes users and passwords. */
import { parsedUrl } from "../../schema/parsed-url.ts";

/** The URL without user, password and fragment; null for an invalid URL. Unnecessary percent-escapes are decoded, others are in upper case. */
export function normalUrl(text: string, base?: string): URL | null {
  const url = parsedUrl(text, base);
  if (!url) return null;
  [url.username, url.password, url.hash] = ["", "", ""];
  url.pathname = normalEscapes(url.pathname);
  url.search = normalEscapes(url.search);
  return url;
}

/** Normalises percent-escapes (RFC 3986, sections 2.3 and 6.2.2). */
const normalEscapes = (text: string): string =>
  text.replace(/%[0-9a-f]{2}/gi, (found) => {
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : found.toUpperCase();
  });

export const isHttp = ({ protocol }: URL): boolean => protocol === "http:" || protocol === "https:";

/** Removes users and passwords from the URLs in a text. A URL ends at white space, < or >; its user and password end before its path. */
export const withoutCredentials = (text: string): string => text.replace(/:\/\/[^\s/?#<>]*@/g, "://");

/** Removes user and password from a URL, which may be relative. In an invalid URL, everything before the last @ may be the password. */
export function urlWithoutCredentials(text: string): string {
  const url = parsedUrl(text) ?? parsedUrl(text, "https://page.invalid");
  if (!url) return text.replace(/^([a-z][a-z\d+.-]*:[/\\]*)?.*@/is, "$1");
  if (!url.username && !url.password) return text;
  // Browsers ignore white space around a URL, and line breaks and tabs in it.
  const plain = text.replace(/^[\0- ]+|[\t\r\n]/g, "");
  return plain.replace(/^([a-z][a-z\d+.-]*:[/\\]*|[/\\]{2,})[^/\\?#]*@/i, "$1");
}

/** Formats a recorded URL for a message: shortened, without credentials, and with unprintable characters escaped. */
export const quoted = (text: string): string => {
  const plain = urlWithoutCredentials(text);
  return JSON.stringify(plain.length > mostQuoted ? `${plain.slice(0, mostQuoted)}...` : plain).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
};
const mostQuoted = 100;

/** Whether this is an IP address or a valid host name in DNS (RFC 1035, section 2.3.4). */
export const isHostName = (hostname: string): boolean =>
  hostname.startsWith("[") ||
  (hostname.length <= 254 &&
    hostname
      .replace(/\.$/, "")
      .split(".")
      .every((label) => label !== "" && label.length <= 63));
