/** Colours of terminals, and when they are used. */

/** The colours that commands use. A theme of the terminal decides what each looks like. */
export type Color = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "dim";

const CODES: Readonly<Record<Color, number>> = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
  dim: 2,
};

/** A part of a line that has a colour: characters from `from` to before `to`. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly color: Color;
}

/** Encloses a text in the escapes of a colour. */
export function colored(text: string, color: Color): string {
  return `\x1b[${CODES[color]}m${text}\x1b[0m`;
}

/**
 * Returns whether output has colours: on a terminal, unless NO_COLOR is set or TERM is `dumb`. FORCE_COLOR turns them
 * on everywhere, and `FORCE_COLOR=0` turns them off.
 */
export function hasColors(isTerminal: boolean, env: NodeJS.ProcessEnv = process.env): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && TERM !== "dumb" && (NO_COLOR === undefined || NO_COLOR === "");
}

/** Colours of kinds: kinds of one column family share one. */
const KIND_COLORS: readonly Color[] = ["cyan", "green", "yellow", "magenta", "blue"];

/** The colour of the kinds of a column family. */
export function kindColor(column: string): Color {
  let sum = 0;
  for (const letter of column) sum += letter.charCodeAt(0);
  return KIND_COLORS[sum % KIND_COLORS.length] as Color;
}
