/**
 * Parses a URL. URL.canParse of Node.js 20 refuses a URL with Latin-1 letters, such as "https://bücher.example", once it has been called often
 * enough to be optimised. So this function calls the constructor instead.
 * @returns null for an invalid URL
 */
export function parsedUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
