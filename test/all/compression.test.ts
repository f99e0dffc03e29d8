/** Every server sends an imported page's text files as the axis `compression` says, to a browser that accepts each encoding. */
import { after, before, test } from "node:test";
import { servers } from "../../servers/servers.ts";
import type { LabCopy } from "../lab.ts";
import { assertSendsTexts, labWithApp } from "../sent-texts.ts";

let copy: LabCopy;
before(async () => {
  copy = await labWithApp();
});
after(() => copy?.remove());

// alone/compression.test.ts has h2o; recorded pages have the encodings that they were recorded with.
for (const [server, { can }] of Object.entries(servers))
  if (server !== "h2o" && !can.includes("replays"))
    test(`${server} sends text files uncompressed and in each of its encodings`, () =>
      assertSendsTexts(copy, server, "virtual"));
