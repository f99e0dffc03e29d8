/** Writes the result as JUnit's XML for CI servers, with a test suite for each page over a link, and a test case for each demand. */
import { DOMParser } from "linkedom";
import { inOneLine } from "../../schema/foreign-words.ts";
import type { GateReport } from "./gate-report.ts";

interface Element {
  append(child: unknown): void;
}

/** JUnit's element for each result. An undecided demand is an error: the test gave no result. */
const elements = { failed: "failure", undecided: "error", passed: null } as const;

/** The only test case if nothing is demanded, because some CI servers would report a file without tests as an error. */
const loaded = { measure: null, demand: "it can be loaded", result: "passed", measured: "" } as const;

export function gateJUnit({ rows, notLoaded }: GateReport): string {
  const document = new DOMParser().parseFromString('<?xml version="1.0" encoding="UTF-8"?><testsuites/>', "text/xml");
  const element = (parent: Element, name: string, attributes: Record<string, string>) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, inOneLine(value));
    parent.append(made);
    return made;
  };
  for (const { page, version, reason } of notLoaded) {
    const why = version === "after" ? "failure" : "error";
    const counts = { failures: version === "after" ? "1" : "0", errors: version === "after" ? "0" : "1" };
    const suite = element(document.documentElement, "testsuite", { name: page, tests: "1", ...counts });
    const one = element(suite, "testcase", { name: loaded.demand, classname: `gate.${page}` });
    element(one, why, { message: version === "after" ? reason : `the earlier version: ${reason}` });
  }
  for (const row of rows) {
    const { page, link } = row;
    const demands = row.demands.length ? row.demands : [loaded];
    const count = (asked: string) => `${demands.filter(({ result }) => result === asked).length}`;
    const suite = element(document.documentElement, "testsuite", {
      ...{ name: `${page} over ${link}`, tests: `${demands.length}` },
      ...{ failures: count("failed"), errors: count("undecided") },
    });
    for (const { measure, demand, result, measured } of demands) {
      const one = element(suite, "testcase", { name: demand, classname: `gate.${page}.${link}` });
      const why = elements[result];
      if (why) element(one, why, { message: measure === null ? measured : `it is ${measured}` });
    }
  }
  return `${document.toString()}\n`;
}
