/** Tests h2o like the servers in ../compression.test.ts. Guests cannot run it, because Debian 13 has no h2o. */
import { test } from "node:test";
import { assertSendsTexts, labWithApp } from "../../sent-texts.ts";

test("h2o sends text files uncompressed and in each of its encodings", async (t) => {
  const copy = await labWithApp();
  t.after(() => copy.remove());
  await assertSendsTexts(copy, "h2o", "real");
});
