/** How values are shown to people: short ids, one line a row, aligned columns. */
import type { Json } from "../codec/index.js";
import type { RowJson } from "../schemas/index.js";

/** Hex and base58 texts longer than this are cut. */
const LONG = 20;

/** Lines of cells, each column as wide as its widest cell. `right` names the columns that are aligned right. */
export function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return right.includes(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
}

/** A text cut to a width, if there is one. */
export function clip(text: string, width: number | undefined): string {
  return width === undefined || text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

/** `2e49a903…` for an id, `0a3fbb01… (1044 bytes)` for other long bytes; other texts as they are. */
export function short(value: Json): string {
  if (typeof value !== "string") return inline(value);
  if (value === "") return '""';
  if (value.length <= LONG || !/^[0-9a-f]+$/.test(value)) return clip(JSON.stringify(value).slice(1, -1), 60);
  const size = value.length / 2;
  return size === 32 ? `${value.slice(0, 8)}…` : `${value.slice(0, 8)}… (${size} bytes)`;
}

/** A decoded value in one line: `{role: Member, privateKey: null}`. */
export function inline(value: Json): string {
  if (typeof value === "string") return short(value);
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) {
    const shown = value.slice(0, 3).map(inline).join(", ");
    return value.length > 3 ? `[${shown}, … ${value.length} in all]` : `[${shown}]`;
  }
  const fields = Object.entries(value as { readonly [key: string]: Json });
  return `{${fields.map(([name, field]) => `${name}: ${inline(field)}`).join(", ")}}`;
}

/** The cells of a row: kind, each part, value. */
export function rowCells(row: RowJson): string[] {
  if (row.parts === null) {
    return [
      `${row.column} (unknown)`,
      `key ${short(row.key)}`,
      row.value === undefined ? "redacted" : short(row.value),
    ];
  }
  const parts = Object.entries(row.parts).map(([name, part]) => `${name}=${short(part)}`);
  return [row.kind ?? "", ...parts, valueText(row)];
}

/** `1044` → `1,044`. */
export function count(value: number): string {
  return value.toLocaleString("en");
}

/** `1,044 bytes`, `1.5 MB`. */
export function size(bytes: number): string {
  if (bytes < 10_000) return `${count(bytes)} bytes`;
  if (bytes < 10_000_000) return `${(bytes / 1_000).toFixed(0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function valueText(row: RowJson): string {
  if (row.error !== undefined) return `does not decode: ${row.error}`;
  if (row.decoded === undefined) return "";
  return row.decoded === null ? "()" : inline(row.decoded);
}
