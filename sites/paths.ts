/** Defines the paths of pages below the servers' document root, and the hosts of their objects. */

/** Returns the host of an object. The hosts take turns, starting with s1.lab for the HTML (index 0). */
export const objectHost = (index: number, hostCount: number): string => `s${(index % hostCount) + 1}.lab`;

export const variantName = (hostCount: number, protocol: string): string => `${hostCount}-${protocol}`;

export const htmlFile = (hostCount: number, protocol: string): string => `${variantName(hostCount, protocol)}.html`;

/** Returns the path of a generated page's HTML, e.g. "/A/2-h2.html". */
export const pagePath = ({ name }: { name: string }, hostCount: number, protocol: string): string =>
  `/${name}/${htmlFile(hostCount, protocol)}`;

export const objectPath = ({ name }: { name: string }, { file }: { file: string }): string => `/${name}/${file}`;

export const importedRoot = "imported";

/** A file in the folder of a built page. It contains a hash of what the page was built from (site.ts). */
export const stampFile = ".stamp.json";

/** A JSON file in the folder of a built imported page: how many milliseconds the server waits before it sends each file. */
export const serverTimesFile = ".server-times.json";

export const startFile = "index.html";

export const encodedPath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** Undoes percent-encoding in a part of a URL; a part whose escapes are not UTF-8 stays as it is. */
export function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the folder of an imported page's variant, e.g. "imported/mine/2-h2". During the variant's loads, it is the servers' document root. */
export const variantFolder = (name: string, hostCount: number, protocol: string): string =>
  `${importedRoot}/${name}/${variantName(hostCount, protocol)}`;

/** Returns the URL path of an imported page's file, e.g. "/img/a%20b.png". A start file has its folder's path, e.g. "/about/". */
export const importedPath = (file = startFile): string =>
  `/${encodedPath(file === startFile || file.endsWith(`/${startFile}`) ? file.slice(0, -startFile.length) : file)}`;

/** Returns a file's URL path in loads that were recorded before 2026-11-26. At that time, pages did not have their own document root. */
export const formerPath = (name: string, hostCount: number, protocol: string, file = startFile): string =>
  `/${variantFolder(name, hostCount, protocol)}/${encodedPath(file)}`;

const formerRoot = new RegExp(`^/${importedRoot}/[^/]+/\\d+-[^/]+/`);

/** Returns the file that a URL path of an imported page requests: "/img/a%20b.png" is "img/a b.png". Also accepts `formerPath`'s paths. */
export function importedFile(path: string): string {
  const file = unescaped(path.replace(formerRoot, "/").slice(1));
  return file === "" || file.endsWith("/") ? file + startFile : file;
}
