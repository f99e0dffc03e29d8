/** Names and paths that become parts of paths on a disk, including foreign ones in a run's folder or in a worker's job. */
import { normalize } from "node:path";
import { z } from "zod";

const aName = /^[a-z0-9][\w.-]*$/i;
/** A name of a page, protocol, server or client. */
export const nameSchema = z
  .string()
  .max(100)
  .regex(aName, "a name begins with a letter or digit, and has only letters, digits, _, - and .");

const staysInside = (path: string) =>
  path === normalize(path) && !path.startsWith("/") && !path.split("/").some((part) => part.startsWith("."));
export const pathInsideSchema = z.string().refine(staysInside, "it must be inside its folder, without hidden parts");

export const fileNameSchema = z
  .string()
  .max(255)
  .regex(/^[^./\\\0][^/\\\0]*$/, "it must be the name of a file that is not hidden, without folders");
