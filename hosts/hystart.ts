/** CUBIC's HyStart (Ha and Rhee 2008), which ends slow start when round-trip times grow. It is a parameter of the whole kernel. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const parameter = "/sys/module/tcp_cubic/parameters/hystart";

/** Reads the parameter; null if the kernel has no CUBIC. */
export const readHystart = (): boolean | null =>
  existsSync(parameter) ? readFileSync(parameter, "utf8").trim() !== "0" : null;

/** Writes only changes, because the parameter is read-only on some hosts. There, the lab requests only the current value. */
export function setHystart(on: boolean): void {
  if (readHystart() !== on && (existsSync(parameter) || !on)) writeFileSync(parameter, on ? "1" : "0");
}
