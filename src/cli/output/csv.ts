/** Lines of CSV (RFC 4180), each ended by a line feed alone. */
import type { Json } from "../../codec/index.js";

/** A line of cells. Null is an empty cell; lists and objects are JSON. */
export function csvLine(cells: readonly Json[]): string {
  const line = cells.map((cell) => {
    if (cell === null) return "";
    const text = cellText(cell);
    return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return line.join(",");
}

/** A cell as text: lists and objects are JSON, and null is empty. */
export function cellText(cell: Json): string {
  return cell === null ? "" : typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}
