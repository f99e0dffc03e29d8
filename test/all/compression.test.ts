/** Every server sends an imported page's texts as the axis `compression` says, to a browser that accepts each encoding. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { loadsIn } from "../../harness/record/records.ts";
import { ExitCode } from "../../schema/errors.ts";
import { servers } from "../../servers/servers.ts";
import { LabCopy, runFolder } from "../lab.ts";
import { sites } from "../sites.ts";

/** Guests cannot have it: Debian 13 has no h2o. */
const onRealClock = ["h2o"];

let copy: LabCopy;
before(async () => {
  copy = await LabCopy.make({ virtualClock: true });
  for (const [path, content] of Object.entries(sites.app!)) copy.put(`pages/app/${path}`, content);
});
after(() => copy?.remove());

for (const [server, { protocols, encodings = [] }] of Object.entries(servers))
  test(`${server} sends texts ${["plain", ...encodings].join(", ")}`, async () => {
    const protocol = ["h2", "h3"].find((one) => protocols.includes(one))!;
    const only = ["servers=1", "link=20x2-20ms-0%", "initcwnd=10"].flatMap((values) => ["--only", values]);
    const asked = { page: "app", server, protocol, compression: ["none", ...encodings].join() };
    const given = Object.entries(asked).flatMap(([axis, values]) => ["--with", `${axis}=${values}`]);
    const clock = onRealClock.includes(server) ? "real" : "virtual";
    const { code, stderr } = await copy.lab("run", "--clock", clock, "--loads", "1", ...only, ...given);
    assert.equal(code, ExitCode.done, stderr);
    const seen = loadsIn(`${copy.folder}/${runFolder(stderr)}`)
      .filter(({ ok }) => ok)
      .map(({ condition, evidence }) => {
        const requests = evidence!.connections.flatMap(({ requests: all }) => all);
        const page = requests.find(({ path }) => path.endsWith("/index.html"))!;
        return [/compression-(\w+)/.exec(condition)?.[1] ?? "gzip", page.encoding ?? "none", page.bytes < 1500];
      });
    assert.deepEqual(seen.sort(), [["none", "none", false], ...encodings.map((one) => [one, one, true])].sort());
  });
