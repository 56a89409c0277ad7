/** Answers of SQL: as tables for people, as JSON, and as files. */

import { Readable } from "node:stream";
import { counted } from "../../bytes/quantity.js";
import { toJsonLine } from "../../bytes/visible.js";
import type { Json } from "../../codec/index.js";
import { invalidArgument } from "../../errors.js";
import { parquetOf, type SqlAnswer } from "../../sql/index.js";
import { cellText, csvLine } from "../output/csv.js";
import { writeOut } from "../output/out-file.js";
import { type Fitting, type Plan, planOf, rowLines } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { clip, inline } from "../output/text.js";

/** The forms of a file with an answer, by the extension of its name. */
const FORMS = {
  ".parquet": parquetOf,
  ".csv": csvOf,
  ".json": jsonOf,
} as const;

/** Refuses a file name without a known extension. */
export function checkForm(path: string): void {
  formOf(path);
}

function formOf(path: string): (answer: SqlAnswer) => AsyncGenerator<Uint8Array | string, void, undefined> {
  for (const [end, form] of Object.entries(FORMS)) if (path.toLowerCase().endsWith(end)) return form;
  throw invalidArgument(
    `${path} does not say its form: the name must end in ${Object.keys(FORMS).join(", ")}`,
  );
}

/** Writes an answer to a file, which gets its name when it is complete. */
export async function writeAnswer(path: string, answer: SqlAnswer): Promise<void> {
  await writeOut(path, [Readable.from(formOf(path)(answer), { objectMode: true })]);
}

/** One JSON object per row and line. */
async function* jsonOf(answer: SqlAnswer): AsyncGenerator<string, void, undefined> {
  for await (const chunk of answer.jsonChunks())
    yield chunk.map((row) => `${toJsonLine(objectOf(answer, row))}\n`).join("");
}

function objectOf({ columns }: SqlAnswer, row: readonly Json[]): Json {
  return Object.fromEntries(columns.map(({ name }, at) => [name, row[at] as Json]));
}

/** Yields a line of names, then a line for each row. Null is an empty cell; lists and structs are JSON. */
async function* csvOf(answer: SqlAnswer): AsyncGenerator<string, void, undefined> {
  yield `${csvLine(answer.columns.map(({ name }) => name))}\n`;
  for await (const chunk of answer.jsonChunks()) yield chunk.map((row) => `${csvLine(row)}\n`).join("");
}

/** Forms of a table that is printed. */
const TABLE_FORMS = ["name", "wide", "csv"] as const;
type TableForm = (typeof TABLE_FORMS)[number];

/** Returns whether a word is the form of a table, not the name of a file. */
export function isTableForm(word: string): word is TableForm {
  return (TABLE_FORMS as readonly string[]).includes(word);
}

/**
 * Prints an answer: a table, or one JSON object per row.
 *
 * @param the form of the table: `name` is only the first column
 */
export async function printAnswer(
  terminal: Terminal,
  answer: SqlAnswer,
  asJson: boolean,
  form?: TableForm,
): Promise<void> {
  if (form === "csv") return printCsv(terminal, answer);
  if (form === "name") return printFirstCells(terminal, answer);
  const { columns } = answer;
  const right = [...columns.keys()].filter((at) =>
    /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$|^(?:DOUBLE|FLOAT)$|^DECIMAL/.test(columns[at]?.type ?? ""),
  );
  // The widest column is cut first.
  const cut = [...columns.keys()].toSorted((a, b) => rank(columns[b]?.type) - rank(columns[a]?.type));
  const width = form === "wide" ? undefined : terminal.width;
  const lines = new AlignedLines(terminal, { right, cut, leave: [] }, width);
  if (!asJson) await lines.add([columns.map(({ name }) => name)]);
  let rows = 0;
  for await (const chunk of answer.jsonChunks()) {
    rows += chunk.length;
    if (asJson) for (const row of chunk) await terminal.json(objectOf(answer, row));
    else await lines.add(chunk.map((row) => row.map((cell) => inline(withoutNulls(cell), terminal.ids))));
  }
  await lines.end();
  if (terminal.interactive && !asJson) terminal.note(counted(rows, "row"));
}

/** Prints the bytes that a file would have. */
async function printCsv(terminal: Terminal, answer: SqlAnswer): Promise<void> {
  for await (const piece of csvOf(answer)) await terminal.bytes(Buffer.from(piece));
}

/** Prints the first cell of each row: texts unchanged, lists and structs as JSON, nothing for null. */
async function printFirstCells(terminal: Terminal, answer: SqlAnswer): Promise<void> {
  for await (const chunk of answer.jsonChunks())
    for (const row of chunk) await terminal.line(row.slice(0, 1).map(cellText).join(""));
}

/** The most rows, and characters in them, that decide the widths of columns. */
const ALIGNED_ROWS = 10_000;
const ALIGNED_CHARACTERS = 4_000_000;

/** A table that may be long: its first rows decide the widths of the columns, and the others keep them. */
class AlignedLines {
  readonly #terminal: Terminal;
  readonly #fitting: Fitting;
  readonly #width: number | undefined;
  #first: (readonly string[])[] = [];
  #characters = 0;
  /** Undefined until the widths are decided. */
  #plan: Plan | undefined;

  constructor(terminal: Terminal, fitting: Fitting, width: number | undefined) {
    this.#terminal = terminal;
    this.#fitting = fitting;
    this.#width = width;
  }

  async add(rows: readonly (readonly string[])[]): Promise<void> {
    for (const row of rows) {
      if (this.#plan !== undefined) await this.#row(row, this.#plan);
      else {
        this.#first.push(row);
        this.#characters += row.reduce((sum, { length }) => sum + length, 0);
        if (this.#first.length > ALIGNED_ROWS || this.#characters > ALIGNED_CHARACTERS) await this.end();
      }
    }
  }

  /** Prints the rows that wait for others. */
  async end(): Promise<void> {
    this.#plan ??= planOf(this.#first, this.#fitting, this.#width);
    for (const row of this.#first) await this.#row(row, this.#plan);
    this.#first = [];
  }

  async #row(row: readonly string[], plan: Plan): Promise<void> {
    for (const line of rowLines(row, plan, this.#fitting, this.#width))
      await this.#terminal.line(clip(line, this.#width));
  }
}

function rank(type = ""): number {
  return type.startsWith("STRUCT") || type.startsWith("MAP") || type.endsWith("]")
    ? 2
    : type === "VARCHAR"
      ? 1
      : 0;
}

/** An enum without the fields of the variants that it is not. */
function withoutNulls(value: Json): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(withoutNulls);
  const fields = Object.entries(value as { readonly [name: string]: Json });
  // Names of variants begin with a capital, those of other fields do not.
  const isOther = (name: string, field: Json): boolean =>
    field === null && "kind" in value && /^[A-Z]/.test(name);
  return Object.fromEntries(
    fields
      .filter(([name, field]) => !isOther(name, field))
      .map(([name, field]) => [name, withoutNulls(field)]),
  );
}

/** Reports rows whose value does not decode. */
export function remarkUndecoded(terminal: Terminal, undecoded: number): void {
  if (undecoded === 0) return;
  const values =
    undecoded === 1 ? "the value of 1 row does" : `the values of ${counted(undecoded, "row")} do`;
  terminal.remark(`${values} not decode: its columns are null, and "error" says why`);
}

/** The milliseconds between two checks whether the user has ended the command. */
const CHECKED_MS = 100;

/** Does work with a signal that aborts when the user ends the command, or when another signal aborts. */
export async function untilEnded<T>(
  terminal: Terminal,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const timer = setInterval(() => {
    try {
      terminal.check();
      signal?.throwIfAborted();
    } catch (error) {
      stop.abort(error);
    }
  }, CHECKED_MS);
  try {
    return await work(stop.signal);
  } finally {
    clearInterval(timer);
  }
}
