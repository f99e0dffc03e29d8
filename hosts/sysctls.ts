/** Reads and sets kernel parameters of this host. A parameter applies to the network namespace or to the whole kernel. sysctl(8) */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const kernels = "/proc/sys";
/** Matches the name of a module's parameter, such as "module.tcp_cubic.beta". These parameters apply to the whole kernel. */
const ofModule = /^module\.(\w+)\.(\w+)$/;

function fileOf(name: string, folder = kernels): string {
  const [, module, parameter] = ofModule.exec(name) ?? [];
  return module ? `/sys/module/${module}/parameters/${parameter}` : `${folder}/${name.replaceAll(".", "/")}`;
}

/** Replaces tabs by spaces. The kernel separates the numbers of one parameter with tabs, and accepts spaces too. */
export const plainSysctl = (value: string) => value.trim().replaceAll(/\s+/g, " ");

/** Reads the value for records; "not there" if the kernel does not have the parameter. */
export const sysctlOrNone = (name: string): string =>
  existsSync(fileOf(name)) ? readFileSync(fileOf(name), "utf8").trim() : "not there";

/** Reads the value of a parameter that is a number; null if the kernel does not have the parameter. */
export function sysctlNumber(name: string): number | null {
  const value = Number(sysctlOrNone(name));
  return Number.isNaN(value) ? null : value;
}

/** How many segments a receiver acknowledges before it delays ACKs: 16 in Linux (TCP_MAX_QUICKACKS). Only the lab's kernel has this parameter. */
export const maxQuickacks = "net.ipv4.tcp_max_quickacks";
/** How often Linux retransmits a SYN before it begins to double the time-out: 4 since Linux 6.5. Older kernels double every time-out. ip-sysctl */
export const synLinearTimeouts = "net.ipv4.tcp_syn_linear_timeouts";

export const hasSysctl = (name: string, value: string): boolean =>
  plainSysctl(sysctlOrNone(name)) === plainSysctl(value);

/** Sets the parameters that a condition requires, and remembers their original values. */
export class Sysctls {
  readonly #folder: string;
  #wanted: Readonly<Record<string, string>> = {};
  readonly #original = new Map<string, string>();

  constructor(folder = kernels) {
    this.#folder = folder;
  }

  /** Sets these parameters, and restores the original values of all others. @throws Error that names the parameter */
  set(wanted: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(wanted)) {
      if (!this.#original.has(name)) this.#original.set(name, this.#readOne(name));
      this.#write(name, value);
    }
    for (const [name, value] of this.#original) if (!(name in wanted)) this.#write(name, value);
    this.#wanted = wanted;
  }

  /** Reads the current values of the parameters that were set last. */
  read(): Record<string, string> {
    return Object.fromEntries(Object.keys(this.#wanted).map((name) => [name, plainSysctl(this.#readOne(name))]));
  }

  #readOne(name: string): string {
    const file = fileOf(name, this.#folder);
    if (!existsSync(file)) throw new Error(`this host's kernel has no parameter ${name}`);
    return readFileSync(file, "utf8").trim();
  }

  /** Writes only changes, because parameters are read-only in containers. There, the lab requests only values that are already set. */
  #write(name: string, value: string): void {
    if (plainSysctl(this.#readOne(name)) === plainSysctl(value)) return;
    try {
      writeFileSync(fileOf(name, this.#folder), value);
    } catch (error) {
      throw new Error(`${name} cannot be set to "${value}": ${(error as Error).message}`);
    }
  }
}
