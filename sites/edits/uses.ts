import { tokenize, tokenTypes } from "css-tree/tokenizer";
import type { MarkupElement } from "./markup.ts";

/** "module" is a script with type=module. "frame" is a document in a frame. "other" is audio, video, an icon, or data that a script fetches. */
export type Use = "script" | "module" | "style" | "image" | "font" | "frame" | "other";

const hints = ["preload", "modulepreload", "prefetch"];
const usesOfPreloads = ["script", "style", "image", "font"] as const;
const images = ["img", "input", "foreign:image", "foreign:feimage", "body", "table", "td", "th"];

export const relOf = ({ values }: MarkupElement): string[] => (values.get("rel") ?? "").toLowerCase().split(/\s+/);
export const isStyleLink = (element: MarkupElement): boolean =>
  element.name === "link" && relOf(element).includes("stylesheet");
/** Whether the element is a preload, modulepreload or prefetch link. Its file has no effect unless something else uses the file. */
export const isHint = (element: MarkupElement): boolean =>
  element.name === "link" && !isStyleLink(element) && relOf(element).some((word) => hints.includes(word));

export function useOf(element: MarkupElement, attribute: string): Use {
  const { name, values } = element;
  if (attribute === "style" || attribute === "poster" || attribute === "srcset" || images.includes(name))
    return "image";
  if (name === "script") return values.get("type")?.trim().toLowerCase() === "module" ? "module" : "script";
  if (name === "iframe" || name === "frame") return "frame";
  if (isStyleLink(element)) return "style";
  if (!isHint(element)) return "other";
  if (relOf(element).includes("modulepreload")) return "module";
  const as = values.get("as")?.toLowerCase();
  return usesOfPreloads.find((use) => use === as) ?? "other";
}

/** Maps the position of each string and URL in a style sheet to its use. The use is meaningful only if the string is a reference. */
export function usesInCss(css: string): ReadonlyMap<number, Use> {
  const uses = new Map<number, Use>();
  const blocks: string[] = [];
  let rule = "";
  tokenize(css, (type, start, end) => {
    if (type === tokenTypes.AtKeyword) rule = css.slice(start, end).toLowerCase();
    else if (type === tokenTypes.LeftCurlyBracket) {
      blocks.push(rule);
      rule = "";
    } else if (type === tokenTypes.RightCurlyBracket) {
      blocks.pop();
      rule = "";
    } else if (type === tokenTypes.Semicolon) rule = "";
    else if (type === tokenTypes.Url || type === tokenTypes.String)
      uses.set(start, rule === "@import" ? "style" : blocks.includes("@font-face") ? "font" : "image");
  });
  return uses;
}
