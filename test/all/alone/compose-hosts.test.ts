/** What the hosts of compose.yml can do: HTTP/3, the report, privileges, packets, and what happens when a host disappears. */
import assert from "node:assert/strict";
import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { loadsIn } from "../../../harness/record/records.ts";
import { watchBridges } from "../../docker/bridges.ts";
import { cannotShape as skip } from "../../docker/engine.ts";
import { LabOnEngine } from "../../docker/lab.ts";
import { again, whyItGoesOn } from "../../retry.ts";

const agents = ["shaper", "server1", "server2", "server3", "server4"];
const prepareLimitMs = 20_000;

let lab: LabOnEngine;
before(async () => {
  if (!skip) lab = await LabOnEngine.start();
});
after(() => lab?.stop());

test("HTTP/3 from aioquic is refused until the images are built with LAB_MADE=aioquic", { skip }, async (t) => {
  const words = ["run", "--loads", "1", "--only", "page=A", "--only", "servers=1", "--only", "link=10x1-100ms-0%"];
  const asked = ["--with", "server=aioquic", "--with", "protocol=h3", "--with", "initcwnd=10"];
  const refused = await lab.up([...words, ...asked]);
  assert.equal(refused.code, 3, refused.output);
  assert.match(refused.output, /the containers' images do not include aioquic: LAB_MADE=aioquic/);
  const before = readdirSync(join(lab.folder, "results"));
  lab.env.LAB_MADE = "aioquic";
  await lab.compose("build", "--quiet");
  const runFolder = () =>
    join(lab.folder, "results", readdirSync(join(lab.folder, "results")).find((name) => !before.includes(name)) ?? "");
  const { code, output } = await again(
    t,
    (resumed) => lab.up(resumed ? ["run", "--resume"] : [...words, ...asked]),
    ({ code }) => whyItGoesOn(code, runFolder()),
  );
  assert.equal(code, 0, output);
  const good = loadsIn(runFolder()).filter(({ ok }) => ok);
  assert.deepEqual(
    good.map(({ protocol, server }) => [protocol, server]),
    [["h3", "aioquic"]],
  );
});

test("the report is served only to this machine, from a read-only results folder", { skip }, async () => {
  await lab.compose("up", "--detach", "report");
  const id = (await lab.compose("ps", "--quiet", "report")).trim();
  const [{ HostConfig, Mounts, NetworkSettings }] = JSON.parse(await lab.run("docker", "inspect", id)) as [Inspected];
  assert.deepEqual(HostConfig.PortBindings, { "8080/tcp": [{ HostIp: "127.0.0.1", HostPort: "8080" }] });
  assert.deepEqual(
    Mounts.map(({ Destination, RW }) => [Destination, RW]),
    [["/lab/results", false]],
  );
  assert.deepEqual(Object.keys(NetworkSettings.Networks), ["bridge"]);
  const read = `fetch("http://localhost:8080/").then(async (answer) => console.log(answer.status, await answer.text()))`;
  const end = Date.now() + prepareLimitMs;
  let page = "";
  while (!page && Date.now() < end)
    page = await lab.compose("exec", "-T", "report", "node", "--eval", read).catch(() => sleep(500, ""));
  assert.match(page, /^200 .*<title>Pageload Lab/s);
  await lab.compose("rm", "--stop", "--force", "report");
});

test("segmentation and receive offload are off on every host", { skip }, async () => {
  await lab.compose("up", "--detach", "--force-recreate", ...agents);
  for (const agent of agents)
    for (const device of agent === "shaper" ? ["eth0", "eth1"] : ["eth0"]) {
      // Agents take a moment to prepare their host.
      const end = Date.now() + prepareLimitMs;
      while ((await offloadsOn(agent, device)).length && Date.now() < end) await sleep(100);
      assert.deepEqual(await offloadsOn(agent, device), [], `${agent} ${device}`);
    }
});

test("the capture on the engine's bridges sees a packet that leaves the lab", { skip }, async () => {
  const bridges = await watchBridges(lab);
  await lab.compose("exec", "-T", "server1", "bash", "-c", "echo leak >/dev/udp/198.18.1.1/53");
  await sleep(1000);
  assert.match((await bridges.stop()).join("\n"), /198\.18\.1\.1/);
});

test(
  "hosts run as an ordinary user with the capabilities of their role, and their servers have no capabilities",
  { skip },
  async () => {
    const startServer = `
    const { ask } = await import("/lab/hosts/control.ts");
    const { serverRoutes } = await import("/lab/hosts/routes.ts");
    const { usualTls: tls } = await import("/lab/schema/tls.ts");
    await ask("server1", serverRoutes.configure, { software: "nginx", tls, route: { initcwnd: 3, congestion: "cubic" } });`;
    await lab.compose("exec", "-T", "server1", "node", "--import", "tsx", "--input-type=module", "--eval", startServer);
    const [netAdmin, netRaw, overrideFiles, nice] = [1 << 12, 1 << 13, 1 << 1, 1 << 23];
    const ofServers = netAdmin! | netRaw!; // NET_ADMIN for routes and links, NET_RAW for captures
    for (const host of ["shaper", "server1", "server4"]) {
      const capabilities = host === "shaper" ? ofServers | nice! : ofServers;
      for (const { name, uid, effective, bounding } of await processesOf("exec", "-T", host, "sh")) {
        assert.equal(uid, 65534, `${host} ${name}`);
        assert.equal(bounding, capabilities, `${host} ${name}`);
        if (name === "nginx") assert.equal(effective, 0);
        assert.equal(effective & ~capabilities, 0, `${host} ${name}`);
      }
    }
    const [harness] = await processesOf("run", "--rm", "--no-deps", "--entrypoint", "sh", "harness");
    assert.deepEqual([harness?.uid, harness?.bounding], [1000, ofServers | overrideFiles!]);
  },
);

test("only the hosts' user can open the control directory and its sockets", { skip }, async () => {
  const modes = await lab.compose(
    "exec",
    "-T",
    "server1",
    "sh",
    "-c",
    "stat --format '%n %a %u' /run/lab/control /run/lab/control/*.sock",
  );
  assert.deepEqual(modes.trim().split("\n"), [
    "/run/lab/control 700 65534",
    ...agents.map((host) => `/run/lab/control/${host}.sock 600 65534`).sort((a, b) => (a < b ? -1 : 1)),
  ]);
});

test("./lab builds its images from the checkout: they contain a new link and the commit", { skip }, async () => {
  for (const command of ["init --quiet", "add .", "-c user.name=test -c user.email=test commit --quiet --message test"])
    await lab.run("git", ...command.split(" "));
  appendFileSync(
    join(lab.folder, "shaper/links.yml"),
    "20x2-21ms-0%: {rtt: 21 ms, down: 20 Mb/s, up: 2 Mb/s, loss: 0 %, queue: 50 packets}\n",
  );
  assert.match(await lab.run("./lab", "plan", "--with", "link=20x2-21ms-0%"), /\/20x2-21ms-0%\//);
  const commit = (await lab.run("git", "rev-parse", "--short=12", "HEAD")).trim();
  assert.match(
    await lab.run("docker", "image", "inspect", "--format", "{{.Config.Env}}", "pageload-lab-harness"),
    new RegExp(`LAB_COMMIT=${commit}\\+`),
  );
});

test("a run ends when a host disappears, and prints how to resume it", { skip }, async () => {
  let killed = false;
  const { code, output } = await lab.follow(
    ["run", "--rm", "harness", "run", "--loads", "50", "--only", "page=A"],
    (text) => {
      if (killed || !text.includes("measuring link 1")) return;
      killed = true;
      void lab.compose("kill", "server2");
    },
  );
  assert.equal(code, 1, output);
  assert.match(output, /server2 has ended.*\n.*To continue: \.\/lab run --resume/);
});

/** The output of `docker inspect`. */
interface Inspected {
  HostConfig: { PortBindings: object };
  Mounts: { Destination: string; RW: boolean }[];
  NetworkSettings: { Networks: object };
}

interface Process {
  name: string;
  uid: number;
  effective: number;
  bounding: number;
}

/** @param shell arguments of `docker compose` that start a shell in a container */
async function processesOf(...shell: string[]): Promise<Process[]> {
  const text = await lab.compose(...shell, "-c", "cat /proc/[0-9]*/status");
  const value = (process: string, key: string) => new RegExp(`^${key}:\\s+(\\S+)`, "m").exec(process)?.[1] ?? "";
  return text.split(/^(?=Name:)/m).map((process) => ({
    name: value(process, "Name"),
    uid: Number(value(process, "Uid")),
    effective: parseInt(value(process, "CapEff"), 16),
    bounding: parseInt(value(process, "CapBnd"), 16),
  }));
}

async function offloadsOn(host: string, device: string): Promise<string[]> {
  const features = await lab.compose("exec", "-T", host, "ethtool", "-k", device);
  return features
    .split("\n")
    .filter((line) => /^(tcp-segmentation|generic-(segmentation|receive))-offload: on/.test(line));
}
