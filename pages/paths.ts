/** The paths of pages below the servers' root, and the hosts of their objects. */

/** The host of an object: round robin from s1.lab, which has the HTML (index 0). */
export const objectHost = (index: number, hostCount: number): string => `s${(index % hostCount) + 1}.lab`;

export const variantName = (hostCount: number, protocol: string): string => `${hostCount}-${protocol}`;

export const htmlFile = (hostCount: number, protocol: string): string => `${variantName(hostCount, protocol)}.html`;

/** The path of a generated page's HTML, e.g. "/A/2-h2.html". */
export const pagePath = ({ name }: { name: string }, hostCount: number, protocol: string): string =>
  `/${name}/${htmlFile(hostCount, protocol)}`;

/** The path of a generated page's object. */
export const objectPath = ({ name }: { name: string }, { file }: { file: string }): string => `/${name}/${file}`;

/** The folder of all imported pages, for which servers have special rules (servers/software.ts). */
export const importedRoot = "imported";

/** In the folder of a built page: what it was built from (site.ts). */
export const stampFile = ".stamp.json";

/** In the folder of a built imported page: milliseconds that the server takes for each file, as JSON. */
export const serverTimesFile = ".server-times.json";

/** The document that an imported page starts with. */
export const startFile = "index.html";

/** A file's path, percent-encoded for a URL. */
export const encodedPath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** Undoes percent-encoding; a path whose escapes are no UTF-8 stays as it is. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The path of an imported page's file, e.g. "/imported/mine/2-h2/img/a%20b.png". */
export const importedPath = (name: string, hostCount: number, protocol: string, path = startFile): string =>
  `/${importedRoot}/${name}/${variantName(hostCount, protocol)}/${encodedPath(path)}`;
