/** Finds an HTML document's references to resources that a browser requests when it loads the document. */
import { parse, type Token, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { parseSrcset, stringifySrcset } from "srcset";
import { cssPlaces } from "./css-references.ts";
import { type Place, type Reference, rewrite } from "./place.ts";

/** Maps each attribute that contains a URL to the elements that may have the attribute (HTML, section 4). */
type AttributeElements = Record<string, string[]>;
const objects: AttributeElements = {
  src: ["img", "script", "audio", "video", "source", "input"],
  poster: ["video"],
  href: ["image", "feimage"],
  "xlink:href": ["image", "feimage"],
  background: ["body", "table", "td", "th"],
};
/** Attributes whose files must stay on the document's host: frames, parts of SVG images, captions. */
const documents: AttributeElements = {
  src: ["iframe", "frame", "embed", "track"],
  data: ["object"],
  href: ["use"],
  "xlink:href": ["use"],
};
/** Attributes that contain lists of URLs. */
const sets: AttributeElements = { srcset: ["img", "source"], imagesrcset: ["link"] };
const attributesOf = (elements: AttributeElements, name: string) =>
  Object.keys(elements).filter((attribute) => elements[attribute]!.includes(name));
/** Values of `rel` for links that a browser requests by itself. */
const linked = ["stylesheet", "preload", "modulepreload", "prefetch"];
const unasked = [
  "icon",
  "apple-touch-icon",
  "apple-touch-icon-precomposed",
  "apple-touch-startup-image",
  "mask-icon",
  "fluid-icon",
  "manifest",
];
const connected = ["preconnect", "dns-prefetch"];

export interface Html {
  /** The URL in the document's <base>; null if there is no <base>. */
  base: string | null;
  places: Place[];
}

export function htmlPlaces(text: string): Html {
  const found: Found = { base: null, places: [], text };
  // No recursion, because deeply nested documents would overflow the stack.
  const open: Tree.Node[] = [parse(text, { sourceCodeLocationInfo: true })];
  for (let node = open.pop(); node; node = open.pop()) {
    if ("tagName" in node) element(node, found);
    const inside = "childNodes" in node ? node.childNodes : [];
    for (let at = inside.length - 1; at >= 0; at--) open.push(inside[at]!);
    if (node.nodeName === "template") open.push((node as Tree.Template).content);
  }
  return found;
}

interface Found extends Html {
  text: string;
}

function element(node: Tree.Element, found: Found): void {
  const name = node.tagName.toLowerCase();
  const values = new Map(node.attrs.map((attribute) => [nameOf(attribute), attribute.value]));
  const places = node.sourceCodeLocation?.attrs ?? {};
  const at = (attribute: string, references: Reference[], value: (urls: string[]) => string | null) => {
    const place = places[attribute];
    if (!place) return;
    const write = (urls: string[]) => {
      const written = value(urls);
      return written === null ? "" : `${attribute}="${escaped(written)}"`;
    };
    found.places.push({ start: place.startOffset, end: place.endOffset, references, write });
  };
  const one = (attribute: string, as: Reference["as"]) => {
    const url = values.get(attribute)?.trim();
    if (url) at(attribute, [{ url, as }], ([to = ""]) => to);
  };
  if (name === "base" && values.has("href") && found.base === null) {
    found.base = values.get("href")!;
    one("href", "base");
  }
  if (name === "link") link(values, one);
  for (const attribute of attributesOf(objects, name)) one(attribute, "object");
  for (const attribute of attributesOf(documents, name)) one(attribute, "document");
  for (const attribute of attributesOf(sets, name)) set(values.get(attribute), (...given) => at(attribute, ...given));
  const style = values.get("style");
  if (style) {
    const inner = cssPlaces(style);
    const references = inner.flatMap((place) => place.references);
    if (references.length) at("style", references, (urls) => rewrite(style, inner, inOrder(urls)));
  }
  // Integrity digests would not match rewritten files, and a content security policy would not allow the lab's hosts. Both are removed.
  if (values.has("integrity")) at("integrity", [], () => null);
  if (name === "meta" && values.get("http-equiv")?.toLowerCase() === "content-security-policy")
    at("content", [], () => null);
  if (name === "style") found.places.push(...styleText(node, found.text));
}

function link(values: Map<string, string>, one: (attribute: string, as: Reference["as"]) => void): void {
  const rel = (values.get("rel") ?? "").toLowerCase().split(/\s+/);
  if (rel.some((word) => linked.includes(word))) one("href", "object");
  else if (rel.some((word) => unasked.includes(word))) one("href", "unasked");
  else if (rel.some((word) => connected.includes(word))) one("href", "connection");
}

function set(
  value: string | undefined,
  at: (references: Reference[], write: (urls: string[]) => string) => void,
): void {
  if (!value) return;
  const candidates = parseSrcset(value);
  at(
    candidates.map(({ url }) => ({ url, as: "object" })),
    (urls) => stringifySrcset(candidates.map((candidate, i) => ({ ...candidate, url: urls[i]! }))),
  );
}

function styleText({ childNodes }: Tree.Element, text: string): Place[] {
  return childNodes.flatMap(({ sourceCodeLocation }) => {
    if (!sourceCodeLocation) return [];
    const { startOffset: from, endOffset } = sourceCodeLocation;
    const places = cssPlaces(text.slice(from, endOffset));
    return places.map((place) => ({ ...place, start: place.start + from, end: place.end + from }));
  });
}

function inOrder(urls: string[]): () => string {
  let next = 0;
  return () => urls[next++]!;
}

/** Returns an attribute's full name, because parse5 separates the prefix of `xlink:href`. */
export const nameOf = ({ name, prefix }: Token.Attribute) => (prefix ? `${prefix}:${name}` : name);
const escaped = (value: string) => value.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
