import assert from "node:assert/strict";
import { test } from "node:test";
import jpeg from "jpeg-js";
import { PNG } from "pngjs";
import { pictureOf } from "./filler-picture.ts";
import { entryOf, htmlOf, tryImport } from "./try-import.fixture.ts";

/** @throws Error for a damaged picture */
function pixelsIn(file: Buffer): number {
  if (file[0] === 0x89) return PNG.sync.read(file).width;
  if (file[0] === 0xff) return jpeg.decode(file).width;
  assert.match(file.toString("latin1"), /^GIF89a.*;\0{0,4}$/s);
  return file.readUInt16LE(6);
}

const types = ["jpeg", "jpg", "pjpeg", "png", "x-png", "gif", "webp", "avif", "bmp", "x-icon", "none"];
test("a picture without a recorded body is replaced by a decodable picture of the recorded size", () => {
  for (const size of [36, 39, 40, 43, 45, 60, 99, 100, 899, 900, 5000]) {
    const { contents } = tryImport([
      htmlOf("<p>"),
      ...types.map((type) => entryOf(`/${type}`, { type: `image/${type}`, size, bodySize: size })),
    ]);
    assert.equal(contents.size, types.length + 1);
    contents.delete("index.html");
    for (const [path, content] of contents) {
      assert.equal(content.length, size, path);
      assert.ok(pixelsIn(content) > 0, path);
    }
  }
});

test("a picture with a recorded size of 8 B becomes a picture of 35 B, the smallest possible, and the import reports both sizes", () => {
  const { contents, sentences } = tryImport([
    htmlOf("<p>"),
    entryOf("/a.png", { type: "image/png", size: 8, bodySize: 8 }),
  ]);
  assert.equal(contents.get("a.png")!.length, 35);
  assert.match(
    sentences,
    /1 picture is larger than recorded, because no smaller picture exists \(entry 2 with 35 instead of 8 B\)/,
  );
});

test("pictureOf makes decodable pictures of 1.5 MB, and a picture of 60 MB in less than 10 s", () => {
  for (const type of ["image/jpeg", "image/png", "image/gif"]) {
    const picture = pictureOf(type, 1_500_000);
    assert.equal(picture.length, 1_500_000);
    assert.ok(pixelsIn(picture) > 100);
  }
  const begunMs = performance.now();
  assert.equal(pictureOf("image/jpeg", 60e6).length, 60e6);
  assert.ok(performance.now() - begunMs < 10_000);
});

test("a picture of 60 kB with a recorded body of 20 kB is replaced by a complete picture of 60 kB", () => {
  for (const type of ["image/png", "image/webp"]) {
    const cut = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(20_000)]).toString("base64");
    const entry = entryOf("/a", { type, text: cut, encoding: "base64", size: 60_000 });
    const { contents, sentences } = tryImport([htmlOf("<p>"), entry]);
    const [content] = [...contents].flatMap(([path, one]) => (path === "index.html" ? [] : [one]));
    assert.equal(content!.length, 60_000);
    assert.ok(pixelsIn(content!) > 1);
    assert.match(sentences, /1 body was truncated .*pictures are replaced by filler \(entry 2 with 20008 of 60000 B\)/);
  }
});

test("an SVG whose body is missing or truncated becomes a complete document", () => {
  const entry = (more: object) => entryOf("/a.svg", { type: "image/svg+xml", size: 9000, ...more });
  for (const more of [{}, { text: "<svg><g>" }]) {
    const { contents } = tryImport([htmlOf("<p>"), entry(more)]);
    assert.match(contents.get("a.svg")!.toString(), /^<svg xmlns="[^"]*"><!-- [^<>]{8000,} --><\/svg>$/);
  }
});

test("if an SVG or XML file was as large on the network as decoded, its filler has only printable characters", () => {
  for (const type of ["image/svg+xml", "application/xml", "application/rss+xml"]) {
    const { contents } = tryImport([htmlOf("<p>"), entryOf("/a", { type, size: 9000, bodySize: 9000 })]);
    const [content] = [...contents].flatMap(([path, one]) => (path === "index.html" ? [] : [one]));
    assert.equal(content!.length, 9000);
    assert.match(content!.toString("latin1"), /^[ -~]+$/, type);
  }
});
