/** Imported before a command: says on stderr, when it ends, the most memory that it held: "peak 123" (MiB). */
process.on("exit", () => console.error(`peak ${Math.round(process.resourceUsage().maxRSS / 1024)}`));
