/** Matches the line that servers/aioquic and servers/quinn write to stderr when a QUIC connection begins. Its values are the QUIC library's. */
const line = /^connection begins: (?:congestion control (?<control>\w+), )?window (?<bytes>\d+) bytes$/gm;

const begun = (log: string) => [...log.matchAll(line)].map(({ groups }) => groups ?? {});

/** @returns the congestion controls of the connections in the log, without repetition */
export const controlsIn = (log: string): string[] => [
  ...new Set(begun(log).flatMap(({ control }) => (control === undefined ? [] : [control]))),
];

/** @returns the initial windows of the connections in the log, in bytes, without repetition */
export const windowsIn = (log: string): number[] => [...new Set(begun(log).map(({ bytes }) => Number(bytes)))];
