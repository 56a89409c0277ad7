/** The places of an id or a text in a row: the part of its key, or the field of its value. */
import { fromHex, toHex } from "../bytes/hex.js";
import type { Json } from "../codec/index.js";
import { checkArgument, hasMembers } from "../options.js";
import type { RowJson } from "../schemas/index.js";
import type { Searched } from "./find.js";

/** A place in a row that contains the searched id or text. */
export interface FoundPlace {
  /** The part of the row that has it. */
  readonly in: "key" | "value";
  /** The part or field: `groupId`, `children[0].id`; empty for a value without fields. */
  readonly path: string;
  /**
   * The content of the field: its text, its bytes as hex digits, or its bytes as text. Foreign text: escape it before
   * you show it.
   */
  readonly text: string;
  /** The offset in the text, in characters. */
  readonly at: number;
  /** Its length in the text, in characters. */
  readonly length: number;
}

/** Places of a row that are returned at most. */
const MOST = 12;
/** The most levels of fields that are searched. No value is deeper. */
const DEEPEST = 64;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The places of a row that have one of some ids, texts or bytes, at most twelve. What the row's form hides is
 * not searched: a row that was found and has no place holds it in a secret, or across fields.
 */
export function placesIn(row: RowJson, searched: Searched): readonly FoundPlace[] {
  checkArgument("placesIn", row, hasMembers("a row in its JSON form", "column", "key"));
  checkArgument("placesIn", searched, hasMembers("what is searched for", "ids", "texts"));
  const { ids, texts, bytes = [] } = searched;
  const places: FoundPlace[] = [];
  const needles = [...ids, ...bytes, ...texts.map((text) => toHex(encoder.encode(text)))].filter(
    (hex) => hex !== "",
  );
  const walk = (side: FoundPlace["in"], value: Json, path: string, depth: number): void => {
    if (places.length >= MOST || depth > DEEPEST) return;
    if (typeof value === "string") {
      const hit = inText(value, texts) ?? inHex(value, needles);
      if (hit !== undefined) places.push({ in: side, path, ...hit });
    } else if (Array.isArray(value))
      for (const [at, one] of (value as readonly Json[]).entries())
        walk(side, one, `${path}[${at}]`, depth + 1);
    else if (value !== null && typeof value === "object")
      for (const [name, one] of Object.entries(value as { readonly [name: string]: Json }))
        walk(side, one, path === "" ? name : `${path}.${name}`, depth + 1);
  };
  walk("key", row.parts ?? { key: row.key }, "", 0);
  walk("value", row.decoded ?? row.value ?? null, "", 0);
  return places;
}

type FoundText = Pick<FoundPlace, "text" | "at" | "length">;

function inText(text: string, texts: readonly string[]): FoundText | undefined {
  for (const one of texts) {
    const at = text.indexOf(one);
    if (at >= 0) return { text, at, length: one.length };
  }
  return undefined;
}

/** In bytes: at a whole byte. Bytes that are text are shown as text. */
function inHex(hex: string, needles: readonly string[]): FoundText | undefined {
  if (hex.length % 2 !== 0 || !/^[0-9a-f]*$/.test(hex)) return undefined;
  for (const needle of needles) {
    let at = hex.indexOf(needle);
    while (at >= 0 && at % 2 !== 0) at = hex.indexOf(needle, at + 1);
    if (at < 0) continue;
    if (hex === needle) return { text: hex, at, length: needle.length };
    try {
      const [text, before, found] = [hex, hex.slice(0, at), needle].map((part) =>
        decoder.decode(fromHex(part)),
      );
      return { text: text as string, at: (before as string).length, length: (found as string).length };
    } catch {
      return { text: hex, at, length: needle.length };
    }
  }
  return undefined;
}
