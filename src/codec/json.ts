/** JSON as `JSON.parse` returns it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * The meaning of a value: a point in time in a unit since 1970 (`ntp64` has a binary fraction of seconds in its low 32
 * bits), a number of bytes, or bytes that are often text.
 */
export type Meaning = "seconds" | "milliseconds" | "nanoseconds" | "ntp64" | "bytes" | "text";

/** Options of the JSON form of values. By default everything is shown, bytes as hex. */
export interface JsonOptions {
  /** Show `"redacted"` in place of every secret. */
  readonly redactSecrets?: boolean | undefined;
  /** Show 32-byte ids, keys and hashes as base58 instead of hex. */
  readonly base58?: boolean | undefined;
  /**
   * Returns another form of a value with a declared meaning: a date instead of a number, for example. It gets the
   * value, its meaning and its usual form. The result is for people: nothing reads it back.
   */
  readonly readable?: ((value: unknown, meaning: Meaning, form: Json) => Json) | undefined;
}
