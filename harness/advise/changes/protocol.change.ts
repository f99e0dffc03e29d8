import { entryOf } from "../../../schema/registries.ts";
import { readProtocols } from "../../../servers/protocols.ts";
import type { ChangeKind } from "../change.ts";

/** Serving a page without TLS is never recommended. */
const isSecure = ({ scheme }: { scheme: string }) => scheme === "https";

export const change: ChangeKind = {
  name: "protocol",
  title: "another protocol that the page's server speaks",
  changesOf({ now, registries }) {
    const titles = readProtocols();
    return entryOf(registries.servers, "servers", now.server)
      .protocols.filter((name) => name !== now.protocol && titles[name] && isSecure(titles[name]))
      .map((protocol) => ({
        name: `protocol-${protocol}`,
        title: `serve it over ${titles[protocol]?.title ?? protocol}`,
        values: { protocol },
      }));
  },
};
