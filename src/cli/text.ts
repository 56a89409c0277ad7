/** Text for people: short ids, one line per row, aligned columns. */
import { fromBase58 } from "../bytes/base58.js";
import { count, counted } from "../bytes/quantity.js";
import { shellQuoted } from "../bytes/shell-word.js";
import { visible } from "../bytes/visible.js";
import type { Json } from "../codec/index.js";
import type { RowJson } from "../schemas/index.js";
import { cellsOf, cutToCells } from "./cells.js";
import { type IdLook, idText, SHORT } from "./id-look.js";
import { shownLocation } from "./location.js";

/** A cell of a table: a text, or a number, whose digits are in groups of three for people alone. */
export type Cell = string | number | bigint;

/** Hex and base58 texts longer than this are cut. */
const LONG = 20;
/** A number of 128 bits; random bytes in hex have no other digits in one of a million cases. */
const LARGE_NUMBER = /^\d{21,39}$/;
/** Longer hex texts are cut even where ids are shown whole. A signature has as many. */
const LONG_WHOLE = 128;

/** A text with escapes for hidden characters, cut to a width if there is one. */
export function clip(given: string, width: number | undefined): string {
  const text = visible(given);
  return width === undefined || cellsOf(text) <= width ? text : `${cutToCells(text, width - 1)}…`;
}

/** `2e49a903…` for an id, `0a3fbb01… (1,044 bytes)` for other long bytes; other texts as they are. */
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

/** Characters of a value that are shown on one line. */
const LONGEST_VALUE = 2_000;

/** A value cut to 2,000 characters, with their number. */
export function shortened(text: string): string {
  if (text.length <= LONGEST_VALUE) return text;
  return `${text.slice(0, LONGEST_VALUE)}… (${count(text.length)} characters)`;
}

/** A word of a command, quoted for a shell where it needs that. A URL of a server has no password there. */
export function shellWord(typed: string): string {
  return shellQuoted(shownLocation(typed));
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

/** Whole ids and texts, where one row has room for them. */
export function long(value: Json, look: IdLook = SHORT): string {
  return typeof value === "string" && value !== "" && value.length <= 128
    ? printable(value)
    : inline(value, look);
}

/** Fields that tell most about a row, in the order in which a list shows them. */
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

/** The fields of a value, what people look for first. The layout's own version is last but for schemas of applications. */
function importantFirst(value: Json): Json {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  const fields = Object.entries(value as { readonly [name: string]: Json });
  const rank = ([name, field]: readonly [string, Json]): number => {
    // A number is the version of a layout; a text that of an application.
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
