import assert from "node:assert/strict";
import { test } from "node:test";
import { PortRoute } from "./port-route.ts";

test("PortRoute sets the route for each load, adds the rule once, and removes the rule when the port no longer has a route", async () => {
  const commands: string[] = [];
  const route = new PortRoute(5212, async (command) => {
    commands.push(command.join(" "));
    return "";
  });
  await route.set(null);
  for (const initcwnd of ["3", "4"]) await route.set(["ip", "route", "replace", "198.18.0.0/24", "initcwnd", initcwnd]);
  for (let load = 0; load < 2; load++) await route.set(null);
  assert.deepEqual(commands, [
    "ip route replace 198.18.0.0/24 initcwnd 3 table 5212",
    "ip rule add sport 5212 lookup 5212",
    "ip route replace 198.18.0.0/24 initcwnd 4 table 5212",
    "ip rule del sport 5212 lookup 5212",
  ]);
});
