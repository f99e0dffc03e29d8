/** Chooses a file name for each recorded URL. */
import { extname } from "node:path";
import { mimes } from "mrmime";
import { sha256 } from "../../schema/sha256.ts";
import { pageFileName } from "../imported/page-folder.ts";
import { startFile, unescaped } from "../paths.ts";
import type { Recorded } from "./read-har.ts";

/** A length that common file systems allow, with room for the hash. */
const mostNameBytes = 200;
const mostPathBytes = 1000;
const usual: Record<string, string> = {
  "text/html": "html",
  "text/css": "css",
  "text/javascript": "js",
  "application/javascript": "js",
  "application/x-javascript": "js",
  "image/jpeg": "jpg",
  "image/jpg": "jpg",
  "image/pjpeg": "jpg",
  "image/x-png": "png",
  "image/svg+xml": "svg",
  "image/x-icon": "ico",
  "font/woff2": "woff2",
  "application/font-woff2": "woff2",
  "application/json": "json",
};

/**
 * Maps URLs to paths. The start document becomes index.html. Files of its host keep their path; files of another host go into a folder with the
 * host's name. A file gets a name with a hash if its URL has a query, its path cannot be a file name, or its extension belongs to another type.
 */
export function namesOf(recorded: readonly Recorded[], start: Recorded): Map<string, string> {
  const own = start.host;
  const names = new Map([[start.url, startFile]]);
  const plain = new Map(recorded.map((one) => [one.url, plainPath(one, own)]));
  const taken = new Set([startFile, pageFileName]);
  const folders = new Set([...plain.values()].flatMap(foldersOf));
  for (const one of recorded) {
    if (one.url === start.url) continue;
    const path = plain.get(one.url)!;
    const isFree = !folders.has(path) && !taken.has(path) && !foldersOf(path).some((folder) => reserved.has(folder));
    const fits = isFree && fitting(path) && !new URL(one.url).search && hasType(path, one);
    const name = fits ? path : hashedPath(one, own);
    taken.add(name);
    names.set(one.url, name);
  }
  return names;
}

/** File names that every page uses. No folder may have these names. */
const reserved = new Set([startFile, pageFileName]);

function plainPath({ url, host }: Recorded, own: string): string {
  const { pathname } = new URL(url);
  const path = `${unescaped(pathname.slice(1))}${pathname.endsWith("/") ? startFile : ""}`;
  return host === own ? path : `${hostFolder(host)}/${path}`;
}

/** Returns the folder for the files of a host that is not the start document's host. */
export const hostFolder = (host: string): string => {
  const plain = host.replace(/[^\w.-]/g, "_");
  const isUsable = !reserved.has(plain) && !plain.startsWith(".") && Buffer.byteLength(plain) <= mostNameBytes;
  return isUsable ? plain : `host~${shortHash(host)}`;
};

const foldersOf = (path: string): string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, i, parts) => parts.slice(0, i + 1).join("/"));

const fitting = (path: string): boolean =>
  Buffer.byteLength(path) <= mostPathBytes &&
  path
    .split("/")
    .every((part) => part && !part.startsWith(".") && !isUnusual(part) && Buffer.byteLength(part) <= mostNameBytes);

const isUnusual = (part: string): boolean => /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\\\ufffd]/u.test(part);

const hasType = (path: string, { type }: Recorded): boolean => {
  const extension = extname(path).slice(1).toLowerCase();
  return (
    type === "" || mimes[extension] === type || (usual[type] !== undefined && mimes[extension] === mimes[usual[type]])
  );
};

function hashedPath({ url, host, type }: Recorded, own: string): string {
  const { pathname } = new URL(url);
  const extension = extensionOf(type) ?? (extname(pathname).slice(1).replace(/\W/g, "").slice(0, 10) || "bin");
  const last = unescaped(pathname.split("/").at(-1) ?? "").replace(/\.[^.]*$/, "");
  const readable = last.replace(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 40) || "file";
  return `${host === own ? "" : `${hostFolder(host)}/`}${readable}~${shortHash(url)}.${extension}`;
}

const endings = new Map(
  Object.entries(mimes)
    .reverse()
    .map(([ending, type]) => [type, ending]),
);
const extensionOf = (type: string): string | undefined => usual[type] ?? endings.get(type);

const shortHash = (text: string): string => sha256(text).slice(0, 8);
