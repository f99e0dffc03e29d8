/** The edit that puts a style sheet into the document. */
import type { Edit } from "./edited-page.ts";
import { encodingDeclaration } from "./encoding-declaration.ts";
import { withoutHints } from "./hints.ts";
import { isLoadedStyleLink } from "./loading.ts";
import { type Markup, type MarkupElement, readMarkup } from "./markup.ts";
import { documentPlaces } from "./references.ts";
import { styleText } from "./style-text.ts";
import { changed, type TextChange } from "./text-changes.ts";
import { withoutUnused } from "./used-files.ts";
import { relOf } from "./uses.ts";

/** Attributes that only links have, or that say how to request the file. */
const ofLinks = new Set(
  "rel href type as integrity crossorigin fetchpriority referrerpolicy charset hreflang sizes loading".split(" "),
);

/**
 * Links to the style sheet become style elements with its text. Links of alternative style sheets stay, because style elements cannot
 * be alternatives. A text that would end its style element stays a file. Links that request the file early are removed.
 * @param path in the page
 */
export function inlined(path: string): Edit {
  return (before) => {
    const markup = readMarkup(before.html);
    const changes = documentPlaces(before, markup).flatMap(({ element, attribute, files: [file] }): TextChange[] => {
      const isIt = attribute === "href" && file?.original === path && isLoadedStyleLink(element);
      if (!isIt || relOf(element).includes("alternate")) return [];
      const css = styleText(before, markup, file.now);
      return css === null ? [] : [{ ...element.tag, to: styleElement(markup, element, css) }];
    });
    const [first] = changes;
    if (!first) return null;
    const html = markup.toBytes(changed(markup.text, [...declaredBefore(markup, first), ...changes]));
    const after = withoutUnused({ ...before, html });
    return withoutHints(new Set([path]))(after) ?? after;
  };
}

/** The attributes that it keeps have the same bytes. */
function styleElement({ text }: Markup, { attributes }: MarkupElement, css: string): string {
  const kept = [...attributes].filter(([name]) => !ofLinks.has(name));
  return `<style${kept.map(([, { start, end }]) => ` ${text.slice(start, end)}`).join("")}>${css}</style>`;
}

/** The style element could move the declaration of the encoding behind the bytes in which browsers look for it, so a copy of it goes before the element. */
function declaredBefore(markup: Markup, { start }: TextChange): TextChange[] {
  const declaration = encodingDeclaration(markup);
  if (!declaration || declaration.start < start) return [];
  return [{ start, end: start, to: markup.text.slice(declaration.start, declaration.end) }];
}
