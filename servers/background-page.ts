/** Serves the background page: a document with images of equal size. */
import { createServer, type Server } from "node:https";
import type { BackgroundPageVisit } from "../schema/background.ts";

export interface Certified {
  cert: Buffer;
  key: Buffer;
}

/** @returns a server that never ends a connection, because the client closes all of a visit's connections at once */
export function backgroundPage({ documentBytes, images, imageBytes }: BackgroundPageVisit, tls: Certified): Server {
  const names = Array.from({ length: images }, (_, i) => `<img src=/${i + 1}>`);
  const markup = Buffer.from(names.join("\n").padEnd(documentBytes));
  const image = Buffer.alloc(imageBytes);
  const patient = { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 };
  return createServer({ ...tls, ...patient }, (asked, answer) => {
    const body = asked.url === "/" ? markup : image;
    answer.writeHead(200, { "content-length": body.length });
    answer.end(body);
  });
}
