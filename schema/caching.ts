/** The header (RFC 9111) if a client visits twice: documents are revalidated, other files kept for a year, as if new content had a new name. */
export const caching = { header: "Cache-Control", document: "no-cache", other: "max-age=31536000" } as const;

export const documentEnding = ".html";
