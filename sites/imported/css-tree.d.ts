/** Types for css-tree's tokenizer. The lab does not import all of css-tree, because loading it would take ten times as long. */
declare module "css-tree/tokenizer" {
  export { tokenize, tokenTypes } from "css-tree";
}

declare module "css-tree/utils" {
  export { string, url } from "css-tree";
}
