/** A recorded page on the virtual clock: its names, redirects, POSTs and queries are replayed, and its loads are valid. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { ExitCode } from "../schema/errors.ts";
import { makeImage } from "../sites/image.ts";
import { makeSite } from "../sites/recorded/made-recording.fixture.ts";
import { type Recording, recordingFile } from "../sites/recorded/recording.ts";
import { type RunFiles, readFiles, verifyFiles } from "./forgeries/run-files.ts";
import { LabCopy, runFolder } from "./lab.ts";

/** RTTs of the recorded hosts. One server serves the first two; another serves the third, whose RTT is 30 ms above the mean of these two. */
const rttsMs = [20, 40, 60];
const extraMs = 30;
let lab: LabCopy;
let files: RunFiles;
before(async () => {
  lab = await LabCopy.make({ virtualClock: true });
  const page = makeSite(`${lab.folder}/pages/shop`, makeImage("png", 30_000, 1).file);
  const recording = JSON.parse(readFileSync(`${page}/${recordingFile}`, "utf8")) as Recording;
  for (const [i, ms] of rttsMs.entries()) recording.hosts[i]!.handshakeMs = ms;
  writeFileSync(`${page}/${recordingFile}`, JSON.stringify(recording));
});
after(() => lab?.remove());

const loadsOver = (protocol: string) => files.loads.filter((load) => load.protocol === protocol);

test("loads of a recorded page from two servers over h2 and h3 are valid, and request what was recorded", async () => {
  const { code, stdout, stderr } = await lab.lab(
    ...["try", "--clock", "virtual", "--lanes", "1"],
    ...["--page", "shop", "--servers", "2", "--protocol", "h2,h3", "--serverTimes", "recorded"],
    ...["--hostRtts", "equal,recorded", "--link", "20x2-100ms-0%", "--loads", "1"],
  );
  assert.equal(code, ExitCode.done, stdout + stderr);
  files = readFiles(`${lab.folder}/${runFolder(stderr)}`);
  const { valid, loads } = verifyFiles(files);
  assert.deepEqual([valid, loads], [4, 4]);
  assert.equal(
    stderr.match(/page shop, \S+: 12 requests, \d+ bytes; 100% faithful to its recording/g)?.length,
    4,
    stderr,
  );
});

test("the requests include redirects, preflights, POSTs, and queries with a fixed time and random number", () => {
  for (const protocol of ["h2", "h3"])
    for (const { evidence } of loadsOver(protocol)) {
      const requests = evidence.connections.flatMap((one) => one.requests);
      const statusOf = (path: string) =>
        requests.filter((one) => one.path.startsWith(path)).map(({ status }) => status);
      assert.deepEqual(statusOf("//www.shop.test/").toSorted(), [200, 302]);
      assert.deepEqual(statusOf("//api.other.test/order").toSorted(), [201, 204]);
      assert.deepEqual(statusOf("//api.other.test/list?page=2&t="), [200]);
    }
});

test("host names with one address and certificate share an HTTP/2 connection, and other names do not", () => {
  for (const { evidence } of loadsOver("h2")) {
    const namesOn = evidence.connections.map(({ requests }) =>
      [...new Set(requests.map(({ path }) => path.split("/")[2]))].sort().join(" "),
    );
    assert.ok(namesOn.includes("cdn.shop.test www.shop.test"), `${namesOn}`);
    assert.ok(namesOn.includes("api.other.test"), `${namesOn}`);
  }
});

test("a host with a longer recorded RTT has a longer RTT only in loads with hostRtts=recorded", () => {
  for (const { hostRtts, evidence } of files.loads) {
    const quickestMs = (host: string) =>
      Math.min(
        ...[...evidence.packets.flows, ...(evidence.packets.quicFlows ?? [])].flatMap((flow) =>
          flow.host === host && flow.handshakeMs !== null ? [flow.handshakeMs] : [],
        ),
      );
    const fartherMs = quickestMs("s2.lab") - quickestMs("s1.lab");
    assert.ok(Number.isFinite(fartherMs), `${hostRtts}: ${fartherMs}`);
    // A SYN-ACK may wait behind other packets of the page, so the difference is only compared with half of the extra RTT.
    assert.equal(fartherMs > extraMs / 2, hostRtts === "recorded", `${hostRtts}: ${fartherMs}`);
  }
});

test("a server without the page's host names is refused, and the message names the server that has them", async () => {
  const words = ["--page", "shop", "--server", "nginx", "--protocol", "h1,h2", "--clock", "virtual"];
  const { code, stderr } = await lab.lab("try", ...words);
  assert.equal(code, ExitCode.usage);
  assert.match(stderr, /page shop was recorded under its own host names, which server nginx .* allowed: replay/);
});
