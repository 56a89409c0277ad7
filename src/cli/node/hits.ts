/** Rows that a search found, with the places that have it. */
import { type FoundPlace, placesIn, type Searched } from "../../node/index.js";
import type { RowJson } from "../../schemas/index.js";
import { printable, short } from "../text.js";

/** Characters around what was found that are shown. */
const AROUND = 24;
/** The same where lines have no end. */
const AROUND_WHOLE = 200;

/** A row in a line: its column family and kind, its parts, and where it has what was searched for. */
export function hitText(row: RowJson, searched: Searched, where: string, whole: boolean): string {
  const parts =
    row.parts === null
      ? [`key ${short(row.key, whole)}`]
      : Object.entries(row.parts).map(([name, part]) => `${name}=${short(part, whole)}`);
  const places = placesIn(row, searched);
  const texts = [
    ...(["key", "value"] as const).flatMap((side) => {
      const found = places.filter((place) => place.in === side).map((place) => placeText(place, whole));
      if (found.length > 0) return `in the ${side}${found[0] === "" ? "" : `: ${found.join(", ")}`}`;
      // A hidden value is not searched for its place.
      return where.includes(side)
        ? `in the ${side}${side === "value" ? ", in what is hidden or not a field" : ""}`
        : [];
    }),
  ];
  return [`${printable(row.column)} ${row.kind ?? "unknown row"}`, ...parts, texts.join("; ")].join("  ");
}

/** `name "…the office of…"`; the name alone where the field is the id that was searched for. A value without fields has none. */
function placeText({ path, text, at, length }: FoundPlace, whole: boolean): string {
  const name = printable(path);
  if (length === text.length && /^[0-9a-f]{64}$/.test(text)) return name;
  const around = whole ? AROUND_WHOLE : AROUND;
  const [from, to] = [Math.max(0, at - around), at + length + around];
  const shown = printable(text.slice(from, to));
  return `${name}${name === "" ? "" : " "}"${from > 0 ? "…" : ""}${shown}${to < text.length ? "…" : ""}"`;
}
