/** Decides which undecrypted values are plain. */
import { ReadFailure } from "../codec/index.js";
import type { RawRow } from "../engine/engine.js";
import { type AnyRow, revisions, type Schema } from "../schemas/index.js";
import { ENCRYPTION_OVERHEAD } from "./rule.js";

/** Encrypted values may have key versions from 1 to this one. Nodes only write version 1. */
const LAST_VERSION = 16;

/** Returns whether a value that no key decrypts counts as plain. */
export type PlainTest = (column: string, row: RawRow) => boolean;

/** Returns whether a value is provably plain: it is empty, or it decodes as the only possible value of its kind. */
export function provesPlain(column: string, row: RawRow): boolean {
  return (
    row.value.length === 0 ||
    kindsOf(column, row).some(
      (kind) => !takesAnyBytes(kind) && !(kind.value.readWhole(row.value) instanceof ReadFailure),
    )
  );
}

/**
 * Returns whether a value that the key does not decrypt is probably plain. It is too short to be encrypted, its first
 * byte is not a version that nodes write, or it is provably plain. Values that may be any bytes are never provably
 * plain, so a damaged ciphertext may pass.
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

/** Returns whether a value may be plain: its kind is unknown or accepts any bytes, or {@link isPlain} is true. */
export function mayBePlain(column: string, row: RawRow): boolean {
  const kinds = kindsOf(column, row);
  return kinds.length === 0 || kinds.some(takesAnyBytes) || isPlain(column, row);
}

/** Returns the kinds of a row in the revisions that know its key. */
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
