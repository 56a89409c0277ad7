/** A whole row for people: one field per line, with nested fields indented and long texts wrapped. */

import { counted } from "../../bytes/quantity.js";
import type { Json } from "../../codec/index.js";
import type { RowJson } from "../../schemas/index.js";
import { longest, wrapped } from "../output/lines.js";
import { printable } from "../output/text.js";

type Fields = { readonly [name: string]: Json };

/** The most characters of a text: 4 KiB of bytes. */
const LONGEST = 8_192;

/**
 * The lines of a row: the kind, the parts of the key, and the fields of the value.
 *
 * @param width the width of a line; without it, texts are not wrapped
 */
export function rowText(row: RowJson, width: number | undefined): string[] {
  const { decoded, error } = row;
  const value: Fields =
    error !== undefined
      ? { value: `does not decode: ${error}` }
      : decoded === undefined
        ? { value: row.value ?? "redacted" }
        : isFields(decoded)
          ? decoded
          : { value: decoded ?? "()" };
  return [
    `${row.kind ?? "unknown row"} in ${printable(row.column)}`,
    ...fieldLines(row.parts ?? { key: row.key }, "  ", width, nameWidth(row.parts ?? {}, value)),
    "",
    ...fieldLines(value, "  ", width, nameWidth(row.parts ?? {}, value)),
  ];
}

function isFields(value: Json): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nameWidth(...all: readonly Fields[]): number {
  return longest(all.flatMap((fields) => Object.keys(fields).map(printable)));
}

function fieldLines(
  fields: Fields,
  indent: string,
  width: number | undefined,
  names = nameWidth(fields),
): string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    named(`${indent}${printable(name).padEnd(names)}  `, indent, value, width),
  );
}

/** The lines of a field: the value beside its name, and nested fields below. */
function named(head: string, indent: string, value: Json, width: number | undefined): string[] {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${head}none`];
    const items = (value as readonly Json[]).flatMap((item) => itemLines(item, inner, width));
    return [`${head}${counted(value.length, "item")}`, ...items];
  }
  if (!isFields(value)) return beside(head, scalar(value), width);
  const { kind, ...rest } = value;
  // The kind of a variant is beside its name.
  const variant = typeof kind === "string" ? printable(kind) : "";
  const below = fieldLines(typeof kind === "string" ? rest : value, inner, width);
  return [`${head}${variant || (below.length === 0 ? "{}" : "")}`.trimEnd(), ...below];
}

/** An item of a list, after a dash. */
function itemLines(item: Json, indent: string, width: number | undefined): string[] {
  const lines = named(`${indent}- `, indent, item, width);
  const [first = "", second, ...rest] = lines;
  // The first field is beside the dash.
  return first.trim() === "-" && second !== undefined ? [`${indent}- ${second.trimStart()}`, ...rest] : lines;
}

function scalar(value: Json): string {
  if (value === "") return '""';
  if (typeof value !== "string") return String(value);
  const text = printable(value.slice(0, LONGEST));
  if (value.length <= LONGEST) return text;
  const isHex = /^[0-9a-f]+$/.test(value);
  const all = isHex ? counted(value.length / 2, "byte") : counted(value.length, "character");
  return `${text}… ${all} in all; --json shows the rest`;
}

/** A text beside its head, with further lines below its beginning. */
function beside(head: string, text: string, width: number | undefined): string[] {
  const room = width === undefined ? undefined : width - head.length;
  return wrapped(text, room).map((line, at) => (at === 0 ? head : " ".repeat(head.length)) + line);
}
