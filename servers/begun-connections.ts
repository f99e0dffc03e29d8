/** The line that servers/aioquic and servers/quinn write to stderr when a QUIC connection begins, with values from the QUIC library. */
const line = /^connection begins: (?:congestion control (?<control>\w+), )?window (?<bytes>\d+) bytes$/gm;

const begun = (log: string) => [...log.matchAll(line)].map(({ groups }) => groups ?? {});

export const controlsIn = (log: string): string[] => [
  ...new Set(begun(log).flatMap(({ control }) => (control === undefined ? [] : [control]))),
];

/** Initial windows, bytes. */
export const windowsIn = (log: string): number[] => [...new Set(begun(log).map(({ bytes }) => Number(bytes)))];
