/** Checks that the certificates of the lab's authorities are the same everywhere, valid, and of the lengths that schema/tls.ts states. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { certificateChainNames, certificateChains } from "../schema/tls.ts";
import { ensureCertificates } from "./certificates.ts";

const hosts = ["s1.lab", "s2.lab"];
let folder: string;
before(async () => {
  folder = mkdtempSync("/tmp/certificates-test-");
  await ensureCertificates(folder, hosts);
});
after(() => rmSync(folder, { recursive: true }));

const chainOf = (kind: string, host: string) =>
  (
    readFileSync(`${folder}/certificates/${kind}/${host}.pem`, "utf8").match(
      /-----BEGIN[\s\S]*?END CERTIFICATE-----/g,
    ) ?? []
  ).map((pem) => new X509Certificate(pem));

for (const kind of certificateChainNames)
  test(`${kind}: each certificate is signed by the next, the first is valid only for its host, and the chain has the expected length`, () => {
    const { certificates, leastBytes, mostBytes } = certificateChains[kind];
    for (const host of hosts) {
      const chain = chainOf(kind, host);
      assert.equal(chain.length, certificates);
      for (const [i, one] of chain.slice(0, -1).entries()) assert.ok(one.verify(chain[i + 1]!.publicKey), one.subject);
      assert.deepEqual([chain[0]!.checkHost(host), chain[0]!.checkHost("s3.lab")], [host, undefined]);
      const bytes = chain.reduce((sum, { raw }) => sum + raw.length, 0);
      assert.ok(bytes >= leastBytes && bytes <= mostBytes, `${bytes} bytes`);
    }
  });

test("a host that is added later gets a certificate", async () => {
  const more = mkdtempSync("/tmp/certificates-test-");
  await ensureCertificates(more, hosts.slice(0, 1));
  await ensureCertificates(more, hosts);
  for (const kind of certificateChainNames) assert.ok(existsSync(`${more}/certificates/${kind}/${hosts[1]}.pem`));
  rmSync(more, { recursive: true });
});

test("certificates that are created again have the same bytes", async () => {
  const again = mkdtempSync("/tmp/certificates-test-");
  await ensureCertificates(again, hosts.slice(0, 1));
  for (const kind of certificateChainNames)
    for (const file of ["s1.lab.pem", "s1.lab.key", "ca.pem"])
      assert.deepEqual(
        readFileSync(`${again}/certificates/${kind}/${file}`),
        readFileSync(`${folder}/certificates/${kind}/${file}`),
      );
  rmSync(again, { recursive: true });
});
