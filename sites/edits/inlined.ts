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

/** Attributes that a style element does not get: only links have them, or they control how a browser requests the file. */
const ofLinks = new Set(
  "rel href type as integrity crossorigin fetchpriority referrerpolicy charset hreflang sizes loading".split(" "),
);

/**
 * Replaces links to a style sheet by style elements with its text, and removes preload and prefetch links to it. Nothing changes if the text would
 * end the style element. Links to alternative style sheets stay, because style elements cannot be alternatives.
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

function styleElement({ text }: Markup, { attributes }: MarkupElement, css: string): string {
  const kept = [...attributes].filter(([name]) => !ofLinks.has(name));
  return `<style${kept.map(([, { start, end }]) => ` ${text.slice(start, end)}`).join("")}>${css}</style>`;
}

/** Copies the encoding declaration to the place before the style element, because browsers search only the document's start for it. */
function declaredBefore(markup: Markup, { start }: TextChange): TextChange[] {
  const declaration = encodingDeclaration(markup);
  if (!declaration || declaration.start < start) return [];
  return [{ start, end: start, to: markup.text.slice(declaration.start, declaration.end) }];
}
