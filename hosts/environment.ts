import { z } from "zod";
import { usageError } from "../schema/errors.ts";

const schema = z.object({
  /** Which service of compose.yml this process runs on; the lab's own entry runs on none. */
  LAB_HOST: z.string().default(""),
  /** Where the hosts live, when this is one of them. */
  LAB_SUBSTRATE: z.enum(["compose", "netns", "guest"]).optional(),
  /** Of this kernel. */
  LAB_CLOCK: z.enum(["real", "virtual"]).default("real"),
  /** What a guest's host says of it (substrate/guest-versions.ts). */
  LAB_FILES: z.string().optional(),
  LAB_KERNEL: z.string().optional(),
  LAB_PROCESSOR: z.string().optional(),
  /** For files that last as long as the hosts do. */
  LAB_TMPDIR: z.string().default("/tmp"),
  /** Certificates and pages, kept between runs. */
  LAB_STATE: z.string().default(".lab/state"),
  /** Servers that were made for the containers' image. */
  LAB_MADE: z.string().default(""),
  /** What the lab was built from, where there is no git to ask. */
  LAB_COMMIT: z.string().default("unknown"),
});

const read = schema.safeParse(process.env);
if (!read.success)
  throw usageError(
    read.error.issues.map(({ path, message }) => `the environment's ${path.join(".")}: ${message}`).join("\n"),
  );

/** What the environment says of the lab: read here, and nowhere else. */
export const environment = {
  host: read.data.LAB_HOST,
  substrate: read.data.LAB_SUBSTRATE,
  virtualClock: read.data.LAB_CLOCK === "virtual",
  files: read.data.LAB_FILES,
  kernel: read.data.LAB_KERNEL,
  processor: read.data.LAB_PROCESSOR,
  temporary: read.data.LAB_TMPDIR,
  state: read.data.LAB_STATE,
  commit: read.data.LAB_COMMIT,
  made: read.data.LAB_MADE.split(/\s+/),
};
