/** Foreign text: how all output shows what would act on a terminal, or would not be seen. */

/**
 * Control characters (C0, DEL, C1), line separators, lone surrogates, and characters that nobody sees: those that turn the
 * direction of writing, join, tag or vary others, and fillers.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const SHORT: Readonly<Record<string, string>> = {
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
};

/**
 * A text with every hidden character as `\n` or `\u202e`, the escapes of JSON; everything else stays, backslashes too. It
 * changes nothing when applied twice. JSON on one line remains JSON of the same value.
 */
export function visible(text: string): string {
  return /[^\x20-\x7e]/.test(text) ? text.replace(HIDDEN, escaped) : text;
}

/** The JSON of a value on one line, without hidden characters. */
export function toJsonLine(value: unknown): string {
  return visible(JSON.stringify(value));
}

/** A value from a file as a message names it: at most 40 characters, printable ASCII. */
export function quoted(value: unknown): string {
  if (typeof value === "string") return `"${value.slice(0, 40).replaceAll(/[^ -~]/g, "?")}"`;
  return typeof value === "number" || value === null || value === undefined
    ? String(value)
    : "something else";
}

function escaped(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  let text = "";
  // Characters beyond U+FFFF are two units, and JSON writes them as two escapes.
  for (let unit = 0; unit < character.length; unit++)
    text += `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`;
  return text;
}
