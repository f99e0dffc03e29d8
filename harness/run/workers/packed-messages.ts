/** Packs a lane's messages for the queue (JSON lines, gzip, base64). They are unpacked only up to a limit, because a worker is not trusted. */
import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "zod";
import { type LaneMessage, laneMessageSchema } from "../../../schema/lane-messages.ts";

/** The limit for a chunk's messages. A chunk of 48 loads with all traces has some tens of megabytes of messages. */
export const mostUnpackedBytes = 256e6;

export const packMessages = (messages: readonly LaneMessage[]): string =>
  gzipSync(messages.map((message) => JSON.stringify(message)).join("\n")).toString("base64");

/** Yields one message after another, so that a reader can stop at a message that it refuses. @throws Error for invalid or too large messages */
export function* unpackMessages(packed: string): Generator<LaneMessage> {
  const text = unzipped(packed);
  const lineFeed = 0x0a;
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf(lineFeed, start);
    const end = next < 0 ? text.length : next;
    yield messageOf(text.toString("utf8", start, end));
    start = end + 1;
  }
}

function unzipped(packed: string): Buffer {
  try {
    return gunzipSync(Buffer.from(packed, "base64"), { maxOutputLength: mostUnpackedBytes });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(
      code === "ERR_BUFFER_TOO_LARGE"
        ? `its messages unpack to more than ${mostUnpackedBytes / 1e6} MB`
        : `its messages cannot be unpacked (${message})`,
    );
  }
}

const shownCharacters = 80;

function messageOf(line: string): LaneMessage {
  try {
    return laneMessageSchema.parse(JSON.parse(line));
  } catch (error) {
    const why = error instanceof z.ZodError ? error.issues[0]!.message : (error as Error).message;
    throw new Error(
      `it has a line that is not a lane's message, ${JSON.stringify(line.slice(0, shownCharacters))}: ${why}`,
    );
  }
}
