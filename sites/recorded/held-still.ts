/** Adds a script to HTML, as Web Page Replay does: it makes the clock and random numbers, on which URLs may depend, the same in each load. */

/** Each reading of the clock advances it by this many milliseconds, so that a loop that waits for a later time ends. */
const stepMs = 1;

const script = (recordedAt: string): string => {
  const code = `(() => {
  const Recorded = Date;
  let now = ${Date.parse(recordedAt)};
  const next = () => (now += ${stepMs});
  function Held(...given) {
    if (!new.target) return new Recorded(next()).toString();
    return Reflect.construct(Recorded, given.length ? given : [next()], new.target);
  }
  Held.prototype = Recorded.prototype;
  Held.prototype.constructor = Held;
  Object.setPrototypeOf(Held, Recorded);
  Held.now = next;
  globalThis.Date = Held;
  let seed = 1;
  Math.random = () => {
    seed = (seed * 16807) % 2147483647;
    return (seed - 1) / 2147483646;
  };
  if (globalThis.crypto) {
    const fill = (array) => {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      bytes.forEach((_, i) => (bytes[i] = Math.floor(Math.random() * 256)));
      return array;
    };
    const text = () => {
      const hex = [...fill(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-8$4-");
    };
    crypto.getRandomValues = fill;
    crypto.randomUUID = text;
  }
})();`;
  return `<script>${code.replaceAll(/\n\s*/g, "\n")}</script>`;
};

/** The script goes after the first of these tags that the document has, or to the start if it has none. It must not go before a doctype. */
const placesBefore = [/<head(?:\s[^>]*)?>/i, /<html(?:\s[^>]*)?>/i, /<!doctype[^>]*>/i];

/** @param html the document decoded as Latin-1, which keeps the bytes of any encoding */
export function withHeldClock(html: string, recordedAt: string): string {
  for (const tag of placesBefore) {
    const found = tag.exec(html);
    if (!found) continue;
    const at = found.index + found[0].length;
    return html.slice(0, at) + script(recordedAt) + html.slice(at);
  }
  return script(recordedAt) + html;
}
