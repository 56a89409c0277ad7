/** Passwords in the URLs of servers, kept out of messages. */

/** The parameters of such URLs, whose values may have an @. */
const PARAMETER = "[?&](?:node|sslmode|sslrootcert|connect_timeout)=";

/**
 * User and password in a text with other words. A password that was not escaped may have any character, so it ends at the
 * last @. URLs of web servers have an @ in paths as well: there it ends with the host.
 */
const IN_TEXT = new RegExp(
  `(?<!\\bhttps?)(:\\/\\/)((?:(?!${PARAMETER})\\S)*)@|(?<=\\bhttps?)(:\\/\\/)([^\\s/?#]*)@`,
  "gi",
);

/** User and password in a text that is a URL: spaces belong to it. */
const WHOLE = new RegExp(`^([^:/?#]*:\\/\\/[^:/?#@]*):(?:(?!${PARAMETER}).)*@`, "is");

/** A text, of any kind, without the passwords of the URLs in it. */
export function withoutPasswords(text: string): string {
  return text
    .replace(IN_TEXT, (_, wide = "", user = "", narrow = "", httpUser = "") => {
      const [name = ""] = `${user}${httpUser}`.split(":", 1);
      return `${wide}${narrow}${name}@`;
    })
    .replace(/([?&]\w*pass\w*=)[^\s&#]*/gi, "$1…");
}

/** A URL as somebody typed it, perhaps one that cannot be parsed, without its password. */
export function withoutPassword(url: string): string {
  return withoutPasswords(url.replace(WHOLE, "$1@"));
}
