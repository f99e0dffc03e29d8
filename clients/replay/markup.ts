/** What a document's markup asks for, as far as it has come. */
import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";

/** The attribute that names what an element shows or runs; style sheets and icons are links. */
const naming: Record<string, string> = { img: "src", script: "src", link: "href" };
const followed = new Set(["stylesheet", "icon"]);

/** In the order of the markup, for which a browser's scanner reads it; a tag of which the end is missing is none yet. HTML, 13.2.5 */
export function namedIn(html: string, base: URL): URL[] {
  const found: URL[] = [];
  const visit = (node: Tree.Node) => {
    if ("tagName" in node) found.push(...namedBy(node, base));
    if ("childNodes" in node) node.childNodes.forEach(visit);
  };
  visit(parse(html));
  return found;
}

function namedBy({ tagName, attrs }: Tree.Element, base: URL): URL[] {
  const attribute = (name?: string) => attrs.find((one) => one.name === name)?.value;
  const reference = attribute(naming[tagName]);
  const isFollowed =
    tagName !== "link" ||
    attribute("rel")
      ?.split(/\s+/)
      .some((word) => followed.has(word));
  if (!reference || !isFollowed || !URL.canParse(reference, base)) return [];
  const url = new URL(reference, base);
  return url.protocol === base.protocol ? [url] : [];
}
