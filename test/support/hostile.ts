/** Text that acts on a terminal, or that is invisible. */

/** Colours, C1, overrides of the direction, line ends, invisible characters, a tag, DEL: 50 bytes of UTF-8 at most. */
export const HOSTILE =
  "x\u001b[31m\u009b2J\u202e\u2067\u2028\u2029\u200b\u00ad\ufeff\u{e0041}\u007f\r\nFORGED";

/** The ranges of characters that no output contains unescaped. Line feeds and tabs belong to the output. */
const HIDDEN: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x061c, 0x061c],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
];

/** The place in an output where hostile text is unchanged, with its surroundings; undefined if nowhere. */
export function rawText(output: string): string | undefined {
  const forged = /^FORGED/m.exec(output)?.index ?? -1;
  let at = 0;
  for (const character of output) {
    const code = character.codePointAt(0) as number;
    if (at === forged || HIDDEN.some(([first, last]) => code >= first && code <= last))
      return JSON.stringify(output.slice(Math.max(0, at - 40), at + 20));
    at += character.length;
  }
  return undefined;
}
