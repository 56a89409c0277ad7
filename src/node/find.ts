/** The search for an id or a text in all rows. */
import { fromHex } from "../bytes/hex.js";
import { asPrinted } from "../bytes/id.js";
import { abortable } from "../engine/abortable.js";
import type { RawRow } from "../engine/engine.js";
import { checkOptions } from "../options.js";
import { Pause } from "../pause.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import { candidatesFor, type Resolver } from "./ids.js";
import type { NodeReader } from "./tables/rows.js";
import { typedBytes, wholeId } from "./typed-id.js";

/** A row that contains a searched id, text or byte string. */
export interface Hit {
  /** Name of the column family. */
  readonly column: string;
  /** The row as it is stored. */
  readonly row: RawRow;
  /** The part of the row that has it. */
  readonly in: "key" | "value" | "key and value";
}

/** The text that a search looks for. */
export interface Searched {
  /** 64 hex digits each. */
  readonly ids: readonly string[];
  /** Texts, as they are written in UTF-8. */
  readonly texts: readonly string[];
  /** Bytes in hex, of any length, such as the first bytes of an id. */
  readonly bytes?: readonly string[] | undefined;
}

/** The ids, the text and the bytes that a typed text stands for. */
export async function searchedFor(resolver: Resolver, text: string): Promise<Searched> {
  const ids = new Set((await candidatesFor(resolver, text)).map(({ id }) => id));
  const whole = wholeId(text);
  if (whole !== undefined) ids.add(whole);
  const isId = whole !== undefined || [...ids].some((id) => id.startsWith(text.toLowerCase()));
  return {
    ids: [...ids],
    texts: isId ? [] : [text],
    bytes: ids.size === 0 ? typedBytes(asPrinted(text)) : [],
  };
}

const encoder = new TextEncoder();

/** Bytes from which Node's own search is faster. */
const LONG = 256;

/** The search of Node's Buffer, which takes any bytes; undefined elsewhere. */
const native = (
  globalThis as {
    readonly Buffer?: {
      readonly prototype: { indexOf(this: Uint8Array, bytes: Uint8Array): number };
    };
  }
).Buffer?.prototype.indexOf;

/** The rows whose keys or values have one of these ids, texts or bytes, family by family, in key order. */
export async function* findRows(
  reader: NodeReader,
  { ids, texts, bytes = [] }: Searched,
  options: ProgressOptions,
): AsyncGenerator<Hit, void, undefined> {
  checkOptions("find", options, progressOptions);
  const needles = [...[...ids, ...bytes].map(fromHex), ...texts.map((text) => encoder.encode(text))].filter(
    ({ length }) => length > 0,
  );
  const pause = new Pause();
  const follower = new Follower(options);
  for (const column of reader.columns)
    for await (const chunk of abortable(reader.raw, options.signal).scan(column).chunks()) {
      for (const row of chunk) {
        options.signal?.throwIfAborted();
        const inKey = needles.some((needle) => contains(row.key, needle));
        const inValue = needles.some((needle) => contains(row.value, needle));
        if (inKey || inValue)
          yield { column, row, in: inKey && inValue ? "key and value" : inKey ? "key" : "value" };
      }
      follower.add(chunk.length);
      await pause.ifLong();
    }
  follower.end();
}

/** Returns whether bytes have other bytes anywhere. */
function contains(bytes: Uint8Array, needle: Uint8Array): boolean {
  const last = bytes.length - needle.length;
  if (last < 0) return false;
  if (native !== undefined && bytes.length >= LONG) return native.call(bytes, needle) >= 0;
  const first = needle[0] as number;
  for (let at = bytes.indexOf(first); at >= 0 && at <= last; at = bytes.indexOf(first, at + 1)) {
    let same = 1;
    while (same < needle.length && bytes[at + same] === needle[same]) same++;
    if (same === needle.length) return true;
  }
  return false;
}
