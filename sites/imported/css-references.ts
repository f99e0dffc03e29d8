/** Finds a style sheet's references to other resources among its tokens. As in browsers, errors elsewhere in the style sheet do not matter. */
import { tokenize, tokenTypes } from "css-tree/tokenizer";
import { string, url } from "css-tree/utils";
import type { Place } from "./place.ts";

/** Functions whose strings are URLs (CSS Values 4, CSS Images 4). */
const urlFunctions = new Set(["url(", "src(", "image-set(", "-webkit-image-set("]);
const blank = new Set<number>([tokenTypes.WhiteSpace, tokenTypes.Comment]);

export function cssPlaces(css: string): Place[] {
  const places: Place[] = [];
  const functions: string[] = [];
  /** The at-keyword just before this token. @namespace stays set until the rule's end, because the URL in this rule is only a name. */
  let rule = "";
  tokenize(css, (type, start, end) => {
    const text = () => css.slice(start, end);
    const add = (target: string) => {
      if (rule !== "@namespace")
        places.push({
          start,
          end,
          references: [{ url: target, as: "object" }],
          write: ([to = ""]) => (type === tokenTypes.Url ? `url(${string.encode(to)})` : string.encode(to)),
        });
    };
    if (type === tokenTypes.Function) functions.push(text().toLowerCase());
    else if (type === tokenTypes.LeftParenthesis) functions.push("(");
    else if (type === tokenTypes.RightParenthesis) functions.pop();
    else if (type === tokenTypes.Url) add(url.decode(text()));
    else if (type === tokenTypes.String && (rule === "@import" || urlFunctions.has(functions.at(-1) ?? "")))
      add(string.decode(text()));
    if (type === tokenTypes.AtKeyword) rule = text().toLowerCase();
    else if (rule === "@namespace" ? type === tokenTypes.Semicolon : !blank.has(type) && functions.length === 0)
      rule = "";
  });
  return places;
}
