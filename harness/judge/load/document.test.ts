import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence, RequestEvidence } from "../../../schema/evidence.ts";
import { documentRequests, documentReusesConnection } from "./document.ts";

const request = (path: string, status: number, startMs: number, endMs: number): RequestEvidence => ({
  ...{ path, status, startMs, endMs, bytes: 100 },
});
const [first, second] = [request("//a/", 301, 0, 100), request("//b/", 302, 100, 210)];
const document = request("//b/start", 200, 210, 330);
const image = request("//b/image", 200, 330, 440);

test("documentRequests lists the redirects to the document in order, and then the document's own request", () => {
  assert.deepEqual(documentRequests([image, document, second, first]), [first, second, document]);
  assert.deepEqual(documentRequests([{ ...document, startMs: 0 }, image]), [{ ...document, startMs: 0 }]);
  assert.deepEqual(documentRequests([image]), []);
});

test("documentRequests ends at a redirect that no request follows, or that leads back to an earlier request", () => {
  assert.deepEqual(documentRequests([first, image]), [first]);
  const [there, back] = [request("//a/", 302, 0, 0), request("//b/", 302, 0, 0)];
  assert.deepEqual(documentRequests([there, back]), [there, back]);
});

test("documentReusesConnection is true if a redirect came over the document's connection", () => {
  const over = (...connections: RequestEvidence[][]) =>
    documentReusesConnection({
      connections: connections.map((requests, id) => ({ id, requests })),
    } as unknown as Evidence);
  assert.equal(over([first], [second, document]), true);
  assert.equal(over([first], [second], [document, image]), false);
  assert.equal(over([{ ...document, startMs: 0 }]), false);
});
