/** Every server sends an imported page's text files in the encoding that the axis `compression` names; the browser accepts each encoding. */
import { after, before, test } from "node:test";
import { servers } from "../../servers/servers.ts";
import type { LabCopy } from "../lab.ts";
import { assertSendsTexts, labWithApp } from "../sent-texts.ts";

let copy: LabCopy;
before(async () => {
  copy = await labWithApp();
});
after(() => copy?.remove());

// alone/compression.test.ts tests h2o. A server that replays recordings sends the recorded encodings.
for (const [server, { can }] of Object.entries(servers))
  if (server !== "h2o" && !can.includes("replays"))
    test(`${server} sends text files uncompressed and in each of its encodings`, () =>
      assertSendsTexts(copy, server, "virtual"));
