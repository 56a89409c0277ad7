/** The URL of a folder on a web server, without its secrets in messages. */
import { invalidArgument } from "../../errors.js";
import { withoutSecrets } from "../../url-secrets.js";

/** A folder on a web server. */
export interface FolderUrl {
  /** The folder in messages, without password and query: a query may contain a signature. */
  readonly name: string;
  /** Returns the URL of a file in the folder. */
  of(file: string): string;
  /** The `Authorization` header from the URL's user and password; undefined without them. */
  readonly authorization: string | undefined;
}

/** Returns true if a text is a URL of a web server: it begins with `http://` or `https://`. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Makes a relative URL of a page absolute. Returns any other text unchanged. */
export function absoluteUrl(text: unknown, base: unknown = baseOfPage()): string {
  if (typeof text !== "string") throw invalidArgument("the URL of a database must be a string or a URL");
  return typeof base === "string" && URL.canParse(text, base) ? new URL(text, base).href : text;
}

/** The base of relative URLs in a page; undefined outside pages. */
function baseOfPage(): unknown {
  return (globalThis as { readonly document?: { readonly baseURI?: unknown } }).document?.baseURI;
}

/** Reads the URL of a folder. Its query follows the name of each file, because object stores put signatures there. */
export function folderUrl(text: string): FolderUrl {
  const url = isHttpUrl(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined)
    throw invalidArgument(`${withoutSecrets(text)} is not a URL like https://example.org/backup/`);
  const { username, password, search } = url;
  url.username = "";
  url.password = "";
  url.search = "";
  url.hash = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  const name = url.href;
  return {
    name,
    of: (file) => `${name}${encodeURIComponent(file)}${search}`,
    authorization:
      username === "" && password === ""
        ? undefined
        : `Basic ${base64(`${decoded(username)}:${decoded(password)}`)}`,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
