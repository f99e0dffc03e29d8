import assert from "node:assert/strict";
import { test } from "node:test";
import { type Host, prepareHost } from "./prepare.ts";
import { readTopology } from "./topology.ts";

test("an agent with a name that is not in compose.yml changes nothing on its machine", async () => {
  const commands: string[][] = [];
  const host: Host = {
    run: async (command) => String(commands.push(command)),
    batch: async (program) => String(commands.push(program)),
  };
  await assert.rejects(prepareHost(host, readTopology(), "web1"), /compose.yml has no host "web1" with a network/);
  assert.deepEqual(commands, []);
});
