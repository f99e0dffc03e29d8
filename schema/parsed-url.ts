/**
 * Parses a URL; null if it is invalid. URL.canParse is not used: in Node.js 20, after so many calls that V8 optimises it, it refuses URLs with
 * Latin-1 letters, such as "https://bücher.example".
 */
export function parsedUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
