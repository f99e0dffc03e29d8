import assert from "node:assert/strict";
import { test } from "node:test";
import { debianParts, spdxOf } from "./sbom.ts";

test("the SBOM lists each package with a package URL, and relates each package to the image", () => {
  const { packages, relationships, ...document } = spdxOf({
    ...{ name: "registry/lab@sha256:1", version: "1.2.0", commit: "0123456789ab", createdAt: "2026-12-31T23:59:59Z" },
    parts: [
      ...debianParts("libstdc++6 1:14.2-1+b1 abc\nnodejs:amd64\t20.19\n"),
      { type: "npm", name: "@noble/curves", version: "1.9.7" },
    ],
  });
  assert.equal(document.documentNamespace, "https://spdx.org/spdxdocs/pageload-lab-1.2.0-0123456789ab");
  const [image, first, ...others] = packages;
  assert.equal(image?.versionInfo, "1.2.0");
  assert.deepEqual(first, {
    SPDXID: "SPDXRef-0",
    name: "libstdc++6",
    versionInfo: "1:14.2-1+b1",
    downloadLocation: "NOASSERTION",
    filesAnalyzed: false,
    externalRefs: [
      {
        referenceCategory: "PACKAGE-MANAGER",
        referenceType: "purl",
        referenceLocator: "pkg:deb/debian/libstdc%2B%2B6@1%3A14.2-1%2Bb1",
      },
    ],
    checksums: [{ algorithm: "SHA256", checksumValue: "abc" }],
  });
  assert.deepEqual(
    others.map((one) => "externalRefs" in one && one.externalRefs[0]?.referenceLocator),
    ["pkg:deb/debian/nodejs@20.19", "pkg:npm/%40noble/curves@1.9.7"],
  );
  assert.deepEqual(
    relationships.map(({ spdxElementId, relatedSpdxElement }) => `${spdxElementId} ${relatedSpdxElement}`),
    ["SPDXRef-DOCUMENT SPDXRef-image", ...[0, 1, 2].map((i) => `SPDXRef-image SPDXRef-${i}`)],
  );
});
