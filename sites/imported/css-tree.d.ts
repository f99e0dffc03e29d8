/** Types for css-tree's tokenizer alone, because loading all of css-tree takes ten times as long. */
declare module "css-tree/tokenizer" {
  export { tokenize, tokenTypes } from "css-tree";
}

declare module "css-tree/utils" {
  export { string, url } from "css-tree";
}
