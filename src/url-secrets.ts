/** URLs without their possible secrets: user, password, query and fragment. No message and no output has these. */

/** The parameters of a database server's URL that are shown: they name the database. */
const PARAMETER = "[?&](?:node|sslmode|sslrootcert|connect_timeout)=";

/**
 * User and password of a web server's URL. They end with the host, unless they were not escaped: a port is a number.
 */
const WEB_USER = /^(https?:\/{1,4})(?:[^/?#]*@|[^/?#@]*:(?!\d*(?:[/?#]|$)).*@)/is;

/** User and password of another server's URL. A password that was not escaped may have any character, also an @. */
const USER = new RegExp(`^([^:]*:\\/\\/)(?:(?!${PARAMETER}).)*@`, "is");

/** Parameters that are not shown, and the fragment. */
const QUERY = new RegExp(`(?!${PARAMETER})[?&][^&#]*|#.*`, "gis");

/**
 * The beginning of a mistyped URL in a text: its scheme is missing, or has other marks behind it. A letter alone is a
 * drive.
 */
const MISTYPED = "(?<![^\\s\"'(<])(?:[a-z][\\w+.-]{1,20})?(?::{0,3}[/\\\\]{2,4}|:{1,3}[/\\\\]?)";

/** User and password of a mistyped URL (`//u:p@h`, `http:u:p@h`, `u:p@h`), in a text. */
const MISTYPED_USER = new RegExp(
  `(${MISTYPED})(?:[^\\s/\\\\?#@]{0,999}|[^\\s/?#@:]{0,99}:(?!\\d*[\\s,])[^/?#@\\n]{0,99})@` +
    `|(?<![^\\s"'(<])[\\w.+-]{1,99}:[^\\s/\\\\@:]{1,999}@(?=[\\w[])`,
  "gi",
);

/** The query of a mistyped URL, in a text. Without a scheme its first part is a host: it has a dot or a port. */
const MISTYPED_QUERY = new RegExp(
  `(${MISTYPED}|(?<![^\\s"'(<])[\\w-]{1,99}(?:\\.[\\w-]|:\\d))([^\\s?#]{0,999})(?!${PARAMETER})\\?[\\w.%-]{1,99}=[^\\s"')>]*`,
  "gi",
);

/** Removes secrets from a URL, even one that cannot be parsed. Returns other text unchanged. */
export function withoutSecrets(url: string): string {
  if (/^file:/i.test(url)) return url;
  if (!/^(?:[a-z][\w+.-]*:\/\/|https?:\/)/i.test(url)) return withoutSecretsOfUrls(url);
  if (/^https?:/i.test(url)) return url.replace(WEB_USER, "$1").replace(/[?#].*/s, "");
  return url
    .replace(USER, "$1")
    .replace(QUERY, "")
    .replace(/^([^?&]*)&/, "$1?");
}

/**
 * A text with other words: each URL in it ends at a space, before marks of punctuation. User and password may have
 * spaces, if they were not escaped. A URL whose slashes were joined, as in a path, has one slash.
 */
export function withoutSecretsOfUrls(text: string): string {
  const told = text.includes(":/") ? withoutSecretsOfWholeUrls(text) : text;
  return told.replace(MISTYPED_USER, "$1").replace(MISTYPED_QUERY, "$1$2");
}

function withoutSecretsOfWholeUrls(text: string): string {
  return text.replace(
    /\b(?:[a-z][\w+.-]{0,20}:\/\/|https?:\/)(?:[^\s/?#@:]{0,99}:(?!\d*[\s,])[^/?#@\n]{0,99}@)?\S+/gi,
    (url) => {
      const [marks = ""] = /[),.:;"'\]>]{0,9}$/.exec(url) ?? [];
      return withoutSecrets(url.slice(0, url.length - marks.length)) + marks;
    },
  );
}
