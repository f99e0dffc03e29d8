import { nginx } from "./nginx/server.ts";
import { node } from "./node/server.ts";
import type { ServerSoftware } from "./software.ts";

/** The server software an experiment may name. */
export const servers: Record<string, ServerSoftware> = { nginx, node };

export const serverNames = () => Object.keys(servers);
