import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface Process {
  pid: number;
  parentPid: number;
  command: string;
  marked: boolean;
  namespace: string;
}

/**
 * Finds all processes with this environment variable, their descendants, and all processes in the PID namespaces of these processes, except
 * in our own namespace. Descendants count because a sandboxed renderer has neither its browser's environment nor its browser's namespace.
 */
export function processesOf(mark: string): Process[] {
  const own = readlinkSync("/proc/self/ns/pid");
  let rest = processes(mark);
  const found: Process[] = [];
  const pids = new Set<number>();
  const namespaces = new Set<string>();
  const belongs = ({ marked, namespace, parentPid }: Process) =>
    marked || namespaces.has(namespace) || pids.has(parentPid);
  for (let next = rest.filter(belongs); next.length; next = rest.filter(belongs)) {
    for (const { pid, namespace } of next) {
      pids.add(pid);
      if (namespace !== own) namespaces.add(namespace);
    }
    found.push(...next);
    rest = rest.filter(({ pid }) => !pids.has(pid));
  }
  return found;
}

function processes(mark: string): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid): Process[] => {
      const text = (file: string) => readFileSync(`/proc/${pid}/${file}`, "utf8");
      try {
        const parentPid = Number(/^PPid:\t(\d+)$/m.exec(text("status"))?.[1]);
        return [
          {
            pid: Number(pid),
            parentPid,
            command: text("cmdline").replaceAll("\0", " "),
            marked: text("environ").includes(mark),
            namespace: readlinkSync(`/proc/${pid}/ns/pid`),
          },
        ];
      } catch {
        return []; // it has ended meanwhile
      }
    });
}
