/** Removes what may identify a person or open an account from URLs, and from headers that have URLs. */
import { sha256 } from "../../schema/sha256.ts";
import { withoutCredentials } from "../har/recorded-url.ts";

/** A parameter is private if one of the words in its name is one of these: "access_token", "userEmail". */
const privateWords = new Set(
  (
    "token auth authorization oauth session sess sid key apikey sig signature password passwd pwd pass secret jwt code email " +
    "mail credential credentials csrf xsrf ticket otp nonce assertion phone username login"
  ).split(" "),
);
/** Endings of private names that are written without a separator. */
const privateEnding = /(token|sessionid|sessid|session|apikey|password|secret|signature|jwt|email)$/i;

/** The values of these parameters are private whatever their names are: an e-mail address, a JSON Web Token. */
const privateValue = /^[^@\s]+(@|%40)[\w-]+(\.[\w-]+)+$|^eyJ[\w-]{5,}\.[\w-]+/i;

/** A hash in place of a value. It is recognised, so that replacing twice changes nothing. */
const replaced = /^hash-[0-9a-f]{10}$/;
const hashOf = (value: string) => `hash-${sha256(value).slice(0, 10)}`;

/** Parameters of a query, and of a path ("/cart;jsessionid=1"). A colon at the end belongs to a sentence. */
const parameter = /([?&;#])([^=?&;#\s"'<>,]+)=([^?&;#\s"'<>,]+?)(?=:?(?:[?&;#\s"'<>,]|$))/g;

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);

const isPrivateName = (name: string): boolean =>
  privateEnding.test(name) || wordsOf(name).some((word) => privateWords.has(word));

/** Whether a header's name says that its value is private: "x-csrf-token". */
export const isPrivateHeader = (name: string): boolean => isPrivateName(name) || /cookie/i.test(name);

/**
 * A URL, or a text with URLs, in which private values are replaced by a short hash: the same value always has the same hash. A server that
 * replays a recording finds a request by applying this to the request's URL.
 * @param found is called with the name of each parameter whose value was replaced
 */
export const withoutPrivateValues = (text: string, found: (name: string) => void = () => {}): string =>
  withoutCredentials(text).replace(parameter, (whole, separator: string, name: string, value: string) => {
    if (replaced.test(value) || !(isPrivateName(plain(name)) || privateValue.test(value))) return whole;
    found(plain(name));
    return `${separator}${name}=${hashOf(value)}`;
  });

/** A name without percent escapes; as it is, if they are not valid. */
function plain(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
