/** What ../compression.test.ts tests, for a server that guests cannot have: Debian 13 has no h2o. */
import { test } from "node:test";
import { assertSendsTexts, labWithApp } from "../../sent-texts.ts";

test("h2o sends texts plain and in each of its encodings", async (t) => {
  const copy = await labWithApp();
  t.after(() => copy.remove());
  await assertSendsTexts(copy, "h2o", "real");
});
