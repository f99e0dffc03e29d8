import type { Command } from "commander";
import { checkPage, importPage, recordPage } from "../page.ts";
import { timeLimit } from "./options.ts";

export function addPages(program: Command): void {
  const page = program.command("page").description("look at a page, or bring one");
  page
    .command("check")
    .description("print what a load of it asks for, of which host, and what would leave the lab")
    .argument("<name>", "a folder in pages/")
    .action(checkPage);
  page
    .command("import")
    .description("make a page of a recording: a HAR, as a browser's developer tools save it")
    .argument("<file>", "the HAR")
    .option("--name <name>", "of the folder in pages/ (default: the file's)")
    .action(importPage);
  page
    .command("record")
    .description("load a page from the network, and save what it asks for as a HAR, for page import")
    .argument("<url>", "of the page")
    .option("--file <file>", "of the HAR (default: the URL's host)")
    .option("--timeout <time>", 'how long it may take, as in "60 s"', timeLimit, 60)
    .action(recordPage);
}
