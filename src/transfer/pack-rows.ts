/** Packing of rows for another thread. */

import { UndecryptedBytes } from "../bytes/undecrypted.js";
import type { RawRow } from "../engine/engine.js";

/** Rows of one column family in one buffer, which can be transferred to another thread. */
export interface PackedRows {
  readonly column: string;
  /** Key and value of each row, one after another. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Length of the key and of the value of each row. */
  readonly lengths: Uint32Array<ArrayBuffer>;
  /** The places of rows whose values are not decrypted: threads do not pass the class of bytes on. */
  readonly undecrypted: readonly number[];
}

export function packRows(column: string, rows: readonly RawRow[]): PackedRows {
  const lengths = new Uint32Array(2 * rows.length);
  const undecrypted: number[] = [];
  let size = 0;
  for (const [at, { key, value }] of rows.entries()) {
    lengths[2 * at] = key.length;
    lengths[2 * at + 1] = value.length;
    if (value instanceof UndecryptedBytes) undecrypted.push(at);
    size += key.length + value.length;
  }
  const bytes = new Uint8Array(size);
  let end = 0;
  for (const { key, value } of rows) {
    bytes.set(key, end);
    bytes.set(value, end + key.length);
    end += key.length + value.length;
  }
  return { column, bytes, lengths, undecrypted };
}

/** Returns views of the packed rows. */
export function unpackRows({ bytes, lengths, undecrypted }: PackedRows): RawRow[] {
  const rows: RawRow[] = [];
  let at = 0;
  const take = (length: number): Uint8Array => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  for (let index = 0; index < lengths.length; index += 2) {
    rows.push({ key: take(lengths[index] as number), value: take(lengths[index + 1] as number) });
  }
  for (const at of undecrypted) {
    const { key, value } = rows[at] as RawRow;
    rows[at] = { key, value: UndecryptedBytes.view(value) };
  }
  return rows;
}
