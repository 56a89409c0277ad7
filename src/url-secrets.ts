/** URLs without what may be secret: user, password, query and fragment. No message and no output has them. */

/** The parameters of a database server's URL that are shown: they say which database is meant. */
const PARAMETER = "[?&](?:node|sslmode|sslrootcert|connect_timeout)=";

/** User and password of a web server's URL. They end with the host, unless they were not escaped: a port is a number. */
const WEB_USER = /^(https?:\/\/?)(?:[^/?#]*@|[^/?#@]*:(?!\d*(?:[/?#]|$)).*@)/is;

/** User and password of another server's URL. A password that was not escaped may have any character, also an @. */
const USER = new RegExp(`^([^:]*:\\/\\/)(?:(?!${PARAMETER}).)*@`, "is");

/** Parameters that are not shown, and the fragment. */
const QUERY = new RegExp(`(?!${PARAMETER})[?&][^&#]*|#.*`, "gis");

/** Removes secrets from a URL, even one that cannot be parsed. Returns other text unchanged. */
export function withoutSecrets(url: string): string {
  if (!/^(?:[a-z][\w+.-]*:\/\/|https?:\/)/i.test(url) || /^file:/i.test(url)) return url;
  if (/^https?:/i.test(url)) return url.replace(WEB_USER, "$1").replace(/[?#].*/s, "");
  return url
    .replace(USER, "$1")
    .replace(QUERY, "")
    .replace(/^([^?&]*)&/, "$1?");
}

/**
 * A text with other words: each URL in it ends at a space, before marks of punctuation. User and password may have spaces,
 * if they were not escaped. A URL whose slashes were joined, as in a path, has one.
 */
export function withoutSecretsOfUrls(text: string): string {
  if (!text.includes(":/")) return text;
  return text.replace(
    /\b(?:[a-z][\w+.-]{0,20}:\/\/|https?:\/)(?:[^\s/?#@:]{0,99}:(?!\d*[\s,])[^/?#@\n]{0,99}@)?\S+/gi,
    (url) => {
      const [marks = ""] = /[),.:;"'\]>]{0,9}$/.exec(url) ?? [];
      return withoutSecrets(url.slice(0, url.length - marks.length)) + marks;
    },
  );
}
