/** Counts the terminal cells of texts: East Asian wide characters and emoji take two cells, combining marks none. */
import { eastAsianWidth } from "get-east-asian-width";

/** Texts with one cell for each character: Latin letters, and the dots of shortened texts. */
const PLAIN = /^[\x20-\x7e\xa1-\xac\xae-\xff…]*$/;

const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
const MARK = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]/u;

let segmenter: Intl.Segmenter | undefined;

/** The number of cells that a text takes. */
export function cellsOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let cells = 0;
  for (const { cells: more } of charactersOf(text)) cells += more;
  return cells;
}

/** The longest beginning of a text in whole characters that takes at most so many cells. */
export function cutToCells(text: string, most: number): string {
  if (PLAIN.test(text)) return text.slice(0, Math.max(0, most));
  let cells = 0;
  for (const { index, cells: more } of charactersOf(text)) {
    cells += more;
    if (cells > most) return text.slice(0, index);
  }
  return text;
}

/** Pads a text with spaces to a number of cells, after it or before it. */
export function padded(text: string, cells: number, isRight = false): string {
  const spaces = " ".repeat(Math.max(0, cells - cellsOf(text)));
  return isRight ? spaces + text : text + spaces;
}

/** The characters of a text as people see them, with their cells. */
function* charactersOf(
  text: string,
): Generator<{ readonly index: number; readonly cells: number }, void, undefined> {
  segmenter ??= new Intl.Segmenter();
  for (const { segment, index } of segmenter.segment(text)) {
    const cells = EMOJI.test(segment)
      ? 2
      : MARK.test(segment)
        ? 0
        : eastAsianWidth(segment.codePointAt(0) as number);
    yield { index, cells };
  }
}
