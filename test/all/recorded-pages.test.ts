/** More recorded pages on the virtual clock: in a phone's window, and in a gate. ../recorded-page.test.ts has the tests that always run. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ExitCode } from "../../schema/errors.ts";
import { makeImage } from "../../sites/image.ts";
import { makePhoneSite, makeSite } from "../../sites/recorded/made-recording.fixture.ts";
import { readFiles, verifyFiles } from "../forgeries/run-files.ts";
import { LabCopy, runFolder } from "../lab.ts";

let lab: LabCopy;
before(async () => {
  lab = await LabCopy.make({ virtualClock: true });
  makeSite(`${lab.folder}/pages/shop`, makeImage("png", 30_000, 1).file);
  makePhoneSite(`${lab.folder}/pages/phone`);
});
after(() => lab?.remove());

test("loads of a page that was recorded in a phone's window are valid, and a request with a private value gets this value's response", async () => {
  const { code, stdout, stderr } = await lab.lab(
    ...["try", "--clock", "virtual", "--lanes", "1", "--page", "phone", "--servers", "2", "--protocol", "h2,h3"],
    ...["--serverTimes", "recorded", "--link", "20x2-100ms-0%", "--loads", "1"],
  );
  assert.equal(code, ExitCode.done, stdout + stderr);
  const files = readFiles(`${lab.folder}/${runFolder(stderr)}`);
  const { valid, loads } = verifyFiles(files);
  assert.deepEqual([valid, loads], [2, 2]);
  // The recording has two responses for one path, because two requests differed in a private value. A load makes only one of these requests.
  assert.equal(
    stderr.match(/page phone, \S+: 3 requests, \d+ bytes; 75% faithful to its recording/g)?.length,
    2,
    stderr,
  );
  for (const { evidence } of files.loads) {
    const requests = evidence.connections.flatMap((one) => one.requests);
    assert.deepEqual(requests.map(({ path, status }) => `${path} ${status}`).sort(), [
      "//a.test/ 200",
      "//a.test/412?token=secret 200",
      "//b.test/1.75 200",
    ]);
  }
});

test("a gate loads the folder of a recording, and detects that the earlier version is the same recording", async () => {
  const words = ["gate", "pages/shop", "--against", "pages/shop", "--links", "Cable", "--loads", "5", "--json"];
  const { code, stdout, stderr } = await lab.lab(...words);
  assert.equal(code, ExitCode.done, stdout + stderr);
  assert.match(stderr, /12 recorded responses of 5 host names/);
  const { result, sameFiles } = JSON.parse(stdout) as { result: string; sameFiles: boolean };
  assert.deepEqual([result, sameFiles], ["passed", true]);
});
