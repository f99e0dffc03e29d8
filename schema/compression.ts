/** How servers compress the texts of an imported page. */
import { z } from "zod";

/** The content codings that servers can use (RFC 9110, section 8.4.1). */
export const encodingSchema = z.enum(["gzip", "br"]);
export type Encoding = z.infer<typeof encodingSchema>;

/** The file extensions of compressed copies, which servers send instead of the files. */
export const copyEndings: Readonly<Record<Encoding, string>> = { gzip: ".gz", br: ".br" };

const compressible =
  /^(text\/.+|(application|image)\/(.+\+)?(json|xml)|application\/(javascript|wasm|vnd\.ms-fontobject)|font\/(ttf|otf)|image\/(bmp|x-icon|vnd\.microsoft\.icon))$/;

/** Whether files of this media type have compressed copies. Texts have them, and so does other content that is stored without compression. */
export const isCompressible = (type: string): boolean => compressible.test(type);
