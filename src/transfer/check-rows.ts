/** Checks of the lines after the first: each row, the order of rows, and at the end the counts and the hash. */

import { createHash, type Hash } from "node:crypto";
import { compareBytes } from "../bytes/order.js";
import { quoted } from "../bytes/visible.js";
import { MerostoreError } from "../errors.js";
import type { Schema } from "../schemas/index.js";
import { cutFile, type ExportHeader, wrongLine } from "./form.js";
import { LARGEST_ROW } from "./limits.js";
import { LineFields } from "./line-fields.js";

/** A row of an export. */
export interface ExportedRow {
  /** Name of the column family. */
  readonly column: string;
  /** The key as it is stored. */
  readonly key: Uint8Array;
  /** Undefined if it was omitted, which only happens in a redacted export. */
  readonly value: Uint8Array | undefined;
}

const LINE_FEED = 0x0a;

/** Limits of a chunk of rows. */
const PIECE_ROWS = 1000;
const PIECE_BYTES = 1024 * 1024;

/** Parses and checks the bytes after the first line and yields the rows. */
export class RowChecker {
  readonly #header: ExportHeader;
  readonly #schema: Schema | undefined;
  /** The index of each column family in their order. */
  readonly #columns: ReadonlyMap<string, number>;
  readonly #counts = new Map<string, number>();
  readonly #fields = new LineFields((why) => this.#wrong(why));
  readonly #hash = createHash("sha256");
  /** The hash before the current line; undefined if the line is within one chunk. */
  #before: Hash | undefined;
  #number = 2;
  #column = -1;
  #key: Uint8Array | undefined;
  #ended = false;

  constructor(header: ExportHeader, schema: Schema | undefined) {
    this.#header = header;
    this.#schema = schema;
    this.#columns = new Map(header.columns.map((name, index) => [name, index]));
  }

  /** Yields the rows whose lines end in this chunk. */
  *take(piece: Uint8Array): Generator<readonly ExportedRow[], void, undefined> {
    let rows: ExportedRow[] = [];
    let bytes = 0;
    /** The number of bytes of the chunk that were hashed. */
    let hashed = 0;
    for (let at = 0; at < piece.length; ) {
      if (this.#ended) throw this.#wrong("the line with the counts must be the last line");
      const feed = piece.indexOf(LINE_FEED, at);
      const end = feed < 0 ? piece.length : feed;
      this.#fields.take(piece, at, end);
      if (feed < 0) {
        // The line continues in the next chunk. It may be the last line, which is not hashed.
        this.#hash.update(piece.subarray(hashed, at));
        this.#before ??= this.#fields.has("column") ? undefined : this.#hash.copy();
        this.#hash.update(piece.subarray(at));
        hashed = piece.length;
      } else {
        this.#fields.end();
        if (this.#fields.has("sha256") && !this.#fields.has("column")) {
          this.#hash.update(piece.subarray(hashed, at));
          this.#seal(this.#before ?? this.#hash);
          hashed = piece.length;
        } else {
          const row = this.#row();
          rows.push(row);
          bytes += row.key.length + (row.value?.length ?? 0);
        }
        this.#fields.begin();
        this.#before = undefined;
        this.#number++;
      }
      if (rows.length >= PIECE_ROWS || bytes >= PIECE_BYTES) {
        yield rows;
        rows = [];
        bytes = 0;
      }
      at = end + 1;
    }
    if (hashed < piece.length) this.#hash.update(piece.subarray(hashed));
    if (rows.length > 0) yield rows;
  }

  /** Checks the end of the file. */
  end(): void {
    if (!this.#fields.empty) throw cutFile(`line ${this.#number} has no end`);
    if (!this.#ended) throw cutFile("the line with the counts is missing");
  }

  #row(): ExportedRow {
    const fields = this.#fields;
    const column = fields.text("column");
    const at = typeof column === "string" ? this.#columns.get(column) : undefined;
    if (at === undefined) throw this.#wrong("the first line does not name the column family in `column`");
    if (fields.has("undecrypted"))
      throw new MerostoreError(
        "UNDECRYPTED_ROWS",
        `line ${this.#number}: no master key decrypted this value when it was exported, so it cannot be imported. Export again with the key of the row, or copy the database with its encrypted values (copy, backup)`,
      );
    const key = fields.bytes("key");
    const value = !fields.has("value") && this.#header.redacted ? undefined : fields.bytes("value");
    if (key.length + (value?.length ?? 0) > LARGEST_ROW)
      throw this.#wrong(`key and value have more than ${LARGEST_ROW} bytes, which no export has`);
    this.#checkOrder(at, key);
    const row = { column: column as string, key, value };
    this.#checkRow(row);
    this.#counts.set(row.column, (this.#counts.get(row.column) ?? 0) + 1);
    return row;
  }

  #checkOrder(column: number, key: Uint8Array): void {
    const follows =
      column > this.#column ||
      (column === this.#column && this.#key !== undefined && compareBytes(this.#key, key) < 0);
    if (!follows) throw this.#wrong("rows must be in the order of the column families, then of their keys");
    this.#column = column;
    this.#key = key;
  }

  /** Checks kind and value against the schema. A value that does not decode must have an `error`. */
  #checkRow({ column, key, value }: ExportedRow): void {
    if (this.#schema === undefined) return;
    const known = this.#schema.identify(column, key);
    if ((known?.kind ?? null) !== this.#fields.text("kind"))
      throw this.#wrong(
        `\`kind\` is wrong: in ${this.#schema.name} the key belongs to ${known?.kind ?? "no known kind of row"}`,
      );
    if (known === undefined || value === undefined || this.#fields.has("error")) return;
    try {
      known.value.validate(value);
    } catch (reason) {
      throw this.#wrong(`the value does not decode in ${this.#schema.name}: ${(reason as Error).message}`);
    }
  }

  /** Compares the last line with the rows that were read. */
  #seal(hash: Hash): void {
    this.#ended = true;
    const total = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    const rows = this.#fields.text("rows");
    if (rows !== total)
      throw this.#wrong(
        `the file has ${total} rows, but this line counts ${quoted(rows)}: lines are missing or were added`,
      );
    const columns = Object.entries((this.#fields.text("columns") ?? {}) as Record<string, unknown>);
    const same =
      columns.length === this.#counts.size &&
      columns.every(([name, count]) => count === this.#counts.get(name));
    if (!same)
      throw this.#wrong(
        "the counts of column families do not match the rows: lines are missing or were added",
      );
    if (this.#fields.text("sha256") !== hash.digest("hex"))
      throw this.#wrong("the hash does not match: rows were changed");
  }

  #wrong(why: string): MerostoreError {
    return wrongLine(this.#number, why);
  }
}
