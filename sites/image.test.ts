import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import jpeg from "jpeg-js";
import { PNG } from "pngjs";
import { decodeGif } from "./gif-decode.fixture.ts";
import { type FormatName, formatNames, formats, type Image, makeImage, mostEncodedBytes } from "./image.ts";
import { loadGenerated } from "./pages.ts";

const decoders: Record<FormatName, (file: Buffer) => { width: number; height: number }> = {
  jpeg: (file) => jpeg.decode(file, { useTArray: true, tolerantDecoding: false }),
  png: (file) => PNG.sync.read(file),
  gif: decodeGif,
};

function checkImage(format: FormatName, sizeBytes: number, image: Image): void {
  const name = `${format} of ${sizeBytes} B`;
  assert.equal(image.file.length, sizeBytes, name);
  const { width, height } = decoders[format](image.file);
  assert.deepEqual({ width, height }, { width: image.width, height: image.height }, name);
  // Most of the file must be picture, not padding, because a browser would decode padding faster than a real image of this size.
  if (sizeBytes >= 1000)
    assert.ok(
      image.encodedBytes >= Math.min(sizeBytes, mostEncodedBytes) * 0.85,
      `${name}: ${image.encodedBytes} B of picture`,
    );
}

test("every image of the pages A, B and C has its planned size and can be decoded", () => {
  for (const page of ["A", "B", "C"])
    for (const object of loadGenerated(page).objects)
      if (object.kind === "image")
        checkImage(object.format, object.sizeBytes, makeImage(object.format, object.sizeBytes, object.seed));
});

test("for each format, makeImage makes images of the smallest possible size, and of 1 to 15 bytes more", () => {
  for (const format of formatNames)
    for (let step = 0; step < 16; step++) {
      const sizeBytes = formats[format].minBytes + step;
      checkImage(format, sizeBytes, makeImage(format, sizeBytes, step));
    }
});

test("an image file can be decoded with each amount of padding that its format permits", () => {
  for (const format of formatNames) {
    const { file } = makeImage(format, formats[format].minBytes, 1);
    for (const paddingBytes of [
      0, 1, 2, 3, 4, 5, 11, 12, 13, 258, 259, 260, 261, 514, 515, 516, 65_537, 65_538, 65_540, 65_541, 65_542, 200_000,
    ]) {
      if (!formats[format].canPad(paddingBytes)) continue;
      const padded = formats[format].pad(file, paddingBytes);
      assert.equal(padded.length, file.length + paddingBytes, `${format} + ${paddingBytes} B`);
      decoders[format](padded);
    }
  }
});

test("makeImage makes the paper's smallest image, of 46 B", () => checkImage("gif", 46, makeImage("gif", 46, 1)));

test("makeImage refuses a size below the format's minimum", () =>
  assert.throws(() => makeImage("jpeg", 400, 1), /the minimum is 900 B/));

test("different seeds give different pictures", () =>
  assert.notDeepEqual(makeImage("gif", 500, 1).file, makeImage("gif", 500, 2).file));

test("the same seed gives the same bytes, on every machine", () => {
  const hashes = formatNames.map((format) => {
    const { file } = makeImage(format, 5000, 1);
    return `${format} ${createHash("sha256").update(file).digest("hex").slice(0, 16)}`;
  });
  assert.deepEqual(hashes, ["jpeg fc9e3c7487b3ab9a", "png 6a1f4e6f5ddfee47", "gif b6742e0298a0245a"]);
});
