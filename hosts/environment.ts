import { z } from "zod";
import { usageError } from "../schema/errors.ts";

const schema = z.object({
  /** The service of compose.yml that this process belongs to; empty for the lab's own command. */
  LAB_HOST: z.string().default(""),
  /** The substrate of the lab's hosts, if this process runs on one of them. */
  LAB_SUBSTRATE: z.enum(["compose", "netns", "guest"]).optional(),
  LAB_CLOCK: z.enum(["real", "virtual"]).default("real"),
  /** How many of compose.yml's hosts with servers there are; by default, all. */
  LAB_WEB_HOSTS: z.coerce.number().pipe(z.int().positive()).optional(),
  /** In a guest: hashes of the lab's files, of the guest's kernel and of its root image (substrate/guest/guest.ts). */
  LAB_FILES: z.string().optional(),
  LAB_KERNEL: z.string().optional(),
  LAB_ROOT: z.string().optional(),
  /** The processor features that libraries may use (substrate/guest/root/init.sh). */
  GLIBC_TUNABLES: z.string().optional(),
  OPENSSL_ia32cap: z.string().optional(),
  /** The folder for temporary files, which are deleted when the hosts end. */
  LAB_TMPDIR: z.string().default("/tmp"),
  /** The folder for certificates and pages, kept between runs. */
  LAB_STATE: z.string().default(".lab/state"),
  /** The user's folders; a container's user may have none. */
  HOME: z.string().optional(),
  XDG_CACHE_HOME: z.string().optional(),
  /** Servers that were built into the containers' image. */
  LAB_MADE: z.string().default(""),
  /** The address of the workers' queue, with its password. It is not on a command line, because ps would show the password. */
  LAB_QUEUE: z.string().optional(),
  /** The user's folder with more pages, servers and axes (added.ts). A command passes it to the processes that it starts. */
  LAB_ADDED: z.string().optional(),
  /** The user's working directory, where relative paths start. The lab itself works in the checkout, to which the entry script changes. */
  LAB_FROM: z.string().default("."),
  /** The commit of a checkout without git, as in an image. */
  LAB_COMMIT: z.string().default("unknown"),
});

const read = schema.safeParse(process.env);
if (!read.success)
  throw usageError(
    read.error.issues.map(({ path, message }) => `the environment variable ${path.join(".")}: ${message}`).join("\n"),
  );

function cacheOf({ XDG_CACHE_HOME, HOME, LAB_STATE }: z.infer<typeof schema>): string {
  const caches = XDG_CACHE_HOME || (HOME && `${HOME}/.cache`);
  return caches ? `${caches}/pageload-lab` : LAB_STATE;
}

/** The lab's environment variables, which are read only here. */
export const environment = {
  host: read.data.LAB_HOST,
  substrate: read.data.LAB_SUBSTRATE,
  virtualClock: read.data.LAB_CLOCK === "virtual",
  webHosts: read.data.LAB_WEB_HOSTS,
  files: read.data.LAB_FILES,
  kernel: read.data.LAB_KERNEL,
  root: read.data.LAB_ROOT,
  processorChoices: { GLIBC_TUNABLES: read.data.GLIBC_TUNABLES, OPENSSL_ia32cap: read.data.OPENSSL_ia32cap },
  temporary: read.data.LAB_TMPDIR,
  state: read.data.LAB_STATE,
  cache: cacheOf(read.data),
  queue: read.data.LAB_QUEUE,
  added: read.data.LAB_ADDED,
  from: read.data.LAB_FROM,
  commit: read.data.LAB_COMMIT,
  made: read.data.LAB_MADE.split(/\s+/),
};
