/** Reading an export: every line is checked, and at the end the counts and the hash. */

import { createHash } from "node:crypto";
import { fromHex } from "../bytes/hex.js";
import { compareBytes } from "../bytes/order.js";
import { MerostoreError } from "../errors.js";
import type { Schema } from "../schemas/index.js";
import { type ExportHeader, type ExportTrailer, FORM_VERSION, told } from "./form.js";
import { type Line, readLines } from "./lines.js";

/** A row of an export. */
export interface ExportedRow {
  readonly column: string;
  readonly key: Uint8Array;
  /** Undefined where it was left out, which only a redacted export does. */
  readonly value: Uint8Array | undefined;
}

/** An export that is being read: its first line, then its rows. */
export interface ExportReading {
  readonly header: ExportHeader;
  /**
   * The rows, in pieces, to be iterated once, to the end: only then it is known that the file is whole.
   *
   * @param schema checks kinds and values of rows; without one, only their form is checked
   * @throws MerostoreError `EXPORT_INVALID` naming the line
   */
  rows(schema?: Schema): AsyncGenerator<readonly ExportedRow[], void, undefined>;
  /** Closes the file before its end. At its end, or where it is wrong, it is closed already. */
  close(): Promise<void>;
}

/**
 * Begins to read an export.
 *
 * @param pieces the bytes of the file, unpacked
 * @throws MerostoreError `EXPORT_INVALID`
 */
export async function readExport(pieces: AsyncIterable<Uint8Array>): Promise<ExportReading> {
  const lines = readLines(pieces);
  const close = async (): Promise<void> => void (await lines.return(undefined));
  try {
    const first = await lines.next();
    const [line, ...rest] = first.done === true ? [] : first.value;
    if (line === undefined) throw new MerostoreError("EXPORT_INVALID", "the file is empty: it is no export");
    const header = headerOf(parse(line), line);
    return { header, rows: (schema) => rowsOf(header, rest, lines, schema), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function* rowsOf(
  header: ExportHeader,
  begun: readonly Line[],
  lines: AsyncGenerator<readonly Line[]>,
  schema: Schema | undefined,
): AsyncGenerator<readonly ExportedRow[], void, undefined> {
  const checker = new Checker(header, schema);
  try {
    for (let next = begun; ; ) {
      const rows: ExportedRow[] = [];
      for (const line of next) {
        const row = checker.take(line);
        if (row !== undefined) rows.push(row);
      }
      if (rows.length > 0) yield rows;
      const { done, value } = await lines.next();
      if (done === true) break;
      next = value;
    }
    checker.end();
  } finally {
    await lines.return(undefined);
  }
}

class Checker {
  readonly #header: ExportHeader;
  readonly #schema: Schema | undefined;
  readonly #hash = createHash("sha256");
  readonly #counts = new Map<string, number>();
  #column = -1;
  #key: Uint8Array | undefined;
  #ended = false;

  constructor(header: ExportHeader, schema: Schema | undefined) {
    this.#header = header;
    this.#schema = schema;
  }

  /** The row of a line; undefined for the last one. */
  take(line: Line): ExportedRow | undefined {
    if (this.#ended) throw wrong(line, "nothing may follow the line with the counts");
    const fields = parse(line);
    if ("sha256" in fields) {
      this.#seal(fields as unknown as ExportTrailer, line);
      return undefined;
    }
    this.#hash.update(line.bytes).update("\n");
    const { column } = fields;
    if (typeof column !== "string" || !this.#header.columns.includes(column))
      throw wrong(line, "`column` is none of the column families that the first line names");
    const key = bytesOf(fields, "key", line);
    const value =
      fields.value === undefined && this.#header.redacted ? undefined : bytesOf(fields, "value", line);
    this.#checkOrder(column, key, line);
    this.#checkRow(column, key, value, fields, line);
    this.#counts.set(column, (this.#counts.get(column) ?? 0) + 1);
    return { column, key, value };
  }

  end(): void {
    if (!this.#ended)
      throw new MerostoreError(
        "EXPORT_INVALID",
        "the line with the counts is missing: the file was cut. Export again",
      );
  }

  #seal({ rows, columns, sha256 }: ExportTrailer, line: Line): void {
    this.#ended = true;
    const total = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    if (rows !== total)
      throw wrong(
        line,
        `there are ${total} rows, and it counts ${told(rows)}: lines are missing or were added`,
      );
    const names = Object.keys(columns ?? {});
    if (names.length !== this.#counts.size || names.some((name) => columns[name] !== this.#counts.get(name)))
      throw wrong(line, "it counts other rows of some column family: lines are missing or were added");
    if (sha256 !== this.#hash.digest("hex")) throw wrong(line, "the hash is another: rows were changed");
  }

  #checkOrder(column: string, key: Uint8Array, line: Line): void {
    const at = this.#header.columns.indexOf(column);
    const follows =
      at > this.#column ||
      (at === this.#column && this.#key !== undefined && compareBytes(this.#key, key) < 0);
    if (!follows) throw wrong(line, "rows must be in the order of the column families, then of their keys");
    this.#column = at;
    this.#key = key;
  }

  /** That kind and value are those of the schema; that a value which does not decode says so. */
  #checkRow(
    column: string,
    key: Uint8Array,
    value: Uint8Array | undefined,
    { kind, error }: Fields,
    line: Line,
  ): void {
    if (this.#schema === undefined) return;
    const known = this.#schema.identify(column, key);
    if ((known?.kind ?? null) !== kind)
      throw wrong(
        line,
        `in ${this.#schema.name} this is ${known?.kind ?? "no known kind of row"}, and \`kind\` says otherwise`,
      );
    if (known === undefined || value === undefined || error !== undefined) return;
    try {
      known.value.decode(value);
    } catch (reason) {
      throw wrong(line, `the value does not decode in ${this.#schema.name}: ${(reason as Error).message}`);
    }
  }
}

type Fields = Readonly<Record<string, unknown>>;

const decoder = new TextDecoder("utf-8", { fatal: true });

function parse(line: Line): Fields {
  let parsed: unknown;
  try {
    parsed = JSON.parse(decoder.decode(line.bytes));
  } catch {
    throw wrong(line, "this is no JSON");
  }
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed as Fields;
  throw wrong(line, "this is no JSON object");
}

function headerOf(fields: Fields, line: Line): ExportHeader {
  const { export: made, version, revision, families, columns, redacted } = fields;
  if (made !== "merostore")
    throw wrong(
      line,
      "this is no export of merostore, whose first line describes the database: `merostore export`",
    );
  if (version !== FORM_VERSION)
    throw wrong(line, `the form has version ${told(version)}; here version ${FORM_VERSION} is read`);
  const named =
    Array.isArray(columns) &&
    columns.every((column) => typeof column === "string" && column !== "") &&
    new Set(columns).size === columns.length;
  const mixed = typeof families === "object" ? families !== null : families === undefined;
  if (typeof revision !== "string" || typeof redacted !== "boolean" || !named || !mixed)
    throw wrong(line, "`revision`, `columns`, `redacted` or `families` is missing or not as it should be");
  return fields as unknown as ExportHeader;
}

function bytesOf(fields: Fields, name: "key" | "value", line: Line): Uint8Array {
  const text = fields[name];
  if (typeof text !== "string") throw wrong(line, `\`${name}\` is missing`);
  try {
    return fromHex(text);
  } catch {
    throw wrong(line, `\`${name}\` is no hex text`);
  }
}

function wrong({ number }: Line, why: string): MerostoreError {
  return new MerostoreError("EXPORT_INVALID", `line ${number}: ${why}`);
}
