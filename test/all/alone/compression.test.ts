/** Tests for h2o what ../compression.test.ts tests for other servers. Guests cannot run h2o, because Debian 13 does not have it. */
import { test } from "node:test";
import { assertSendsTexts, labWithApp } from "../../sent-texts.ts";

test("h2o sends text files uncompressed and in each of its encodings", async (t) => {
  const copy = await labWithApp();
  t.after(() => copy.remove());
  await assertSendsTexts(copy, "h2o", "real");
});
