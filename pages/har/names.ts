/** Chooses a file name for each recorded URL. */
import { extname } from "node:path";
import { mimes } from "mrmime";
import { startFile } from "../paths.ts";
import { type Recorded, shortHash } from "./read-har.ts";

/** What usual file systems permit, with room for the hash. */
const mostNameBytes = 200;
const mostPathBytes = 1000;
const usual: Record<string, string> = {
  "text/html": "html",
  "text/css": "css",
  "text/javascript": "js",
  "application/javascript": "js",
  "application/x-javascript": "js",
  "image/jpeg": "jpg",
  "image/svg+xml": "svg",
  "image/x-icon": "ico",
  "font/woff2": "woff2",
  "application/font-woff2": "woff2",
  "application/json": "json",
};

/**
 * URL -> path. The start document is index.html. Files of its host keep their path; files of another host get a folder with the host's
 * name. A path that no file can have (with a query, too long, starting with a dot, equal to a folder), or whose extension means another
 * type, is replaced by a name with a hash of the URL and the type's extension.
 */
export function namesOf(recorded: readonly Recorded[], start: Recorded): Map<string, string> {
  const own = new URL(start.url).host;
  const names = new Map([[start.url, startFile]]);
  const plain = new Map(recorded.map((one) => [one.url, plainPath(one, own)]));
  const folders = new Set([...plain.values()].flatMap(foldersOf));
  const taken = new Set([startFile, "page.yml"]);
  for (const one of recorded) {
    if (one.url === start.url) continue;
    const path = plain.get(one.url)!;
    const fits =
      fitting(path) && !new URL(one.url).search && !folders.has(path) && !taken.has(path) && hasType(path, one);
    const name = fits ? path : hashedPath(one, own);
    taken.add(name);
    names.set(one.url, name);
  }
  return names;
}

function plainPath({ url }: Recorded, own: string): string {
  const { host, pathname } = new URL(url);
  const path = `${decoded(pathname.slice(1))}${pathname.endsWith("/") ? startFile : ""}`;
  return host === own ? path : `${hostFolder(host)}/${path}`;
}

/** The folder for the files of a host other than the start document's. */
export const hostFolder = (host: string): string => host.replace(":", "_");

const foldersOf = (path: string): string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, i, parts) => parts.slice(0, i + 1).join("/"));

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const fitting = (path: string): boolean =>
  Buffer.byteLength(path) <= mostPathBytes &&
  path
    .split("/")
    .every((part) => part && !part.startsWith(".") && !hasControl(part) && Buffer.byteLength(part) <= mostNameBytes);

// biome-ignore lint/suspicious/noControlCharactersInRegex: it searches for them.
const hasControl = (part: string): boolean => /[\u0000-\u001f\u007f\\]/.test(part);

const hasType = (path: string, { type }: Recorded): boolean => {
  const extension = extname(path).slice(1).toLowerCase();
  return (
    type === "" || mimes[extension] === type || (usual[type] !== undefined && mimes[extension] === mimes[usual[type]])
  );
};

/** The readable part of the name comes from the end of the URL's path. */
function hashedPath({ url, type }: Recorded, own: string): string {
  const { host, pathname } = new URL(url);
  const extension = extensionOf(type) ?? (extname(pathname).slice(1).replace(/\W/g, "") || "bin");
  const last = decoded(pathname.split("/").at(-1) ?? "").replace(/\.[^.]*$/, "");
  const readable = last.replace(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 40) || "file";
  return `${host === own ? "" : `${hostFolder(host)}/`}${readable}~${shortHash(url)}.${extension}`;
}

const extensionOf = (type: string): string | undefined =>
  usual[type] ?? Object.entries(mimes).find(([, known]) => known === type)?.[0];
