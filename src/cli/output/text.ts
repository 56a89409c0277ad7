/** Text for people: short ids, one line per row, aligned columns. */
import { fromBase58 } from "../../bytes/base58.js";
import { count, counted } from "../../bytes/quantity.js";
import { shellQuoted } from "../../bytes/shell-word.js";
import { visible } from "../../bytes/visible.js";
import type { Json } from "../../codec/index.js";
import type { RowJson } from "../../schemas/index.js";
import { withoutSecrets } from "../../url-secrets.js";
import { cellsOf, cutToCells } from "./cells.js";
import { type IdLook, idText, SHORT } from "./id-look.js";

/** A cell of a table: a text, or a number, whose digits are grouped by three only for people. */
export type Cell = string | number | bigint;

/** Hex and base58 texts longer than this are cut. */
const LONG = 20;
/** A number of up to 128 bits. Random bytes in hex look like that in one of a million cases. */
const LARGE_NUMBER = /^\d{21,39}$/;
/** Longer hex texts are cut even if ids are whole. A signature has so many digits. */
const LONG_WHOLE = 128;

/** A text with escapes for hidden characters, cut to a width if there is one. */
export function clip(given: string, width: number | undefined): string {
  const text = visible(given);
  return width === undefined || cellsOf(text) <= width ? text : `${cutToCells(text, width - 1)}…`;
}

/** `2e49a903…` for an id, `0a3fbb01… (1,044 bytes)` for other long bytes; other texts unchanged. */
export function short(value: Json, look: IdLook = SHORT): string {
  const { whole } = look;
  if (typeof value !== "string") return inline(value, look);
  if (value === "") return '""';
  if (isBase58Id(value)) return whole ? value : `${value.slice(0, 8)}…`;
  const isHex = value.length > LONG && /^[0-9a-f]+$/.test(value) && !LARGE_NUMBER.test(value);
  if (isHex && value.length === 64) return `${idText(value, look)}${whole ? "" : "…"}`;
  if (!isHex || (whole && value.length <= LONG_WHOLE))
    return whole ? printable(value) : clip(printable(value), 60);
  const size = value.length / 2;
  return `${value.slice(0, 8)}… (${counted(size, "byte")})`;
}

/** A name or another foreign text on one line. Its own backslashes are escaped too. */
export function printable(text: string): string {
  return visible(text.replaceAll("\\", "\\\\"));
}

/** The first names of a list, and the number of the others: `alice, bob and 3 more`. */
export function someNames(names: readonly string[], most: number): string {
  const rest = names.length - most;
  return `${names.slice(0, most).join(", ")}${rest > 0 ? ` and ${count(rest)} more` : ""}`;
}

/** The most characters of a value on one line. */
const LONGEST_VALUE = 2_000;

/** A value cut to 2,000 characters, with their number. */
export function shortened(text: string): string {
  if (text.length <= LONGEST_VALUE) return text;
  return `${text.slice(0, LONGEST_VALUE)}… (${count(text.length)} characters)`;
}

/** A word of a command, quoted for a shell if needed. A URL of a server is shown without its password. */
export function shellWord(typed: string): string {
  return shellQuoted(withoutSecrets(typed));
}

/** Returns whether a text reads as 32 bytes in base58, as ids are shown with `--base58`. */
function isBase58Id(text: string): boolean {
  if (text.length < 32 || text.length > 44 || !/^[1-9A-HJ-NP-Za-km-z]+$/.test(text)) return false;
  return fromBase58(text).length === 32;
}

/** A decoded value in one line: `{role: Member, privateKey: null}`. A whole look shows every item of a list, too. */
export function inline(value: Json, look: IdLook = SHORT): string {
  const { whole } = look;
  if (typeof value === "string") return short(value, look);
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) {
    const shown = (whole ? value : value.slice(0, 3)).map((item) => inline(item, look)).join(", ");
    return value.length > 3 && !whole ? `[${shown}, … ${value.length} in all]` : `[${shown}]`;
  }
  const fields = Object.entries(value as { readonly [key: string]: Json });
  return `{${fields.map(([name, field]) => `${name}: ${inline(field, look)}`).join(", ")}}`;
}

/** Options of the rows of a list. */
export interface RowLook {
  /** No values. */
  readonly keysOnly?: boolean | undefined;
  readonly ids?: IdLook | undefined;
}

/** The cells of a row: kind, each part, and the value unless only keys are shown. */
export function rowCells(row: RowJson, { keysOnly = false, ids }: RowLook = {}): string[] {
  const value = keysOnly ? [] : [valueText(row, (shown) => inline(importantFirst(shown), ids))];
  if (row.parts === null)
    return [`${printable(row.column)} (unknown)`, `key ${short(row.key, ids)}`, ...value];
  const parts = Object.entries(row.parts).map(([name, part]) => `${name}=${short(part, ids)}`);
  return [row.kind ?? "", ...parts, ...value];
}

/** A value with whole ids and texts, if one row has the space. */
export function long(value: Json, look: IdLook = SHORT): string {
  return typeof value === "string" && value !== "" && value.length <= 128
    ? printable(value)
    : inline(value, look);
}

/** The most informative fields of a row, in the order of lists. */
const FIRST = [
  "kind",
  "name",
  "role",
  "op",
  "action",
  "actions",
  "events",
  "status",
  "capabilities",
  "package",
  "version",
  "applicationId",
  "targetApplicationId",
  "application",
  "rootHash",
  "sequence",
  "size",
  "signer",
  "authorId",
  "author",
  "hlc",
  "createdAt",
  "updatedAt",
];

/** Sorts the fields of a value by importance. The version of a layout is last, except for schemas of applications. */
function importantFirst(value: Json): Json {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  const fields = Object.entries(value as { readonly [name: string]: Json });
  const rank = ([name, field]: readonly [string, Json]): number => {
    // A number is the version of a layout; a text is the version of an application.
    if (name === "version" && typeof field === "number") return FIRST.length + 1;
    const at = FIRST.indexOf(name);
    return at < 0 ? FIRST.length : at;
  };
  return Object.fromEntries(fields.toSorted((a, b) => rank(a) - rank(b)));
}

/** The value of a row in one line, or the reason why it is not shown. */
export function valueText(row: RowJson, show: (value: Json) => string): string {
  if (row.error !== undefined) return `does not decode: ${row.error}`;
  if (row.decoded === undefined) return row.value === undefined ? "redacted" : show(row.value);
  return row.decoded === null ? "()" : show(row.decoded);
}

/** `0x2A`. */
export function prefixText(byte: number): string {
  return `0x${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

/** The words that run the program, for commands that the user can type next: `npx merostore` where npx ran it. */
export function programName(): string {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = "" } = process.env;
  return event === "npx" && /^"?merostore\b/.test(script) ? "npx merostore" : "merostore";
}
