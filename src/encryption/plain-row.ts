/** Values that the key does not decrypt: which of them are plain. */
import { ReadFailure } from "../codec/index.js";
import type { RawRow } from "../engine/engine.js";
import { type AnyRow, revisions, type Schema } from "../schemas/index.js";
import { ENCRYPTION_OVERHEAD } from "./rule.js";

/** Versions of keys from 1 to this one may be those of encrypted values; nodes write version 1 only. */
const LAST_VERSION = 16;

/**
 * Whether a value that the key does not decrypt is plain: it is too short to be encrypted, it has a first byte that no node
 * writes as a version, or it decodes as the only value of its kind. Rows whose values may be any bytes do not show it.
 */
export function isPlain(column: string, { key, value }: RawRow): boolean {
  const version = value[0] ?? 0;
  if (value.length < ENCRYPTION_OVERHEAD || version === 0 || version > LAST_VERSION) return true;
  return (revisions as readonly Schema[]).some((revision) => {
    const row = revision.identify(column, key);
    return row !== undefined && !takesAnyBytes(row) && !(row.value.readWhole(value) instanceof ReadFailure);
  });
}

const anyBytes = new WeakMap<AnyRow, boolean>();

/** Whether the codec of a kind decodes bytes that are no value of any type. */
function takesAnyBytes(row: AnyRow): boolean {
  let any = anyBytes.get(row);
  if (any === undefined) {
    any = NONSENSE.every((bytes) => !(row.value.readWhole(bytes) instanceof ReadFailure));
    anyBytes.set(row, any);
  }
  return any;
}

const NONSENSE = [0, 1, 31, 64, 77].map((size) => new Uint8Array(size).fill(0xfd));
