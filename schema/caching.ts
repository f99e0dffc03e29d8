/**
 * The `cache-control` headers (RFC 9111) of responses if a client visits twice. Clients must revalidate documents each time. They may keep
 * everything else for a year, as on sites whose file names change with their content.
 */
export const caching = { header: "Cache-Control", document: "no-cache", other: "max-age=31536000" } as const;

/** The file extension of documents. */
export const documentEnding = ".html";
