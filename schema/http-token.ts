/** A token of HTTP: the syntax of methods and header names (RFC 9110, section 5.6.2). */
export const tokenPattern: RegExp = /^[!#$%&'*+.^_`|~\w-]+$/;
