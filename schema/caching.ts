/**
 * What answers say of being kept, where a client comes back: whether a document has changed is asked each time, all else is
 * good for a year. As sites say it whose files' names change with their content. RFC 9111
 */
export const caching = { header: "Cache-Control", document: "no-cache", other: "max-age=31536000" } as const;

/** How names of documents end. */
export const documentEnding = ".html";
