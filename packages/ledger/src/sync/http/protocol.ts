/**
 * The requests between {@link httpStore} and {@link serveFiles}. Each has the header `Authorization: Bearer TOKEN`.
 *
 *     GET PATH      Range: bytes=a-b   206 with the bytes, ETag, Last-Modified and Content-Range; 304 if it has the version in If-None-Match;
 *                                      416 if it ends before a; 404
 *     GET PATH/                        200, the names in the folder as a JSON array; none if it is missing
 *     PUT PATH                         204 when the file is durable
 *     DELETE PATH, DELETE PATH/        204: the file, or the empty folder, is not there
 *     OPTIONS PATH                     204 for pages of the site that the server allows; without the token
 */

import { MerostoreError } from "merostore/internal";

/** Throws INVALID_ARGUMENT unless a value can be a token; the message does not quote it. */
export function checkToken(value: unknown): void {
  if (typeof value === "string" && /^[!-~]{16,}$/.test(value)) return;
  throw new MerostoreError(
    "INVALID_ARGUMENT",
    "the token of a server is text of 16 or more printable ASCII characters without spaces",
  );
}

/** Splits the path of a request: undefined unless its parts are names that clouds have. */
export function pathOf(pathname: string): { readonly path: string; readonly isFolder: boolean } | undefined {
  const isFolder = pathname.endsWith("/");
  const path = pathname.slice(1, isFolder && pathname.length > 1 ? -1 : undefined);
  if (path === "") return { path, isFolder: true };
  const parts = path.split("/");
  const isName = (part: string): boolean => /^[0-9a-z][0-9a-z.-]{0,99}$/.test(part);
  return parts.length <= 4 && parts.every(isName) ? { path, isFolder } : undefined;
}
