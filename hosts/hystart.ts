/** CUBIC's HyStart (Ha and Rhee 2008): it ends slow start when round trips grow. tcp_cubic's parameter, the whole kernel's. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const parameter = "/sys/module/tcp_cubic/parameters/hystart";

/** null where the kernel has no CUBIC. */
export const readHystart = (): boolean | null =>
  existsSync(parameter) ? readFileSync(parameter, "utf8").trim() !== "0" : null;

/** What is so already is not written: where nobody may write, nothing else is ever asked for. */
export function setHystart(on: boolean): void {
  if (readHystart() !== on && (existsSync(parameter) || !on)) writeFileSync(parameter, on ? "1" : "0");
}
