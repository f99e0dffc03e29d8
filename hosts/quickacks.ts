/** How many segments a receiver acknowledges before it delays ACKs: 16 in Linux (TCP_MAX_QUICKACKS); only the lab's kernel has a parameter for it. */
import { existsSync, readFileSync } from "node:fs";

export const maxQuickacks = "net.ipv4.tcp_max_quickacks";
const file = `/proc/sys/${maxQuickacks.replaceAll(".", "/")}`;

/** null in other kernels, where nothing can change it. */
export const readMaxQuickacks = (): number | null =>
  existsSync(file) ? Number(readFileSync(file, "utf8").trim()) : null;
