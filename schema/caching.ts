/**
 * The `cache-control` headers of responses to a client that comes back. Clients ask each time whether a document has changed, and may
 * keep everything else for a year, as on sites whose file names change with their content. RFC 9111
 */
export const caching = { header: "Cache-Control", document: "no-cache", other: "max-age=31536000" } as const;

/** The ending of documents' names. */
export const documentEnding = ".html";
