/** Colours of terminals: their use and their meanings. */

/** The colours that commands use. The theme of the terminal decides their look. */
export type Color = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "dim" | "bold";

const CODES: Readonly<Record<Color, number>> = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
  dim: 2,
  bold: 1,
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
export function hasColors(isTerminal: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && TERM !== "dumb" && (NO_COLOR === undefined || NO_COLOR === "");
}

/** Colours of kinds: kinds of one column family share one. */
const KIND_COLORS: readonly Color[] = ["cyan", "magenta", "blue"];

/** The colour of the kinds of a column family. */
export function kindColor(column: string): Color {
  let sum = 0;
  for (const letter of column) sum += letter.charCodeAt(0);
  return KIND_COLORS[sum % KIND_COLORS.length] as Color;
}

/** The meaning of each colour, in all commands. */
const MEANINGS = {
  /** Wrong, or removed. */
  wrong: "red",
  /** Right, or added. */
  right: "green",
  /** Suspicious, or changed. */
  look: "yellow",
  id: "dim",
  name: "bold",
} as const satisfies Readonly<Record<string, Color>>;

const ID = String.raw`(?=\d*[a-f]|[a-f]*\d)[0-9a-f]{4,64}|(?=[a-z]*[0-9A-Z])[0-9A-Za-z]{8,44}`;

/** The coloured parts of lines: the group of each pattern. If parts overlap, the first one counts. */
const PARTS: readonly (readonly [pattern: RegExp, meaning: keyof typeof MEANINGS])[] = [
  [/^the nodes (differ)\b/dg, "wrong"],
  [/^the nodes (agree|have the same root hash)\b/dg, "right"],
  [/ {2}(same|the states are the same)$/dg, "right"],
  [/ {2}(diverged.*|unknown: .*)$/dg, "wrong"],
  [/ {2}(only in .*|\S+ is (?:ahead|behind) .*)$/dg, "look"],
  [/^(?: {6})?([-<]) /dg, "wrong"],
  [/^(?: {6})?([+>]) /dg, "right"],
  [/^(?: {6})?(~) /dg, "look"],
  [/^(!) /dg, "wrong"],
  [/ {2}(\w+ !)(?:,| {2}|$)/dg, "wrong"],
  [/\((pending|not proven|its parent [^()]* is not here)[,)]/dg, "look"],
  [/^(?:check +)?(no errors)\b/dg, "right"],
  [/\b([1-9][\d,]* errors?)\b/dg, "wrong"],
  [/\b([1-9][\d,]* warnings?)\b/dg, "look"],
  [/^ {2}(ERROR) /dg, "wrong"],
  [/^ {2}(warning) /dg, "look"],
  [/ {2}(unknown|not joined|deleted or not known here)(?: {2}| ·|$)/dg, "look"],
  [
    new RegExp(
      String.raw`^[│├└─! ]*(?:(?:context|group) )?(\S(?:[^() ]| (?! ))*) \((?:${ID})\)(?: {2}|:|$)`,
      "dg",
    ),
    "name",
  ],
  [new RegExp(String.raw`(?<=\()(${ID})(?=\))`, "dg"), "id"],
  [/(?<![\w.-])((?=\d*[a-f])[0-9a-f]{8,64}…?)(?![\w.-])/dg, "id"],
];

/** Commands whose lines are the program's own words. The lines of other commands are data. */
const WORDED = new Set([
  "status",
  "groups",
  "contexts",
  "members",
  "log",
  "show",
  "diff",
  "hash",
  "stuck",
  "why",
  "verify",
]);

/** The parts of a line of a command that have a colour. */
export function marksOf(command: string, line: string): readonly Mark[] {
  if (!WORDED.has(command)) return [];
  const marks: Mark[] = [];
  for (const [pattern, meaning] of PARTS)
    for (const { indices } of line.matchAll(pattern)) {
      const [from, to] = indices?.[1] ?? [0, 0];
      if (from < to && marks.every((mark) => mark.to <= from || to <= mark.from))
        marks.push({ from, to, color: MEANINGS[meaning] });
    }
  return marks.toSorted((a, b) => a.from - b.from);
}
