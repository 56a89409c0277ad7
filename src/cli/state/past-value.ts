/** Values at a moment, as text and as JSON. */
import { toJsonLine, visible } from "../../bytes/visible.js";
import type { Json } from "../../codec/index.js";
import { type ChangedEntry, type PastValue, problemJson } from "../../state/index.js";
import { printable, shortened } from "../output/text.js";

/** `items["a"]: "x" → "y"`; `items["a"] = "x"` for a new entry. */
export function entryText({ path, before, after }: ChangedEntry): string {
  const text = changedText(before, after);
  const shown = visible(path);
  if (before.kind === "problem" && valueText(before) === valueText(after)) return `${shown} ${text}`;
  if (before.kind === "nothing") return `${shown} = ${valueText(after)}`;
  return valueText(before) === valueText(after) ? `${shown} = ${text}` : `${shown}: ${text}`;
}

/** `"x" → "y"`; `"x", written again`; a problem of both only once. */
export function changedText(before: PastValue, after: PastValue): string {
  const [old, now] = [valueText(before), valueText(after)];
  if (old !== now) return `${old} → ${now}`;
  return before.kind === "value" ? `${now}, written again` : now;
}

/** The text of a value, of its absence, or of its problem. */
export function valueText(value: PastValue): string {
  if (value.kind === "nothing") return "nothing";
  if (value.kind === "value") return shortened(toJsonLine(value.json));
  return `! ${value.problem.name}: ${printable(value.problem.message)}`;
}

/** A value in JSON; null if there was none. */
export function pastJson(value: PastValue): Json {
  if (value.kind === "nothing") return null;
  return value.kind === "value" ? value.json : problemJson(value.problem);
}

/** Entries with old and new values, as JSON. */
export function entriesToJson(entries: Iterable<ChangedEntry>): Json {
  return Array.from(entries, ({ path, before, after }) => ({
    path,
    before: pastJson(before),
    after: pastJson(after),
  }));
}
