/** Creates what all hosts share, unless it exists. Argument: another folder for it. */
import { stateDirectory } from "../hosts/control.ts";
import { ensureSharedFiles } from "./shared-files.ts";

await ensureSharedFiles(process.argv[2] ?? stateDirectory);
