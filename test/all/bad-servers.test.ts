/** Servers that do not listen or that exit during a load. Their loads fail with the reason, and loads from other servers succeed. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ExitCode } from "../../schema/errors.ts";
import { LabCopy } from "../lab.ts";

/** Whether each server listens, and what it does with a request; `asked` counts the requests. */
const faults = {
  deaf: { listens: false, answer: "" },
  dying: { listens: true, answer: "if (asked > 10) process.exit(7); send();" },
};

const description = (name: string) => `
import { writeFileSync } from "node:fs";
import { unprivileged } from "../../hosts/rights.ts";
import { server as node } from "../node/server.ts";
import type { ServerSoftware } from "../software.ts";

export const server: ServerSoftware = {
  ...node,
  title: "${name}",
  header: "${name}",
  protocols: ["h1c"],
  command(options) {
    const file = \`\${options.scratch}/options.json\`;
    writeFileSync(file, JSON.stringify(options));
    return [...unprivileged("server"), "node", "--import", "tsx", "servers/${name}/main.ts", file];
  },
};
`;

const program = (name: string, { listens, answer }: (typeof faults)["deaf"]) => `
import { readFileSync } from "node:fs";
import http from "node:http";

const { root, protocols } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
let asked = 0;
const server = http.createServer((request, response) => {
  asked++;
  const path = request.url?.split("?")[0] ?? "";
  const type = path.endsWith(".html") ? "text/html" : "image/jpeg";
  const send = () => response.writeHead(200, { server: "${name}", "content-type": type }).end(readFileSync(root + path));
  ${answer}
});
if (${listens}) server.listen(protocols[0].port);
else setInterval(() => {}, 1000);
`;

const experiment = `
title: Bad servers
loads: 1
axes: {page: [A], servers: [1], link: [20x2-20ms-0%], protocol: [h1c], initcwnd: [10], server: [nginx, ${Object.keys(faults).join(", ")}]}
baseline: {server: nginx}
comparisons: {1: {title: deaf, option: {server: deaf}}}
`;

let lab: LabCopy;
before(async () => {
  lab = await LabCopy.make({ virtualClock: true });
  for (const [name, fault] of Object.entries(faults)) {
    lab.put(`servers/${name}/server.ts`, description(name));
    lab.put(`servers/${name}/main.ts`, program(name, fault));
  }
  lab.put("experiments/bad-servers.yml", experiment);
});
after(() => lab?.remove());

test(
  "attempts at loads from servers that do not listen or that exit fail with the reason; a load from nginx succeeds",
  { timeout: 900_000 },
  async () => {
    const { code, stderr, loads } = await lab.virtualRun("bad-servers");
    assert.equal(code, ExitCode.loadsMissing, stderr);
    const said = (server: string) =>
      loads.filter((load) => load.server === server).map((load) => (load.ok ? "ok" : load.reason));
    assert.deepEqual(said("nginx"), ["ok"]);
    for (const [server, reason] of [
      ["deaf", /deaf does not listen on port 4430 after 20 s/],
      ["dying", /server1: dying ended \(7\)/],
    ] as const) {
      assert.equal(said(server).length, 3);
      for (const words of said(server)) assert.match(words, reason);
    }
  },
);
