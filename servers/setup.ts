/** Creates the files that all hosts share, unless they exist. Optional argument: the folder to create them in. */
import { stateDirectory } from "../hosts/control.ts";
import { ensureSharedFiles } from "./shared-files.ts";

await ensureSharedFiles(process.argv[2] ?? stateDirectory);
