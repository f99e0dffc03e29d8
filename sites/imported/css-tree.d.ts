/** css-tree's types are all in one file, but loading all of it takes ten times as long as its tokenizer. */
declare module "css-tree/tokenizer" {
  export { tokenize, tokenTypes } from "css-tree";
}

declare module "css-tree/utils" {
  export { string, url } from "css-tree";
}
