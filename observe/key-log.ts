/** The secrets of a client's connections, as the client logs them in the format of SSLKEYLOGFILE (RFC 9850). */

/** The secrets with which one end encrypts the handshake, and the data after it. */
export interface Secrets {
  handshake: Buffer;
  data: Buffer;
}

export interface ConnectionSecrets {
  /** The client's random number in its ClientHello, as hexadecimal digits; it identifies the connection. */
  clientRandom: string;
  client: Secrets;
  server: Secrets;
}

const labels = {
  CLIENT_HANDSHAKE_TRAFFIC_SECRET: ["client", "handshake"],
  SERVER_HANDSHAKE_TRAFFIC_SECRET: ["server", "handshake"],
  CLIENT_TRAFFIC_SECRET_0: ["client", "data"],
  SERVER_TRAFFIC_SECRET_0: ["server", "data"],
} as const;

/** Finds the TLS 1.3 connections whose four secrets are all in the log, in the order of their first secret. */
export function readKeyLog(log: string): ConnectionSecrets[] {
  const byRandom = new Map<string, { client: Partial<Secrets>; server: Partial<Secrets> }>();
  for (const line of log.split("\n")) {
    const [label = "", random = "", secret = ""] = line.trim().split(" ");
    if (!(label in labels)) continue;
    const [end, level] = labels[label as keyof typeof labels];
    const known = byRandom.get(random) ?? { client: {}, server: {} };
    known[end][level] = Buffer.from(secret, "hex");
    byRandom.set(random, known);
  }
  const isWhole = (one: Partial<Secrets>): one is Secrets => one.handshake !== undefined && one.data !== undefined;
  return [...byRandom].flatMap(([clientRandom, { client, server }]) =>
    isWhole(client) && isWhole(server) ? [{ clientRandom, client, server }] : [],
  );
}
