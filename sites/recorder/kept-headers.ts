/** Selects the response headers that a recording keeps: those that affect a load, or what a script sees. docs/pages.md lists them. */
import { tokenPattern } from "../../schema/http-token.ts";
import { urlWithoutCredentials, withoutCredentials } from "../har/recorded-url.ts";
import { isPrivateHeader, withoutPrivateValues } from "./private-values.ts";

/** The kept headers, by what they affect. A name that ends with "*" stands for all names that begin with the part before it. */
export const keptHeaders = {
  "how a body is read": [
    "content-type",
    "content-encoding",
    "content-disposition",
    "content-range",
    "accept-ranges",
    "x-content-type-options",
  ],
  "what caches keep": [
    "cache-control",
    "expires",
    "date",
    "age",
    "etag",
    "last-modified",
    "vary",
    "pragma",
    "no-vary-search",
    "clear-site-data",
  ],
  "what is requested next": [
    "location",
    "refresh",
    "link",
    "priority",
    "accept-ch",
    "critical-ch",
    "speculation-rules",
    "supports-loading-mode",
    "service-worker-allowed",
    "x-dns-prefetch-control",
  ],
  "what is allowed": [
    "access-control-*",
    "content-security-policy",
    "cross-origin-*",
    "document-policy",
    "origin-agent-cluster",
    "permissions-policy",
    "referrer-policy",
    "strict-transport-security",
    "x-frame-options",
  ],
  "what scripts see": ["timing-allow-origin", "server-timing"],
};

const patterns = Object.values(keptHeaders).flat();
const isListed = (name: string): boolean =>
  patterns.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : name === one));

/** Headers that concern a single connection, and Content-Length. They are not kept, because the replaying server writes them itself. */
const ofTransport =
  /^(:.*|connection|keep-alive|proxy-.*|transfer-encoding|te|trailer|upgrade|content-length|alt-svc|http2-settings)$/;

export interface SortedHeaders {
  kept: [name: string, value: string][];
  /** The names of the other headers, without those of `ofTransport`. */
  leftOut: string[];
}

/** @param found gets the names of parameters whose values were replaced; null keeps all values. Users and passwords are never kept. */
export function sortHeaders(
  headers: readonly (readonly [name: string, value: string])[],
  found: ((name: string) => void) | null,
): SortedHeaders {
  const all = headers
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.replace(/[\r\n\0]+/g, " ").trim()])
    .filter(([name]) => tokenPattern.test(name) && !ofTransport.test(name));
  // Scripts of other origins can read the headers that the server lists here.
  const exposed = new Set(
    all.flatMap(([name, value]) =>
      name === "access-control-expose-headers" ? value.toLowerCase().split(/[\s,]+/) : [],
    ),
  );
  const isKept = (name: string) => isListed(name) || (exposed.has(name) && !isPrivateHeader(name));
  return {
    kept: all
      .filter(([name]) => isKept(name))
      .map(([name, value]) => {
        const plain = name === "location" ? urlWithoutCredentials(value) : withoutCredentials(value);
        return [name, found ? withoutPrivateValues(plain, found) : plain];
      }),
    leftOut: all.flatMap(([name]) => (isKept(name) ? [] : [name])),
  };
}
