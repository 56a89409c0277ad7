/** The search for an id or a text in all rows. */
import { fromHex } from "../bytes/hex.js";
import type { RawRow } from "../engine/engine.js";
import type { NodeReader } from "./tables/rows.js";

/** A row that has what was searched for. */
export interface Hit {
  /** Name of the column family. */
  readonly column: string;
  /** The row as it is stored. */
  readonly row: RawRow;
  /** Whether the key or the value has it. */
  readonly in: "key" | "value" | "key and value";
}

const encoder = new TextEncoder();

/** Of Node's Buffer, what finds bytes in bytes fastest; undefined elsewhere. */
const native = (
  globalThis as {
    readonly Buffer?: {
      from(bytes: ArrayBufferLike, offset: number, length: number): { indexOf(bytes: Uint8Array): number };
    };
  }
).Buffer;

/** The rows whose keys or values have one of these ids (64 hex digits) or texts, family by family, in key order. */
export async function* findRows(
  reader: NodeReader,
  ids: readonly string[],
  texts: readonly string[],
  progress: (rows: number) => void,
): AsyncGenerator<Hit, void, undefined> {
  const needles = [...ids.map(fromHex), ...texts.map((text) => encoder.encode(text))].filter(
    ({ length }) => length > 0,
  );
  let done = 0;
  for (const column of reader.columns)
    for await (const chunk of reader.raw.scan(column).chunks()) {
      for (const row of chunk) {
        const inKey = needles.some((needle) => contains(row.key, needle));
        const inValue = needles.some((needle) => contains(row.value, needle));
        if (inKey || inValue)
          yield { column, row, in: inKey && inValue ? "key and value" : inKey ? "key" : "value" };
      }
      done += chunk.length;
      progress(done);
    }
}

/** Whether bytes have other bytes anywhere. */
function contains(bytes: Uint8Array, needle: Uint8Array): boolean {
  if (needle.length > bytes.length) return false;
  if (native !== undefined)
    return native.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(needle) >= 0;
  const last = bytes.length - needle.length;
  for (
    let at = bytes.indexOf(needle[0] as number);
    at >= 0 && at <= last;
    at = bytes.indexOf(needle[0] as number, at + 1)
  ) {
    let same = 1;
    while (same < needle.length && bytes[at + same] === needle[same]) same++;
    if (same === needle.length) return true;
  }
  return false;
}
