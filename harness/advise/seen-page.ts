/** Reads from a first load of a page which files the page requests and paints, because these decide which changes can be tried. */
import { parsedUrl } from "../../schema/parsed-url.ts";
import { hostAndPathOf } from "../../schema/recorded-names.ts";
import { requestedFile } from "../../sites/edits/editable-page.ts";
import type { SeenPage } from "./change.ts";
import type { MadeStage } from "./stage.ts";
import { unchanged } from "./times.ts";

export function lookAt({ page, document }: Pick<SeenPage, "page" | "document">, { shown }: MadeStage): SeenPage {
  const { evidence = [], window = null } = shown.get(unchanged) ?? {};
  const [first] = evidence;
  const asked = first?.connections.flatMap(({ host, requests }) => requests.map((one) => ({ ...one, host }))) ?? [];
  const requests = [...asked]
    .sort((a, b) => a.startMs - b.startMs)
    .map(({ path, host, bytes, initiator = null }) => ({ path: requestedFile(path), host, bytes, initiator }))
    .filter(({ path }) => page.has(path));
  const url = first?.paint?.byProtocol?.image?.url;
  const image = url !== undefined && parsedUrl(url) ? requestedFile(hostAndPathOf(url).path) : null;
  const isFile = image !== null && page.has(image);
  const imagesInWindow = window && new Set(window.images.map(requestedFile));
  return { page, document, requests, largestImage: isFile ? image : null, imagesInWindow };
}
