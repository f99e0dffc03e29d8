import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface Process {
  pid: number;
  command: string;
  marked: boolean;
  namespace: string;
}

/** Every process that bears an environment variable, and whatever shares a PID namespace with one, but for our own. */
export function processesOf(mark: string): Process[] {
  const own = readlinkSync("/proc/self/ns/pid");
  const all = processes(mark);
  const lanes = new Set(all.filter(({ marked, namespace }) => marked && namespace !== own).map(({ namespace }) => namespace));
  return all.filter(({ marked, namespace }) => marked || lanes.has(namespace));
}

function processes(mark: string): Process[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid): Process[] => {
    try {
      const text = (file: string) => readFileSync(`/proc/${pid}/${file}`, "utf8");
      return [{ pid: Number(pid), command: text("cmdline").replaceAll("\0", " "), marked: text("environ").includes(mark), namespace: readlinkSync(`/proc/${pid}/ns/pid`) }];
    } catch {
      return []; // ended meanwhile
    }
  });
}
