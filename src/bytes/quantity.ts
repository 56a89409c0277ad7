/** Numbers as people read them. */

/** `1,044`, of a whole number. `toLocaleString` takes 15 ms when it is called first. */
export function count(value: number | bigint): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 row`, `1,044 rows`. */
export function counted(value: number, one: string, several = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : several}`;
}

/** `context, namespace or group`. */
export function oneOf(words: readonly string[]): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" or ");
}

/** `1,044 bytes`, `435 kB`, `1.5 MB`. */
export function size(bytes: number): string {
  if (bytes < 10_000) return counted(bytes, "byte");
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`;
  return bytes < 999_950_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** A size in JSON: a number, or decimal digits if a number cannot hold it. A row may say anything. */
export function jsonSize(bytes: bigint): number | string {
  return bytes <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(bytes) : `${bytes}`;
}
