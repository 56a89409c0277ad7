/**
 * The shapes of rows that a schema does not read: rows whose key is of no kind, and rows whose value does not decode. A
 * shape tells lengths, places and counts. It contains no value and no id, so that it can be shown to others.
 */
import { copyBytes } from "../bytes/bytes.js";
import { IdTable } from "../bytes/id-table.js";
import { abortable } from "../engine/abortable.js";
import type { EngineReader, RawRow } from "../engine/engine.js";
import type { AnyKeyClass } from "../keys/index.js";
import { checkOptions } from "../options.js";
import { Pause } from "../pause.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import { hasOpenPoints, type OpenPoint, OpenPoints } from "./open-points.js";
import type { AnyRow, Schema } from "./schema.js";
import { type Decoded, decodeWhole } from "./undecoded.js";

/** Some bytes of all keys, or of all values, of a shape. */
export interface ByteRun {
  /** The offset of the first byte. */
  readonly from: number;
  /** The offset after the last byte. */
  readonly to: number;
}

/** A place in the keys or values of a shape where ids that occur in keys of known kinds were found. */
export interface IdPlace {
  /** The half of the row that has it: the key or the value. */
  readonly in: "key" | "value";
  /** The offset of the id, 32 bytes. */
  readonly offset: number;
  /** The name of the part of keys that has such ids: `contextId`. */
  readonly part: string;
  /** The number of examined rows that have one there. */
  readonly rows: number;
}

/** The shape of rows that are not understood. */
export interface UnknownShape {
  /** Name of the column family. */
  readonly column: string;
  /** True if the schema has the column family. */
  readonly columnKnown: boolean;
  /** The first byte of the keys, in column families whose keys begin with the prefix of their kind. */
  readonly prefix: number | undefined;
  /** The kind of row whose value does not decode; undefined if the key is of no kind. */
  readonly kind: string | undefined;
  /** Bytes of the keys. */
  readonly keyLength: number;
  /** Number of rows. */
  readonly rows: number;
  /** Bytes of the shortest and of the longest value. */
  readonly valueLength: {
    /** Bytes of the shortest value. */
    readonly least: number;
    /** Bytes of the longest value. */
    readonly most: number;
  };
  /** The least offset at which decoding of a value stopped; undefined if the key is of no kind. */
  readonly decodesUpTo: number | undefined;
  /** Bytes that all keys have in common; empty for a single row. */
  readonly constantInKeys: readonly ByteRun[];
  /** Bytes that all values have in common, of the first 256; empty for a single row. */
  readonly constantInValues: readonly ByteRun[];
  /** Places of known ids in the first rows, places in keys first. */
  readonly ids: readonly IdPlace[];
}

/** The rows of a database that a schema does not read. */
export interface UnknownRows {
  /** The shapes, by column family, prefix and length of the key. */
  readonly shapes: readonly UnknownShape[];
  /** All rows of the database. */
  readonly rows: number;
  /** Rows that the schema does not read. */
  readonly unknown: number;
  /** Rows of further shapes: a database has at most 1,000 of them. */
  readonly ofFurtherShapes: number;
  /** The forms that rows have where the layout of core-1.0 is not certain; empty for other revisions. */
  readonly openPoints: readonly OpenPoint[];
}

const NOT_READ: Decoded = { value: undefined, stop: undefined };

/** The most shapes that are kept. */
const MOST_SHAPES = 1_000;
/** Rows of a shape that are searched for ids, and bytes of their values. */
const SEARCHED = 16;
const SEARCHED_BYTES = 1_024;
/** Bytes of values that are compared with each other. */
const COMPARED = 256;
/** The most ids that are kept, at some 80 bytes each. */
const MOST_IDS = 200_000;
const ID_BYTES = 32;

/** Reads every row once, and describes the rows that the schema does not read. */
export async function unknownRows(
  reader: EngineReader,
  schema: Schema<AnyRow>,
  options: ProgressOptions = {},
): Promise<UnknownRows> {
  checkOptions("unknownRows", options, progressOptions);
  const follower = new Follower(options, "rows");
  const pause = new Pause();
  const shapes = new Map<string, ShapeBuilder>();
  const known = new KnownIds();
  const points = hasOpenPoints(schema) ? new OpenPoints() : undefined;
  let [rows, unknown, ofFurtherShapes] = [0, 0, 0];
  for (const column of reader.columns) {
    const columnKnown = schema.columns.includes(column);
    const prefixed = schema.rows.some(({ column: of, key }) => of === column && key.PREFIX !== undefined);
    for await (const chunk of abortable(reader, options.signal).scan(column).chunks()) {
      for (const raw of chunk) {
        if (pause.isLong) await pause.ifLong();
        const row = schema.identify(column, raw.key);
        const { value, stop } = row === undefined ? NOT_READ : decodeWhole(row, raw);
        points?.add(column, raw, value);
        if (row !== undefined) known.add(row.key, raw.key);
        if (row !== undefined && stop === undefined) continue;
        unknown++;
        const prefix = prefixed ? raw.key[0] : undefined;
        const name = `${column} ${prefix} ${raw.key.length} ${row?.kind}`;
        let shape = shapes.get(name);
        if (shape === undefined && shapes.size < MOST_SHAPES) {
          shape = new ShapeBuilder({
            column,
            columnKnown,
            prefix,
            kind: row?.kind,
            keyLength: raw.key.length,
          });
          shapes.set(name, shape);
        }
        if (shape === undefined) ofFurtherShapes++;
        else shape.add(raw, stop);
      }
      rows += chunk.length;
      follower.add(chunk.length);
    }
  }
  follower.end();
  const built = [...shapes.values()].map((shape) => shape.build(known));
  const openPoints = points?.build((id) => known.partAt(id, 0) === "blobId") ?? [];
  return { shapes: built.sort(inOrder), rows, unknown, ofFurtherShapes, openPoints };
}

function inOrder(a: UnknownShape, b: UnknownShape): number {
  if (a.column !== b.column) return a.column < b.column ? -1 : 1;
  return (a.prefix ?? 0) - (b.prefix ?? 0) || a.keyLength - b.keyLength;
}

/** Ids in the keys of known kinds, with the name of the part that has them. */
class KnownIds {
  readonly #table = new IdTable();
  readonly #parts: string[] = [];

  add(key: AnyKeyClass, bytes: Uint8Array): void {
    for (const { name, offset, size } of key.FIELDS) {
      if (size !== ID_BYTES || this.#table.size >= MOST_IDS || isPlain(bytes, offset)) continue;
      const number = this.#table.add(bytes, offset);
      this.#parts[number] ??= name;
    }
  }

  /** The part that has the id at an offset; undefined if it is not known. */
  partAt(bytes: Uint8Array, offset: number): string | undefined {
    const number = this.#table.find(bytes, offset);
    return number < 0 ? undefined : this.#parts[number];
  }
}

/** Returns true if an id is one byte 32 times, as the ids of fixed entities: it occurs anywhere by chance. */
function isPlain(bytes: Uint8Array, at: number): boolean {
  for (let offset = 1; offset < ID_BYTES; offset++) if (bytes[at + offset] !== bytes[at]) return false;
  return true;
}

type ShapeName = Pick<UnknownShape, "column" | "columnKnown" | "prefix" | "kind" | "keyLength">;

/** A shape while its rows are read. */
class ShapeBuilder {
  readonly #name: ShapeName;
  #rows = 0;
  #least = Number.POSITIVE_INFINITY;
  #most = 0;
  #decodesUpTo: number | undefined;
  readonly #keys = new Common();
  readonly #values = new Common();
  readonly #searched: RawRow[] = [];

  constructor(name: ShapeName) {
    this.#name = name;
  }

  add({ key, value }: RawRow, stop: number | undefined): void {
    this.#rows++;
    this.#least = Math.min(this.#least, value.length);
    this.#most = Math.max(this.#most, value.length);
    if (stop !== undefined) this.#decodesUpTo = Math.min(this.#decodesUpTo ?? stop, stop);
    this.#keys.add(key);
    this.#values.add(value.subarray(0, COMPARED));
    if (this.#searched.length < SEARCHED)
      this.#searched.push({ key: copyBytes(key), value: copyBytes(value.subarray(0, SEARCHED_BYTES)) });
  }

  build(known: KnownIds): UnknownShape {
    const several = this.#rows > 1;
    return {
      ...this.#name,
      rows: this.#rows,
      valueLength: { least: this.#least, most: this.#most },
      decodesUpTo: this.#decodesUpTo,
      constantInKeys: several ? this.#keys.runs() : [],
      constantInValues: several ? this.#values.runs() : [],
      ids: [
        ...placesIn(
          "key",
          this.#searched.map(({ key }) => key),
          known,
        ),
        ...placesIn(
          "value",
          this.#searched.map(({ value }) => value),
          known,
        ),
      ],
    };
  }
}

function placesIn(where: "key" | "value", texts: readonly Uint8Array[], known: KnownIds): readonly IdPlace[] {
  const places = new Map<string, { offset: number; part: string; rows: number }>();
  for (const bytes of texts)
    for (let offset = 0; offset + ID_BYTES <= bytes.length; offset++) {
      const part = known.partAt(bytes, offset);
      if (part === undefined) continue;
      const place = places.get(`${offset} ${part}`) ?? { offset, part, rows: 0 };
      place.rows++;
      places.set(`${offset} ${part}`, place);
    }
  return [...places.values()].sort((a, b) => a.offset - b.offset).map((place) => ({ in: where, ...place }));
}

/** The bytes that several byte strings have in common, place by place. */
class Common {
  #first: Uint8Array | undefined;
  #differs: Uint8Array = new Uint8Array(0);
  #length = 0;

  add(bytes: Uint8Array): void {
    if (this.#first === undefined) {
      this.#first = copyBytes(bytes);
      this.#differs = new Uint8Array(bytes.length);
      this.#length = bytes.length;
      return;
    }
    this.#length = Math.min(this.#length, bytes.length);
    for (let at = 0; at < this.#length; at++) if (bytes[at] !== this.#first[at]) this.#differs[at] = 1;
  }

  runs(): readonly ByteRun[] {
    const runs: ByteRun[] = [];
    for (let at = 0; at < this.#length; at++) {
      if (this.#differs[at] !== 0) continue;
      const from = at;
      while (at + 1 < this.#length && this.#differs[at + 1] === 0) at++;
      runs.push({ from, to: at + 1 });
    }
    return runs;
  }
}
