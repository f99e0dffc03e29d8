/** Configures nginx in front of the replay's Node.js server. nginx speaks HTTP/3, and passes each request on over HTTP/1.1 on the same host. */
import { keyExchanges } from "../../schema/tls.ts";
import { mainBlock, temporaryPaths } from "../nginx/main-block.ts";
import type { ServerOptions } from "../software.ts";

export interface Front {
  options: ServerOptions;
  /** HTTP/3's port. */
  port: number;
  /** The names of each recorded host, in the order of `options.replayed`. */
  hosts: readonly (readonly string[])[];
  /** The port on which the Node.js server listens for requests from nginx. */
  behindPort: number;
}

const withoutPort = (name: string) => name.replace(/:\d+$/, "");

/** All time-outs are longer than any load. `$host` is a request's host name without its port, so the Node.js server gets no port. */
export const configuration = ({ options: { scratch, tls, ...own }, port, hosts, behindPort }: Front): string => {
  const certified = (files: { certificate: string; key: string }) =>
    `ssl_certificate ${files.certificate}; ssl_certificate_key ${files.key};`;
  const serverOf = (names: readonly string[], files: { certificate: string; key: string }, more = "") =>
    `server { listen ${port} quic${more}; server_name ${names.map((name) => `"${name}"`).join(" ")}; ${certified(files)} location / { proxy_pass http://behind; } }`;
  const byName = (own.replayed ?? []).map((files, i) =>
    serverOf([...new Set((hosts[i] ?? []).map(withoutPort))], files),
  );
  return `
${mainBlock(scratch)}
http {
  access_log off;
  tcp_nodelay on;
  server_tokens off;
  keepalive_timeout 600s;
  keepalive_requests 100000;
  send_timeout 600s;
  client_max_body_size 0;
  server_names_hash_bucket_size 512;
  ${temporaryPaths(scratch)}
  ssl_protocols TLSv1.3;
  ssl_ecdh_curve ${keyExchanges[tls.keyExchange].openssl};
  ssl_session_cache off;
  ssl_session_tickets ${tls.resumption ? "on" : "off"};
  upstream behind { server 127.0.0.1:${behindPort}; keepalive 100; }
  proxy_http_version 1.1;
  proxy_set_header Host $host;
  proxy_set_header Connection "";
  proxy_pass_header Server;
  proxy_pass_header Date;
  proxy_max_temp_file_size 0;
  proxy_read_timeout 600s;
  proxy_send_timeout 600s;
  ${[serverOf(["_"], own, " default_server"), ...byName].join("\n  ")}
}
`;
};
