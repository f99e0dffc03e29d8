/** Replaces values that may identify a person or give access to an account, in URLs and in headers with URLs. */
import { sha256 } from "../../schema/sha256.ts";
import { withoutCredentials } from "../har/recorded-url.ts";
import { unescaped } from "../paths.ts";

/** A parameter is private if its name contains one of these words, as in "access_token" and "userEmail". */
const privateWords = new Set(
  (
    "token auth authorization oauth session sess sid key apikey sig signature password passwd pwd pass secret jwt code email " +
    "mail credential credentials csrf xsrf ticket otp nonce assertion phone username login"
  ).split(" "),
);
/** Endings of private names that are written without a separator. */
const privateEnding = /(token|sessionid|sessid|session|apikey|password|secret|signature|jwt|email)$/i;

/** E-mail addresses and JSON Web Tokens, which are private whatever the parameter's name. */
const privateValue = /^[^@\s]+(@|%40)[\w-]+(\.[\w-]+)+$|^eyJ[\w-]{5,}\.[\w-]+/i;

/** Recognises a hash that has replaced a value, so that replacing twice changes nothing. */
const replaced = /^hash-[0-9a-f]{10}$/;
const hashOf = (value: string) => `hash-${sha256(value).slice(0, 10)}`;

/** Parameters of a query, and of a path ("/cart;jsessionid=1"). A final colon belongs to the sentence around a URL. */
const parameter = /([?&;#])([^=?&;#\s"'<>,]+)=([^?&;#\s"'<>,]+?)(?=:?(?:[?&;#\s"'<>,]|$))/g;

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);

const isPrivateName = (name: string): boolean =>
  privateEnding.test(name) || wordsOf(name).some((word) => privateWords.has(word));

/** Whether a header's name shows that its value is private, as in "x-csrf-token". */
export const isPrivateHeader = (name: string): boolean => isPrivateName(name) || /cookie/i.test(name);

/**
 * Replaces private values in a text with URLs by short hashes. Equal values get equal hashes, because the replaying server applies this function
 * to a requested URL to find the recorded request. @param found is called with the name of each parameter whose value was replaced
 */
export const withoutPrivateValues = (text: string, found: (name: string) => void = () => {}): string =>
  withoutCredentials(text).replace(parameter, (whole, separator: string, name: string, value: string) => {
    if (replaced.test(value) || !(isPrivateName(unescaped(name)) || privateValue.test(value))) return whole;
    found(unescaped(name));
    return `${separator}${name}=${hashOf(value)}`;
  });
