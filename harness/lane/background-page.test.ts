import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeAuthority } from "../../servers/authority.ts";
import { BackgroundFlows } from "../../servers/background-flows.ts";
import { BackgroundPage } from "./background-page.ts";

const server = { service: "server1", name: "s1.lab", address: "127.0.0.2" }; // background-flows.test.ts listens on 127.0.0.1
const visit = { documentBytes: 800, images: 10, imageBytes: 302_000 };
const { certificates, key } = await (await makeAuthority("ec2")).certify(server.name, [server.name], "10");
const flows = new BackgroundFlows(server.address, () => ({ cert: Buffer.from(certificates), key: Buffer.from(key) }));
const page = new BackgroundPage(server, { down: 6 });
after(() => {
  page.stop();
  flows.stop();
});

test("a background page is loaded again and again over six connections, until it is stopped", async () => {
  await flows.start({ congestion: "cubic", visit });
  page.start();
  const ports = new Set<number>();
  while (ports.size < 13) {
    const states = flows.states();
    assert.ok(states.length <= 12); // six connections of this visit, and those of the previous visit whose resets are still on their way
    for (const { clientPort, congestion } of states) {
      assert.equal(congestion, "cubic");
      ports.add(clientPort);
    }
    await sleep(1);
  }
  assert.ok(page.firstLoadedMs !== null && page.failure === null);
  page.stop();
  while (flows.states().length > 0) await sleep(1);
});

test("if the server of a background page has ended, the failure says that the page did not load", async () => {
  flows.stop();
  const broken = new BackgroundPage(server, { down: 6 });
  broken.start();
  while (!broken.failure) await sleep(1);
  assert.match(broken.failure.message, /the page beside the measured one did not load: .*ECONNREFUSED/);
});
