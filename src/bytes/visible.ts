/** Escapes for text from a database: all output replaces characters that act on a terminal or are invisible. */

/** Arabic letters that join the next one; after other letters a joiner has no visible effect. */
const JOINING =
  "[\\u0620\\u0626\\u0628\\u062a-\\u062e\\u0633-\\u063f\\u0641-\\u0647\\u0649\\u064a\\u066e\\u066f\\u0678-\\u0687" +
  "\\u069a-\\u06bf\\u06c1\\u06c2\\u06cc\\u06ce\\u06d0\\u06d1\\u06fa-\\u06fc\\u06ff]";

/**
 * Control characters (C0, DEL, C1), line separators, lone surrogates, and invisible characters: direction marks,
 * joiners, tags, variation selectors and fillers. Exceptions are visible: characters that join emoji or turn a sign
 * into an emoji, and the joiners in the spelling of words.
 */
function makeHidden(): RegExp {
  const parts = [
    /(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic}))/u,
    /(?!(?<=(?!\p{Emoji_Presentation})\p{Extended_Pictographic})\ufe0f)/u,
    /(?!(?<=[0-9#*])\ufe0f(?=\u20e3))/u,
    // In Arabic script: between two letters that would join.
    new RegExp(
      `(?!\\u200c(?<=${JOINING}\\p{Mn}{0,3}\\u200c)(?=\\p{L})(?![\\u0621\\u0674])\\p{Script=Arabic})`,
      "u",
    ),
    // In scripts of India: between two consonants, after a virama; between ra and ya of Bengali, before it.
    /(?![\u200c\u200d](?<=\p{L}\p{M}?[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca].)(?=[\u0900-\u0dff])\p{L})/u,
    /(?!(?<=\u09b0)\u200d(?=\u09cd\u09af))/u,
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
  ];
  return new RegExp(parts.map(({ source }) => source).join(""), "gu");
}

let made: RegExp | undefined;

/** The expression, made for the first text that may need it: making it takes longer than many commands. */
function hidden(): RegExp {
  made ??= makeHidden();
  return made;
}

/** A character that may be hidden: none of ASCII, Latin letters, dashes, quotes, arrows and lines that show. */
const MAY_BE_HIDDEN = /[^\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u25ff]/;

const SHORT: Readonly<Record<string, string>> = {
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
};

/**
 * Replaces every hidden character by its JSON escape, such as `\n` or `\u202e`. Everything else stays, backslashes too,
 * so applying it twice changes nothing. JSON on one line remains JSON of the same value.
 */
export function visible(text: string): string {
  return MAY_BE_HIDDEN.test(text) ? text.replace(hidden(), escaped) : text;
}

/** A part of a text: characters as they are, or hidden ones as escapes. */
export interface VisiblePart {
  /** The shown text. */
  readonly text: string;
  /** True if it stands for characters that are hidden. */
  readonly isEscape: boolean;
}

/** Splits a text for a page that marks escapes: joined, the parts are the result of {@link visible}. */
export function visibleParts(text: string): readonly VisiblePart[] {
  const parts: VisiblePart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(hidden())) {
    if (index > end) parts.push({ text: text.slice(end, index), isEscape: false });
    parts.push({ text: escaped(found), isEscape: true });
    end = index + found.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isEscape: false });
  return parts;
}

/** Returns the JSON of a value on one line, with hidden characters as escapes. */
export function toJsonLine(value: unknown): string {
  return visible(JSON.stringify(value));
}

/** A value from a file for use in a message: at most 40 characters, printable ASCII. */
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
  // Characters beyond U+FFFF are two code units; JSON writes one escape for each.
  for (let unit = 0; unit < character.length; unit++)
    text += `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`;
  return text;
}

let characters: Intl.Segmenter | undefined;

/** The first characters of a text. It does not end with a part of a character, of a joined emoji for example. */
export function beginning(text: string, most: number): string {
  if (text.length <= most) return text;
  // With the second half of a character that begins at `most`.
  characters ??= new Intl.Segmenter();
  const whole = characters.segment(text.slice(0, most + 2)).containing(most)?.index ?? 0;
  return text.slice(0, whole || most);
}
