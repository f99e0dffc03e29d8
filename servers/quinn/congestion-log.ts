/** The lines in which the server tells each connection's congestion control, by the type of quinn's own object for it (program/src/main.rs). */
const line = /^congestion control: (\w+)$/gm;

export const congestionIn = (log: string): string[] => [
  ...new Set([...log.matchAll(line)].map(([, control]) => control!)),
];
