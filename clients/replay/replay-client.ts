/** A client that is not a browser: it fetches the resources in a page's markup, without executing or displaying anything. */
import undici from "undici/package.json" with { type: "json" };
import type { Replays } from "../../schema/registries.ts";
import { type Client, keyLog } from "../client.ts";

interface Kind {
  title: string;
  name: string;
  protocols: string[];
  replays: Replays;
}

export const replayClient = ({ title, name, protocols, replays }: Kind): Client => ({
  title,
  userAgent: `${name}/`,
  protocols,
  replays,
  async open({ hosts, protocols, logs }) {
    const { openReplay } = await import("./open-replay.ts"); // importing it takes time, and only loads need it
    const keys = logs === undefined ? {} : { keysTo: `${logs}/${keyLog}` };
    return openReplay({ userAgent: `${name}/${undici.version}`, replays, hosts, protocols, ...keys });
  },
});
