/** The elements of an HTML document with their positions in its text. Edits need the positions to leave all other bytes unchanged. */
import { html, parse, type Token, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { nameOf } from "../imported/html-references.ts";
import { textForm } from "../imported/text-encoding.ts";

export interface Span {
  start: number;
  end: number;
}

/** An element whose start tag is in the text. Elements that the parser adds by itself are left out. */
export interface MarkupElement {
  /** The name in lower case. Names of elements that are not HTML have a prefix: "foreign:image" is SVG's image. */
  name: string;
  /** The start tag. */
  tag: Span;
  /** Attribute values by name. If the tag repeats an attribute, the first value counts, as in browsers. */
  values: ReadonlyMap<string, string>;
  attributes: ReadonlyMap<string, Span>;
  /** The nearest enclosing element that has a tag in the text. */
  parent: MarkupElement | null;
  /** Whether the element is inside the head, even if the head has no tag in the text. */
  isInHead: boolean;
  /** Whether the element is in a template, so its files are requested only when a script copies it. Declarative shadow roots do not count. */
  isInTemplate: boolean;
  /** The spans of the child nodes. For a style element, these are its text. */
  texts: Span[];
}

export interface Markup {
  text: string;
  /** The elements in document order. */
  elements: MarkupElement[];
  /** The position at which added elements become the first in the head: after the doctype and the start tags of html and head. */
  headStart: number;
  /** Encodes the edited text in the document's encoding. @param edited has only ASCII in its new parts, unless the encoding is UTF-8 or UTF-16 */
  toBytes(edited: string): Buffer;
}

type Around = Pick<MarkupElement, "parent" | "isInHead" | "isInTemplate">;

export function readMarkup(document: Buffer): Markup {
  const { text, toBytes } = textForm(document, { type: "text/html", charset: null });
  const found = new Map<number, MarkupElement>();
  let headStart = text.startsWith("\ufeff") ? 1 : 0;
  // No recursion, because deeply nested documents would overflow the stack.
  const open: [Tree.Node, Around][] = [
    [parse(text, { sourceCodeLocationInfo: true }), { parent: null, isInHead: false, isInTemplate: false }],
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, around] = next;
    let inside = around;
    if ("tagName" in node) {
      const element = elementOf(node, around);
      // The parser copies an unclosed formatting element into the paragraphs after it; only the first of these elements is in the text.
      if (element && !found.has(element.tag.start)) found.set(element.tag.start, element);
      inside = { ...around, parent: element ?? around.parent, isInHead: around.isInHead || node.tagName === "head" };
    }
    headStart = Math.max(headStart, endBeforeHead(node));
    if ("content" in node)
      open.push([node.content, { ...inside, isInTemplate: around.isInTemplate || !isShadowRoot(node) }]);
    if ("childNodes" in node) for (const child of node.childNodes.toReversed()) open.push([child, inside]);
  }
  const elements = [...found.values()].sort((a, b) => a.tag.start - b.tag.start);
  return { text, elements, headStart, toBytes };
}

function elementOf(node: Tree.Element, around: Around): MarkupElement | null {
  const tag = node.sourceCodeLocation?.startTag;
  if (!tag) return null;
  const places = Object.entries(node.sourceCodeLocation?.attrs ?? {});
  return {
    ...around,
    name: isHtml(node) ? node.tagName : `foreign:${node.tagName.toLowerCase()}`,
    tag: spanOf(tag),
    values: new Map(node.attrs.map((attribute) => [nameOf(attribute), attribute.value])),
    attributes: new Map(places.map(([name, place]) => [name, spanOf(place)])),
    texts: node.childNodes.flatMap(({ sourceCodeLocation: place }) => (place ? [spanOf(place)] : [])),
  };
}

/** Returns the end of a doctype, or of the start tag of html or head; 0 for other nodes and for tags that are not in the text. */
function endBeforeHead(node: Tree.Node): number {
  if (node.nodeName === "#documentType") return node.sourceCodeLocation?.endOffset ?? 0;
  const isStart = "tagName" in node && isHtml(node) && (node.tagName === "html" || node.tagName === "head");
  return isStart ? (node.sourceCodeLocation?.startTag?.endOffset ?? 0) : 0;
}

const isShadowRoot = ({ attrs }: Tree.Template) => attrs.some(({ name }) => name === "shadowrootmode");
const isHtml = ({ namespaceURI }: Tree.Element) => namespaceURI === html.NS.HTML;
const spanOf = ({ startOffset, endOffset }: Token.Location): Span => ({ start: startOffset, end: endOffset });
