/** JSON as `JSON.parse` returns it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** How values are shown as JSON. By default everything is shown, bytes as hex. */
export interface JsonOptions {
  /** Show `"redacted"` in place of every secret. */
  readonly redactSecrets?: boolean | undefined;
  /** Show 32-byte ids, keys and hashes as base58 instead of hex. */
  readonly base58?: boolean | undefined;
}
