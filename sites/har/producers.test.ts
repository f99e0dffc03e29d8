import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { lookup } from "mrmime";
import { gzip } from "pako";
import { isCompressible } from "../../schema/compression.ts";
import type { ImportedPage } from "../imported/imported-page.ts";
import { loadPage } from "../pages.ts";
import { entriesOf } from "./har-entries.ts";
import { importHar } from "./import-har.ts";
import { harOf, producers, type Sent, samplePage } from "./sample-har.fixture.ts";
import { surveyOf } from "./site-survey.ts";

const directory = mkdtempSync(join(tmpdir(), "producers-"));
after(() => rmSync(directory, { recursive: true }));

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

/** Counts the bytes that servers send for a page's files, by type. */
function sentHere({ files, uncompressed }: ImportedPage): Map<string, number> {
  const bytes = new Map<string, number>();
  for (const [path, { source, bytes: size }] of files) {
    const type = lookup(path) ?? "";
    const isPacked = size >= 1000 && isCompressible(type) && !uncompressed.includes(path);
    const sent = isPacked ? gzip(readFileSync(source), { level: 9 }).length : size;
    bytes.set(type, (bytes.get(type) ?? 0) + sent);
  }
  return bytes;
}

const pages: Record<string, Sent[]> = {
  large: samplePage("www.large.example", 2),
  small: samplePage("small.example", 0.25),
};
for (const producer of producers)
  for (const [size, sent] of Object.entries(pages))
    test(`a ${size} page recorded by ${producer.name} is imported with the recorded bytes on the network, within 5%`, () => {
      const name = `page-${producers.indexOf(producer)}-${size}`;
      const har = harOf(producer, sent);
      writeFileSync(join(directory, `${name}.har`), JSON.stringify(har));
      importHar(join(directory, `${name}.har`), name, directory);
      const page = loadPage(name, directory) as ImportedPage;
      assert.deepEqual(
        [...page.files.keys()].sort(),
        sent.map(({ url }) => new URL(url).pathname.slice(1) || "index.html").sort(),
      );
      for (const [type, bytes] of sentHere(page)) {
        const recorded = sum(sent.filter((one) => one.type === type).map(({ wireBytes }) => wireBytes));
        assert.ok(Math.abs(bytes - recorded) <= 0.05 * recorded, `${type}: ${bytes} instead of ${recorded}`);
      }
      const [surveyed] = surveyOf(entriesOf(har, name).entries);
      const all = sum(sent.map(({ wireBytes }) => wireBytes + 200));
      assert.ok(Math.abs(surveyed!.bytes - all) <= 0.05 * all, `${surveyed!.bytes} instead of ${all} in the survey`);
    });

test("the tests above import 30 recordings", () => assert.equal(producers.length * Object.keys(pages).length, 30));
