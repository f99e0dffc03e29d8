import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { after } from "node:test";
import { environment } from "../hosts/environment.ts";

/** A copy of the certificates and pages, for a test to put things beside them: the lanes of this test file serve it. */
export function copyOfState(): string {
  const copy = mkdtempSync("/tmp/lab-state-");
  after(() => rmSync(copy, { recursive: true }));
  // Where they are missing, setup makes them.
  if (existsSync(environment.state)) cpSync(environment.state, copy, { recursive: true, verbatimSymlinks: true });
  process.env.LAB_STATE = copy;
  return copy;
}
