/** Where an HTML document names other resources that loading it asks for. */
import { parse, type Token, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { parseSrcset, stringifySrcset } from "srcset";
import { cssPlaces } from "./css-references.ts";
import { type Place, type Reference, rewrite } from "./place.ts";

/** Attributes that hold one URL, by element; HTML, section 4. What must be the document's own host's: frames, SVG's pieces, captions. */
const objects: Record<string, string[]> = {
  img: ["src"],
  script: ["src"],
  audio: ["src"],
  video: ["src", "poster"],
  source: ["src"],
  input: ["src"],
  image: ["href", "xlink:href"],
  feimage: ["href", "xlink:href"],
  body: ["background"],
  table: ["background"],
  td: ["background"],
  th: ["background"],
};
const documents: Record<string, string[]> = {
  iframe: ["src"],
  frame: ["src"],
  embed: ["src"],
  object: ["data"],
  track: ["src"],
  use: ["href", "xlink:href"],
};
const sets: Record<string, string[]> = { img: ["srcset"], source: ["srcset"], link: ["imagesrcset"] };
/** Links that a browser follows by itself, by their `rel`. */
const linked = ["stylesheet", "icon", "preload", "modulepreload", "prefetch", "manifest", "apple-touch-icon"];
const connected = ["preconnect", "dns-prefetch"];

export interface Html {
  /** What its relative URLs are relative to, if it says so. */
  base: string | null;
  places: Place[];
}

export function htmlPlaces(text: string): Html {
  const found: Found = { base: null, places: [], text };
  const visit = (node: Tree.Node) => {
    if ("tagName" in node) element(node, found);
    if (node.nodeName === "template") visit((node as Tree.Template).content);
    if ("childNodes" in node) node.childNodes.forEach(visit);
  };
  visit(parse(text, { sourceCodeLocationInfo: true }));
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
  for (const attribute of objects[name] ?? []) one(attribute, "object");
  for (const attribute of documents[name] ?? []) one(attribute, "document");
  for (const attribute of sets[name] ?? []) set(values.get(attribute), (...given) => at(attribute, ...given));
  const style = values.get("style");
  if (style) {
    const inner = cssPlaces(style);
    const references = inner.flatMap((place) => place.references);
    if (references.length) at("style", references, (urls) => rewrite(style, inner, inOrder(urls)));
  }
  // Neither would hold of what is rewritten: a digest of a style sheet, and a policy that knows one host.
  if (values.has("integrity")) at("integrity", [], () => null);
  if (name === "meta" && values.get("http-equiv")?.toLowerCase() === "content-security-policy")
    at("content", [], () => null);
  if (name === "style") found.places.push(...styleText(node, found.text));
}

function link(values: Map<string, string>, one: (attribute: string, as: Reference["as"]) => void): void {
  const rel = (values.get("rel") ?? "").toLowerCase().split(/\s+/);
  if (rel.some((word) => linked.includes(word))) one("href", "object");
  else if (rel.some((word) => connected.includes(word))) one("href", "connection");
}

/** Every candidate with its descriptors; a list that is wrong is left as it is, for the browser to make what it can of it. */
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

/** A style element's text, which stands in the document as it is. */
function styleText({ childNodes }: Tree.Element, text: string): Place[] {
  return childNodes.flatMap(({ sourceCodeLocation }) => {
    if (!sourceCodeLocation) return [];
    const { startOffset: from, endOffset } = sourceCodeLocation;
    const places = cssPlaces(text.slice(from, endOffset));
    return places.map((place) => ({ ...place, start: place.start + from, end: place.end + from }));
  });
}

/** The new URLs one after the other, as the references come. */
function inOrder(urls: string[]): () => string {
  let next = 0;
  return () => urls[next++]!;
}

/** SVG's `xlink:href` has its prefix apart. */
const nameOf = ({ name, prefix }: Token.Attribute) => (prefix ? `${prefix}:${name}` : name);
const escaped = (value: string) => value.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
