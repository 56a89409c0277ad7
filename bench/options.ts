/** The command line: `[name …] [--list] [--rows N] [--runs N]`. */
import { parseArgs } from "node:util";

export interface Options {
  /** Questions to answer; empty for all. */
  readonly names: readonly string[];
  /** Print the questions, and answer none. */
  readonly list: boolean;
  /** Rows of the database. */
  readonly rows: number;
  /** Timed runs of each side for the long questions; short ones take a multiple of it. */
  readonly runs: number;
}

export function readOptions(words: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      list: { type: "boolean", default: false },
      rows: { type: "string", default: "1000000" },
      runs: { type: "string", default: "7" },
    },
  });
  return {
    names: positionals,
    list: values.list,
    rows: wholeNumber("rows", values.rows),
    runs: wholeNumber("runs", values.runs),
  };
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`--${name} takes a whole number from 1, not "${text}"`);
}
