/** Runs in a page: describes the texts whose contrast with their background is less than WCAG 2.2 requires (1.4.3, level AA). */
export function lowContrasts(): string[] {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
  const rgbOf = (colour: string, behind: string) => {
    for (const one of [behind, colour]) {
      canvas.fillStyle = one;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (rgb: number[]) => {
    const [r = 0, g = 0, b = 0] = rgb.map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const isClear = (colour: string) => colour === "transparent" || /(, 0\)|\/ 0\))$/.test(colour);
  const behind = (element: Element | null): string => {
    if (!element) return "white";
    const { backgroundColor } = getComputedStyle(element);
    return isClear(backgroundColor) ? behind(element.parentElement) : backgroundColor;
  };
  const hasText = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
  return [...document.body.querySelectorAll("*")].flatMap((element) => {
    const { width } = element.getBoundingClientRect();
    if (!hasText(element) || width === 0 || element.closest("title, style, script, noscript, .skip, .hidden"))
      return [];
    const style = getComputedStyle(element);
    const under = behind(element);
    const [a, b] = [
      luminance(rgbOf(element instanceof SVGElement ? style.fill : style.color, under)),
      luminance(rgbOf(under, under)),
    ];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const { fontSize, fontWeight } = style;
    const large = Number.parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.7 : 24);
    return ratio >= (large ? 3 : 4.5) ? [] : [`${ratio.toFixed(2)}: “${element.textContent?.trim().slice(0, 40)}”`];
  });
}
