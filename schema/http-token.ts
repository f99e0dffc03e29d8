/** A token of HTTP, which methods and names of headers are (RFC 9110, section 5.6.2). */
export const tokenPattern: RegExp = /^[!#$%&'*+.^_`|~\w-]+$/;
