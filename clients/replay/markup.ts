/** Finds the resources that a document's markup requests; the document may be incomplete. */
import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { parsedUrl } from "../../schema/parsed-url.ts";

export type Kind = "document" | "image" | "script" | "style" | "icon";

export interface Named {
  url: URL;
  kind: Kind;
}

/** The attribute that contains an element's URL, by tag name; style sheets and icons are `link` elements. */
const naming: Record<string, string> = { img: "src", script: "src", link: "href" };
const kinds: Record<string, Kind> = { img: "image", script: "script", stylesheet: "style", icon: "icon" };

/** Finds resources in the order of the markup, as a browser's preload scanner does. An incomplete tag does not count yet (HTML, 13.2.5). */
export function namedIn(html: string, base: URL): Named[] {
  const found: Named[] = [];
  const visit = (node: Tree.Node) => {
    if ("tagName" in node) found.push(...namedBy(node, base));
    if ("childNodes" in node) node.childNodes.forEach(visit);
  };
  visit(parse(html));
  return found;
}

function namedBy({ tagName, attrs }: Tree.Element, base: URL): Named[] {
  const attribute = (name?: string) => attrs.find((one) => one.name === name)?.value;
  const reference = attribute(naming[tagName]);
  const words = tagName === "link" ? (attribute("rel")?.split(/\s+/) ?? []) : [tagName];
  const [kind] = words.flatMap((word) => (Object.hasOwn(kinds, word) ? kinds[word]! : []));
  const url = reference && kind ? parsedUrl(reference, base.href) : null;
  return url && kind && url.protocol === base.protocol ? [{ url, kind }] : [];
}
