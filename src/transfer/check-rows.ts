/** Checks of the lines after the first: each row, the order of rows, and at the end the counts and the hash. */

import { createHash } from "node:crypto";
import { fromHex } from "../bytes/hex.js";
import { compareBytes } from "../bytes/order.js";
import { quoted } from "../bytes/visible.js";
import { MerostoreError } from "../errors.js";
import type { Schema } from "../schemas/index.js";
import { cutFile, type ExportHeader, wrongLine } from "./form.js";
import { LARGEST_ROW } from "./limits.js";
import { LineSplitter, parseLine } from "./lines.js";

/** A row of an export. */
export interface ExportedRow {
  /** Name of the column family. */
  readonly column: string;
  /** The key as it is stored. */
  readonly key: Uint8Array;
  /** Undefined if it was omitted, which only happens in a redacted export. */
  readonly value: Uint8Array | undefined;
  /** For a row without a value, its JSON form without secrets from the export, which is not checked. */
  readonly shown?: unknown;
}

/** The limits of a chunk of rows. */
const PIECE_ROWS = 1000;
const PIECE_BYTES = 1024 * 1024;

const CARRIAGE_RETURN = 0x0d;

/** The fields of a line. */
type Fields = Readonly<Record<string, unknown>>;

/** Restores a line of an export whose line end a program has replaced by CR LF. */
function asWritten(line: Uint8Array): Uint8Array {
  if (line.at(-2) !== CARRIAGE_RETURN) return line;
  return Buffer.concat([line.subarray(0, -2), line.subarray(-1)]);
}

/** Parses and checks the bytes after the first line and yields the rows. */
export class RowChecker {
  readonly #header: ExportHeader;
  readonly #schema: Schema | undefined;
  /** The index of each column family in their order. */
  readonly #columns: ReadonlyMap<string, number>;
  readonly #counts = new Map<string, number>();
  readonly #lines = new LineSplitter(2);
  readonly #hash = createHash("sha256");
  #column = -1;
  #key: Uint8Array | undefined;
  #ended = false;

  constructor(header: ExportHeader, schema: Schema | undefined) {
    this.#header = header;
    this.#schema = schema;
    this.#columns = new Map(header.columns.map((name, index) => [name, index]));
  }

  /** Yields the rows whose lines end in this piece. */
  *take(piece: Uint8Array): Generator<readonly ExportedRow[], void, undefined> {
    if (this.#ended && piece.length > 0) throw this.#notLast();
    let rows: ExportedRow[] = [];
    let bytes = 0;
    for (const line of this.#lines.take(piece)) {
      if (this.#ended) throw this.#notLast();
      const fields = parseLine(line, this.#lines.number);
      if (fields.sha256 !== undefined && fields.column === undefined) {
        this.#seal(fields);
        continue;
      }
      this.#hash.update(asWritten(line));
      const row = this.#row(fields);
      rows.push(row);
      bytes += row.key.length + (row.value?.length ?? 0);
      if (rows.length < PIECE_ROWS && bytes < PIECE_BYTES) continue;
      yield rows;
      rows = [];
      bytes = 0;
    }
    if (rows.length > 0) yield rows;
  }

  /** Checks the end of the file. */
  end(): void {
    if (this.#ended && this.#lines.within) throw this.#notLast();
    if (this.#lines.within) throw cutFile(`line ${this.#lines.number} has no end`);
    if (!this.#ended) throw cutFile("the line with the counts is missing");
  }

  #row(fields: Fields): ExportedRow {
    const { column } = fields;
    const at = typeof column === "string" ? this.#columns.get(column) : undefined;
    if (typeof column !== "string" || at === undefined)
      throw this.#wrong("the first line does not name the column family in `column`");
    if (fields.undecrypted !== undefined)
      throw new MerostoreError(
        "UNDECRYPTED_ROWS",
        `line ${this.#lines.number}: no master key decrypted this value when it was exported, so it cannot be imported. Export again with the key of the row, or copy the database with its encrypted values (copy, backup)`,
      );
    const key = this.#bytes(fields, "key");
    const value =
      fields.value === undefined && this.#header.redacted ? undefined : this.#bytes(fields, "value");
    if (key.length + (value?.length ?? 0) > LARGEST_ROW)
      throw this.#wrong(`key and value have more than ${LARGEST_ROW} bytes, which no export has`);
    this.#checkOrder(at, key);
    const row = { column, key, value, ...(value === undefined && { shown: fields.decoded }) };
    this.#checkRow(row, fields);
    this.#counts.set(column, (this.#counts.get(column) ?? 0) + 1);
    return row;
  }

  #bytes(fields: Fields, name: "key" | "value"): Uint8Array {
    const text = fields[name];
    if (typeof text !== "string") throw this.#wrong(`\`${name}\` is missing`);
    try {
      return fromHex(text);
    } catch {
      throw this.#wrong(`\`${name}\` is not hex text`);
    }
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
  #checkRow({ column, key, value }: ExportedRow, fields: Fields): void {
    if (this.#schema === undefined) return;
    const known = this.#schema.identify(column, key);
    if ((known?.kind ?? null) !== fields.kind)
      throw this.#wrong(
        `\`kind\` is wrong: in ${this.#schema.name} the key belongs to ${known?.kind ?? "no known kind of row"}`,
      );
    if (known === undefined || value === undefined || fields.error !== undefined) return;
    try {
      known.valueAt(known.key.view(key)).validate(value);
    } catch (reason) {
      throw this.#wrong(`the value does not decode in ${this.#schema.name}: ${(reason as Error).message}`);
    }
  }

  /** Compares the last line with the rows read. */
  #seal({ rows, columns: counts, sha256 }: Fields): void {
    this.#ended = true;
    const total = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    if (rows !== total)
      throw this.#wrong(
        `the file has ${total} rows, but this line counts ${quoted(rows)}: lines are missing or were added`,
      );
    const columns = Object.entries(counts ?? {});
    const same =
      columns.length === this.#counts.size &&
      columns.every(([name, count]) => count === this.#counts.get(name));
    if (!same)
      throw this.#wrong(
        "the counts of column families do not match the rows: lines are missing or were added",
      );
    if (sha256 !== this.#hash.digest("hex")) throw this.#wrong("the hash does not match: rows were changed");
  }

  #notLast(): MerostoreError {
    return this.#wrong("the line with the counts must be the last line");
  }

  #wrong(why: string): MerostoreError {
    return wrongLine(this.#lines.number, why);
  }
}
