/**
 * Lists the contents of the virtual clock's image as SPDX 2.3. Image scanners do not find the guests' packages, which are in one file. In the image:
 *   node --import tsx substrate/sbom.ts NAME@DIGEST TIME     (such as 2026-12-31T23:59:59Z)
 */
import { existsSync, readFileSync } from "node:fs";
import { run } from "../hosts/command.ts";
import { environment } from "../hosts/environment.ts";
import { kernelPath, kernelVersion } from "./guest/kernel/kernel.ts";
import { findRoot } from "./guest/root/root.ts";

export interface Part {
  /** The type in a package URL, such as deb/debian. */
  type: string;
  name: string;
  version: string;
  /** SHA-256 of the package's file. */
  sha256?: string;
}

export interface Image {
  /** Name and digest. */
  name: string;
  version: string;
  commit: string;
  /** Such as 2026-12-31T23:59:59Z. */
  createdAt: string;
  parts: Part[];
}

export function spdxOf({ name, version, commit, createdAt, parts }: Image) {
  const image = { ...described("SPDXRef-image", "pageload-lab", version), packageFileName: name };
  const packages = parts.map((part, i) => ({
    ...described(`SPDXRef-${i}`, part.name, part.version),
    externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: packageUrl(part) }],
    ...(part.sha256 && { checksums: [{ algorithm: "SHA256", checksumValue: part.sha256 }] }),
  }));
  return {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name,
    documentNamespace: `https://spdx.org/spdxdocs/pageload-lab-${version}-${commit}`,
    creationInfo: { created: createdAt, creators: [`Tool: pageload-lab-${version}`] },
    packages: [image, ...packages],
    relationships: [
      relation("SPDXRef-DOCUMENT", "DESCRIBES", image.SPDXID),
      ...packages.map(({ SPDXID }) => relation(image.SPDXID, "CONTAINS", SPDXID)),
    ],
  };
}

const described = (SPDXID: string, name: string, versionInfo: string) => ({
  ...{ SPDXID, name, versionInfo },
  ...{ downloadLocation: "NOASSERTION", filesAnalyzed: false },
});
const relation = (spdxElementId: string, relationshipType: string, relatedSpdxElement: string) => ({
  ...{ spdxElementId, relationshipType, relatedSpdxElement },
});
const packageUrl = ({ type, name, version }: Part) =>
  `pkg:${type}/${name.split("/").map(encodeURIComponent).join("/")}@${encodeURIComponent(version)}`;

/** Reads a list of Debian packages. @param lines one package per line: name (may have an architecture), version, and SHA-256 if known */
export const debianParts = (lines: string): Part[] =>
  lines
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", version = "", sha256] = line.replace(/^([^:\s]*):\w+/, "$1").split(/\s/);
      return { type: "deb/debian", name, version, ...(sha256 && { sha256 }) };
    });

interface Lock {
  packages: Record<string, { version: string }>;
}

/** Lists only installed modules, without development dependencies and modules for other processors. */
const moduleParts = ({ packages }: Lock): Part[] =>
  Object.entries(packages)
    .filter(([path]) => path !== "" && existsSync(path))
    .map(([path, { version }]) => ({ type: "npm", name: path.split("node_modules/").at(-1)!, version }));

async function main([name = "", createdAt = ""]: string[]): Promise<void> {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const [root, kernel] = [findRoot(), kernelPath()];
  if (!root || !kernel) throw new Error("the kernel or the root file system of the virtual clock has not been built");
  const parts = [
    ...debianParts(await run(["dpkg-query", "--show"])),
    ...debianParts(root.packages),
    { type: "generic", name: "linux", version: await kernelVersion(kernel) },
    ...moduleParts(JSON.parse(readFileSync("package-lock.json", "utf8"))),
  ];
  console.log(JSON.stringify(spdxOf({ name, version, commit: environment.commit, createdAt, parts })));
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
