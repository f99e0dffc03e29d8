/** Where pages lie below the servers' root, and on which host. What a lane needs of pages: it reads and makes none. */

/** The host an object comes from: round robin from s1.lab, which has the HTML (index 0). Counts differ by at most one. */
export const objectHost = (index: number, hostCount: number): string => `s${(index % hostCount) + 1}.lab`;

export const variantName = (hostCount: number, protocol: string): string => `${hostCount}-${protocol}`;

export const htmlFile = (hostCount: number, protocol: string): string => `${variantName(hostCount, protocol)}.html`;

/** Where the HTML of a generated page lies on every host, e.g. "/A/2-h2.html". */
export const pagePath = ({ name }: { name: string }, hostCount: number, protocol: string): string =>
  `/${name}/${htmlFile(hostCount, protocol)}`;

/** Where an object lies on every host. */
export const objectPath = ({ name }: { name: string }, { file }: { file: string }): string => `/${name}/${file}`;

/** All imported pages are below it: there, and only there, servers answer as their contract says of it (servers/software.ts). */
export const importedRoot = "imported";

/** Beside the variants of a page that was made: what of (site.ts). */
export const stampFile = ".stamp.json";

/** What an imported page begins with. */
export const startFile = "index.html";

/** A path in a folder as a URL has it. */
export const encodedPath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** Where an imported page's file lies on every host, e.g. "/imported/mine/2-h2/img/a%20b.png". */
export const importedPath = (name: string, hostCount: number, protocol: string, path = startFile): string =>
  `/${importedRoot}/${name}/${variantName(hostCount, protocol)}/${encodedPath(path)}`;
