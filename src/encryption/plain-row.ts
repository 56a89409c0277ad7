/** Values that are not decrypted: which of them are plain. */
import { ReadFailure } from "../codec/index.js";
import type { RawRow } from "../engine/engine.js";
import { type AnyRow, revisions, type Schema } from "../schemas/index.js";
import { ENCRYPTION_OVERHEAD } from "./rule.js";

/** Versions of keys from 1 to this one may be those of encrypted values; nodes write version 1 only. */
const LAST_VERSION = 16;

/** Says of a value that no key decrypts whether it is taken as plain. */
export type PlainTest = (column: string, row: RawRow) => boolean;

/** Returns whether a value shows that it is plain: it is empty, or it decodes as the only value of its kind. */
export function provesPlain(column: string, row: RawRow): boolean {
  return (
    row.value.length === 0 ||
    kindsOf(column, row).some(
      (kind) => !takesAnyBytes(kind) && !(kind.value.readWhole(row.value) instanceof ReadFailure),
    )
  );
}

/**
 * Returns whether a value that the key does not decrypt is plain, as far as anybody can tell: it is too short to be
 * encrypted, it has a first byte that no node writes as a version, or it shows that it is plain. Rows whose values may
 * be any bytes do not show it, so a damaged ciphertext may pass.
 */
export function isPlain(column: string, row: RawRow): boolean {
  const version = row.value[0] ?? 0;
  return (
    row.value.length < ENCRYPTION_OVERHEAD ||
    version === 0 ||
    version > LAST_VERSION ||
    provesPlain(column, row)
  );
}

/**
 * Returns whether a value may be plain: every value but those that are long enough, and that no layout of their kind
 * reads.
 */
export function mayBePlain(column: string, row: RawRow): boolean {
  const kinds = kindsOf(column, row);
  return kinds.length === 0 || kinds.some(takesAnyBytes) || isPlain(column, row);
}

/** The kinds of a row in the revisions that know its key. */
function kindsOf(column: string, { key }: RawRow): AnyRow[] {
  return (revisions as readonly Schema[])
    .map((revision) => revision.identify(column, key))
    .filter((row) => row !== undefined);
}

const anyBytes = new WeakMap<AnyRow, boolean>();

/** Returns whether the codec of a kind decodes arbitrary bytes. */
function takesAnyBytes(row: AnyRow): boolean {
  let any = anyBytes.get(row);
  if (any === undefined) {
    any = NONSENSE.every((bytes) => !(row.value.readWhole(bytes) instanceof ReadFailure));
    anyBytes.set(row, any);
  }
  return any;
}

const NONSENSE = [0, 1, 31, 64, 77].map((size) => new Uint8Array(size).fill(0xfd));
