/**
 * The `cache-control` headers of responses if a client visits twice. Clients revalidate documents each time, and may keep everything
 * else for a year, as on sites whose file names change with their content. RFC 9111
 */
export const caching = { header: "Cache-Control", document: "no-cache", other: "max-age=31536000" } as const;

/** The file extension of documents. */
export const documentEnding = ".html";
