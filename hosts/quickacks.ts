/** How many segments a receiver acknowledges at once before it delays: 16 in Linux (TCP_MAX_QUICKACKS), a parameter only in the lab's kernel. */
import { existsSync, readFileSync } from "node:fs";

export const maxQuickacks = "net.ipv4.tcp_max_quickacks";
const file = `/proc/sys/${maxQuickacks.replaceAll(".", "/")}`;

/** null in other kernels, where nothing can change it. */
export const readMaxQuickacks = (): number | null =>
  existsSync(file) ? Number(readFileSync(file, "utf8").trim()) : null;
