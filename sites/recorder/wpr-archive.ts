/** Reads an archive of WprGo (catapult, web_page_replay_go): gzipped JSON that maps hosts to URLs, and URLs to HTTP/1.1 messages in base64. */
import { z } from "zod";
import { check } from "../../schema/yaml-file.ts";
import { parseHarFile } from "../har/har-file.ts";
import { type ArchivedMessages, recordingOfArchive } from "./archive-recording.ts";
import type { Seen } from "./seen-exchange.ts";

const base64 = z.string().nullish();
const archive = z.looseObject({
  Requests: z.record(
    z.string(),
    z
      .record(
        z.string(),
        z.array(z.looseObject({ SerializedRequest: base64, SerializedResponse: base64 }).nullable()).nullable(),
      )
      .nullable(),
  ),
});

/** @param start the page's URL; without it, the archive must have one page @throws LabError (usage) */
export function readWprArchive(file: string, start?: string): Seen {
  const { Requests: hosts } = check(parseHarFile(file, "archive of WprGo"), archive, file);
  const bytesOf = (text?: string | null) => Buffer.from(text ?? "", "base64");
  const messages = Object.values(hosts).flatMap((urls) =>
    Object.entries(urls ?? {}).flatMap(([url, requests]) =>
      (requests ?? []).map(
        (one): ArchivedMessages => ({
          url,
          request: bytesOf(one?.SerializedRequest),
          response: bytesOf(one?.SerializedResponse),
        }),
      ),
    ),
  );
  return recordingOfArchive({ file, recordedBy: "WprGo", lacks: "order, times and addresses", messages }, start);
}
