import assert from "node:assert/strict";
import { test } from "node:test";
import { conditions } from "../report/tables/synthetic-loads.ts";
import { refuseClients } from "./refuse-clients.ts";

test("a client that is not installed is refused by its name, with its packages", () => {
  const asked = conditions({ client: ["chromium"] });
  assert.throws(
    () => refuseClients(asked, () => "/usr/lib/no-such-browser"),
    /client chromium: there is no program \/usr\/lib\/no-such-browser; its Debian packages stand in clients\/chromium\/packages\.txt/,
  );
  assert.doesNotThrow(() => refuseClients(asked, () => "sh"));
});
