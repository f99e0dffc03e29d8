/** The style of all figures: a white background for print, and a shape in addition to each colour, for colour-blind readers. */

/** The colours of Okabe and Ito, Color Universal Design (2008), without yellow, which is hard to see on white. */
const colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000"];
const shapes = ["circle", "square", "triangle", "diamond", "star", "cross", "wye"];

/** Return the colour and the shape of a series, by its index in the figure. No two of the first 49 series have the same colour and shape. */
export const colourOf = (place: number): string => colours[place % colours.length]!;
export const shapeOf = (place: number): string => shapes[(place + Math.floor(place / colours.length)) % shapes.length]!;

export const ink = "#222222";
export const grey = "#767676";
export const gridColour = "#e6e6e6";
export const font = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

export const fontPx = { title: 17, heading: 13, text: 12 };

/** The average width of a character in Helvetica, in em. Widths are estimated from it, because only a browser could measure text. */
const letterEm = 0.54;
/** The average width of a character in titles, which are bold. */
const titleLetterEm = 0.63;
export const widthOf = (text: string, sizePx = fontPx.text): number =>
  (sizePx === fontPx.title ? titleLetterEm : letterEm) * sizePx * text.length;

/** Breaks text into lines of at most this width; a single word may be wider. */
export function wrapped(text: string, widthPx: number, sizePx = fontPx.text): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && widthOf(longer, sizePx) <= widthPx) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
