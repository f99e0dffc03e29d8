import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { LabError } from "../../schema/errors.ts";
import { hostAndPathOf, namesOf, networkPathOf, startUrlOf, urlInRecords } from "../../schema/recorded-names.ts";
import { loadPage } from "../pages.ts";
import { faithfulness } from "./faithfulness.ts";
import { makeRecording, makeSite } from "./made-recording.fixture.ts";
import { bodiesFolder, readRecording, recordingFile } from "./recording.ts";
import { buildRecordedPage, type ReplayFile, replayCertificates, replayFile } from "./replay-file.ts";
import { recordedServerTimes } from "./server-times.ts";

const folder = mkdtempSync(join(tmpdir(), "recorded-"));
after(() => rmSync(folder, { recursive: true }));
const picture = Buffer.alloc(3000, 7);
const site = makeSite(join(folder, "shop"), picture);
const recording = readRecording(site);

/** Alters a copy of the recording. */
function altered(change: (recording: Record<string, never> & { hosts: { names: string[] }[] }) => void): string {
  const copy = makeSite(mkdtempSync(join(folder, "altered-")), picture);
  const content = JSON.parse(readFileSync(join(copy, recordingFile), "utf8"));
  change(content);
  writeFileSync(join(copy, recordingFile), JSON.stringify(content));
  return copy;
}
const refusal = (path: string): string => {
  try {
    readRecording(path);
  } catch (error) {
    assert.ok(error instanceof LabError);
    return error.message;
  }
  return assert.fail("readRecording accepted the recording");
};

test("readRecording and loadPage both read a valid recording", () => {
  assert.deepEqual([recording.exchanges.length, recording.hosts.length], [12, 3]);
  const page = loadPage("shop", folder);
  assert.ok("recording" in page && page.files.has(recordingFile));
});

test("readRecording refuses a recording that contradicts itself or its files, and the message names the invalid part", () => {
  const { sha256 = "" } = recording.exchanges[1]!.body!;
  assert.match(
    refusal(altered((one) => one.hosts[0]!.names.push("api.other.test"))),
    /"api\.other\.test" is listed twice/,
  );
  assert.match(
    refusal(altered((one) => one.hosts.pop())),
    /the host of .*ads\.third\.test\/banner.* is not listed under hosts/,
  );
  assert.match(
    refusal(
      altered((one) =>
        one.hosts.push({ names: Array.from({ length: 30 }, (_, i) => `n${i}.test`), handshakeMs: 1 } as never),
      ),
    ),
    /35 names, but at most 32/,
  );
  assert.match(
    refusal(altered((one) => Object.assign(one, { url: "https://www.shop.test/other" }))),
    /no GET of https:\/\/www\.shop\.test\/other/,
  );
  assert.match(refusal(altered((one) => Object.assign(one, { url: "file:///etc/passwd" }))), /recording\.json: url: /);
  assert.match(refusal(altered((one) => Object.assign(one, { more: 1 }))), /Unrecognized key/);
  const short = altered(() => {});
  truncateSync(join(short, bodiesFolder, sha256), 5);
  assert.match(refusal(short), new RegExp(`${bodiesFolder}/${sha256} has 5 bytes instead of \\d+`));
  rmSync(join(short, bodiesFolder, sha256));
  assert.match(refusal(short), /is missing/);
  writeFileSync(join(short, recordingFile), "{");
  assert.match(refusal(short), /recording\.json: .*JSON/);
});

test("readRecording refuses a host name that would add text to a server's or a browser's configuration", () => {
  for (const name of ['x.test"; } server {', "x.test 1.2.3.4, MAP *", "X.test", "x.test/", "x..test", "x.test:443:1"])
    assert.match(
      refusal(altered((one) => one.hosts[0]!.names.push(name))),
      /hosts\.0\.names\.2: not a host name/,
      name,
    );
  for (const name of ["x_1.test", "xn--4ca.test:8443", "192.0.2.1", "[2001:db8::1]:8443", "localhost"])
    readRecording(altered((one) => one.hosts[0]!.names.push(name)));
});

test("readRecording refuses a body whose file name leads out of the folder of bodies", () => {
  const changed = altered((one) =>
    Object.assign((one as never as typeof recording).exchanges[1]!.body!, { sha256: "../../../../etc/passwd" }),
  );
  assert.match(refusal(changed), /exchanges\.1\.body\.sha256: not a SHA-256/);
});

test("buildRecordedPage gives each recorded host a certificate, adds to the HTML a script that sets the clock, and subtracts the round trip from waits", async () => {
  const out = join(folder, "built");
  const certified: string[][] = [];
  await buildRecordedPage({ name: "shop", folder: site, recording }, out, {
    variants: ["h1", "h1c"].map((name) => ({
      hostCount: 2,
      protocol: { name, scheme: name === "h1" ? "https" : "http", port: 1 },
    })) as never,
    certify: async (_, __, names) => {
      certified.push(names);
      return { certificates: "certificate", key: "key" };
    },
  });
  const { hosts, responses } = JSON.parse(readFileSync(join(out, "2-h1", replayFile), "utf8")) as ReplayFile;
  assert.deepEqual(
    hosts,
    recording.hosts.map(({ names }) => names),
  );
  assert.deepEqual(certified.slice(0, 3), hosts);
  assert.deepEqual(readdirSync(join(out, replayCertificates, "ec2")), [
    "1.key",
    "1.pem",
    "2.key",
    "2.pem",
    "3.key",
    "3.pem",
  ]);
  const document = responses.find(({ path }) => path === "//www.shop.test/start?from=root")!;
  assert.match(
    gunzipSync(readFileSync(join(out, "2-h1", bodiesFolder, document.body!))).toString("latin1"),
    /<head><script>.*A shop that was recorded/s,
  );
  assert.equal(document.serverMs, 50, "the wait of 70 ms without the round trip");
  assert.ok(
    document.headers.some(
      ([name, value]) => name === "content-security-policy" && value === "upgrade-insecure-requests",
    ),
  );
});

test("redirects point to URLs with the protocol's scheme, and redirects that only change the scheme are removed", async () => {
  const made = makeRecording(
    join(folder, "plain"),
    [["a.test"]],
    [
      { url: "http://a.test/", status: 301, headers: [["location", "https://a.test/"]] },
      { url: "https://a.test/", status: 302, headers: [["location", "http://a.test/b"]] },
      {
        url: "http://a.test/b",
        headers: [
          ["content-type", "text/html"],
          ["set-cookie", "a=1"],
          ["vary", "a"],
          ["vary", "b"],
          ["etag", "1"],
          ["etag", "2"],
          ["upgrade", "h2c"],
          ["x-odd", "\u65e5"],
        ],
        body: "b",
      },
    ],
  );
  const out = join(folder, "built-plain");
  await buildRecordedPage({ name: "plain", folder: made, recording: readRecording(made) }, out, {
    variants: [{ hostCount: 1, protocol: { name: "h2", scheme: "https", port: 1 } }] as never,
    certify: async () => ({ certificates: "", key: "" }),
  });
  const { responses } = JSON.parse(readFileSync(join(out, "1-h2", replayFile), "utf8")) as ReplayFile;
  assert.deepEqual(
    responses.map(({ path, status, headers }) => [path, status, headers[0]?.[1]]),
    [
      ["//a.test/", 302, "https://a.test/b"],
      ["//a.test/b", 200, "text/html"],
    ],
  );
  const upgrade = ["content-security-policy", "upgrade-insecure-requests"];
  const sent = [["content-type", "text/html"], ["vary", "a, b"], ["etag", "2"], upgrade];
  assert.deepEqual(responses[1]?.headers, sent, "no headers that a server cannot send, and each name once");
});

test("recorded hosts are assigned to the lab's hosts in turn, and paths in records begin with the recorded name", () => {
  const hosts = [1, 2].map((n) => ({ service: `server${n}`, name: `s${n}.lab`, address: `198.18.1.1${n}` }));
  const recorded = { url: recording.url, hosts: recording.hosts.map(({ names }) => names) };
  const names = namesOf({ recorded }, hosts, { port: 4432 });
  assert.deepEqual(
    names.map(({ name, host }) => `${name} ${host.name}`),
    [
      "www.shop.test s1.lab",
      "cdn.shop.test s1.lab",
      "api.other.test s2.lab",
      "ads.third.test s1.lab",
      "frame.third.test s1.lab",
    ],
  );
  const inRecords = (url: string) => urlInRecords(url, names, { scheme: "https" });
  assert.equal(inRecords("https://api.other.test/list?page=2#x"), "https://s2.lab:4432//api.other.test/list?page=2");
  assert.equal(inRecords("https://unknown.test/"), "https://unknown.test/");
  assert.deepEqual(hostAndPathOf(inRecords("https://api.other.test/list?page=2")), {
    host: "s2.lab",
    path: "//api.other.test/list?page=2",
  });
  assert.deepEqual(hostAndPathOf("https://s1.lab:4432/a.png?v=1"), { host: "s1.lab", path: "/a.png" });
  assert.equal(startUrlOf({ url: "http://a.test/" }, { scheme: "https" }), "https://a.test/");
  assert.equal(networkPathOf(new URL("https://a.test:8443/x?y")), "//a.test:8443/x?y");
});

test("recordedServerTimes returns each file's recorded wait minus the round trip", () => {
  assert.deepEqual(recordedServerTimes(recording), {
    "/www.shop.test/start?from=root": 50,
    "/api.other.test/list?page=2&t=1&r=0.1": 100,
  });
});

test("faithfulness counts recorded requests that a load repeated, those that it missed, and the load's other requests", () => {
  const asked = recording.exchanges.map(({ url, status, body }) => ({
    path: networkPathOf(new URL(url)),
    status,
    bytes: body?.bytes ?? 0,
  }));
  const whole = faithfulness(
    recording,
    asked.map((one) => ({ ...one, path: one.path.replace("t=1", "t=2") })),
  );
  assert.deepEqual([whole.share, whole.missing, whole.other], [1, [], []]);
  const other = { path: "//ads.third.test/unseen", status: 404, bytes: 0 };
  const part = faithfulness(recording, [...asked.slice(1), other]);
  assert.equal(part.share, 11 / 13);
  assert.deepEqual([part.missing, part.other], [["//www.shop.test/ (302)"], ["//ads.third.test/unseen (404)"]]);
  assert.deepEqual(
    part.rows.find(({ name }) => name === "ads.third.test"),
    {
      ...{ name: "ads.third.test", recorded: 1, again: 1, other: 1 },
      ...{ recordedBytes: picture.length, againBytes: picture.length },
    },
  );
});
