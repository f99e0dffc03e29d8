// Checks a server's compressed text files in a run of an imported page with each value of the axis `compression`.
import assert from "node:assert/strict";
import { loadsIn } from "../harness/record/records.ts";
import { encodingSchema } from "../schema/compression.ts";
import { ExitCode } from "../schema/errors.ts";
import { servers } from "../servers/servers.ts";
import { LabCopy, only, runFolder } from "./lab.ts";
import { sites } from "./sites.ts";

/** Files that the markup and a script refer to by absolute paths, as most builds do. */
const named = {
  "root.js": 'const image = new Image(); image.src = "/img/late.svg"; document.body.append(image);',
  "img/late.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="3"/>',
  "about/index.html": `<!doctype html><title>about</title><img src="x.svg"><!-- ${"text ".repeat(300)} -->`,
  "about/x.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>',
};
const inMarkup = '<script src="/root.js"></script><iframe src="/about/"></iframe></body>';
const rootPaths = ["/", "/root.js", "/img/late.svg", "/about/", "/about/x.svg"];

/** Makes a copy of the lab with the page "app", whose markup also refers to the files in `named`. */
export async function labWithApp(): Promise<LabCopy> {
  const copy = await LabCopy.make({ virtualClock: true });
  for (const [path, content] of Object.entries({ ...sites.app, ...named })) copy.put(`pages/app/${path}`, content);
  copy.put("pages/app/index.html", `${sites.app!["index.html"]}`.replace("</body>", inMarkup));
  return copy;
}

/** Asserts that the server sends the page at `/`: uncompressed if so configured, and in fewer bytes with each encoding of the server. */
export async function assertSendsTexts(copy: LabCopy, server: string, clock: "real" | "virtual"): Promise<void> {
  const { protocols, can } = servers[server]!;
  const encodings = encodingSchema.options.filter((encoding) => can.includes(encoding));
  const protocol = ["h2", "h3"].find((one) => protocols.includes(one))!;
  const conditions = only("servers=1", "link=20x2-20ms-0%", "initcwnd=10");
  const asked = { page: "app", server, protocol, compression: ["none", ...encodings].join() };
  const given = Object.entries(asked).flatMap(([axis, values]) => ["--with", `${axis}=${values}`]);
  const { code, stderr } = await copy.lab("run", "--clock", clock, "--loads", "1", ...conditions, ...given);
  assert.equal(code, ExitCode.done, stderr);
  const seen = loadsIn(`${copy.folder}/${runFolder(stderr)}`)
    .filter(({ ok }) => ok)
    .map(({ condition, evidence }) => {
      const requests = evidence!.connections.flatMap(({ requests: all }) => all);
      assert.deepEqual(
        rootPaths.filter((path) => requests.find((one) => one.path === path)?.status !== 200),
        [],
        condition,
      );
      const page = requests.find(({ path }) => path === "/")!;
      return [/compression-(\w+)/.exec(condition)?.[1] ?? "gzip", page.encoding ?? "none", page.bytes < 1500];
    });
  assert.deepEqual(seen.sort(), [["none", "none", false], ...encodings.map((one) => [one, one, true])].sort());
}
