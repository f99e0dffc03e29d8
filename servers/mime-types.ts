/** Of what the lab's pages are made of, for servers that bring no list of their own: by the end of a file's name. */
export const mimeTypes: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".gif": "image/gif",
};
