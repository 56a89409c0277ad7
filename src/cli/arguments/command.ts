/** Commands as values: their words, options, help and work. `parser.ts` turns them into a command line. */

import type { Terminal } from "../output/terminal.js";
import type { Option } from "./option-kinds.js";

/** The options of a command, in the order of its help. */
export interface Options {
  readonly [name: string]: Option<unknown>;
}

/** The values of options, as `run` gets them. */
export type OptionValues<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends Option<infer Value> ? Value : never;
};

/**
 * The arguments that the words of a command name. `scan <db> [kind] [parts...]` has
 * `{ db: string; kind: string | undefined; parts: readonly string[] }`.
 */
export type Arguments<Words extends string> = {
  readonly [Word in WordOf<Words> as NameOf<Word>]: ArgumentOf<Word>;
};

type WordOf<Words extends string> = Words extends `${infer First} ${infer Rest}`
  ? First | WordOf<Rest>
  : Words;

type NameOf<Word extends string> = Word extends `[${infer Name}...]`
  ? Name
  : Word extends `[${infer Name}]` | `<${infer Name}>`
    ? Name
    : never;

type ArgumentOf<Word extends string> = Word extends `[${string}...]`
  ? readonly string[]
  : Word extends `<${string}>`
    ? string
    : string | undefined;

/**
 * Exit statuses: 0 done; 1 the answer is no; 2 wrong use; 3 the database cannot be opened or read; 4 unread rows may be
 * of a newer node.
 */
export type ExitStatus = 0 | 1 | 2 | 3 | 4;

/** A command: its words, its help and its work. */
export interface Command<Words extends string = string, O extends Options = Options> {
  /** The name, then the arguments: `<db>` is required, `[kind]` is optional, `[parts...]` takes all remaining words. */
  readonly words: Words;
  /** The purpose of the command, in the list of commands and in its own help. */
  readonly description: string;
  /** Replaces the line of usage, which is derived from the words by default. */
  readonly usage?: string;
  readonly options: O;
  /**
   * True for a command that changes the database or its files; an option's name, if it does so with this option only.
   */
  readonly writes?: true | `--${string}`;
  /** The help below the options: examples first. */
  readonly help: string;
  /**
   * Runs the command. It writes to the terminal only.
   *
   * @returns the exit status
   * @throws MerostoreError, which `failure.ts` turns into a line and a status
   */
  run(terminal: Terminal, given: Arguments<Words>, options: OptionValues<O>): Promise<ExitStatus>;
}

/** Commands under one name: `merostore`, `ledger`. */
export interface CommandGroup {
  readonly name: string;
  readonly description: string;
  readonly help: string;
  /** The commands in the order of the help. */
  readonly commands: readonly (Command | CommandGroup)[];
  /** The command that shows a database. Its name may be omitted before a database. */
  readonly shows?: string;
  /**
   * Pages of help beside those of the commands, by name, for the width of a terminal; "" is the page of the group
   * itself.
   */
  readonly pages?: Readonly<Record<string, (width: number | undefined) => string>>;
  /** Related commands of each command. */
  readonly seeAlso?: Readonly<Record<string, readonly string[]>>;
  /** Words that people try, or former commands → the present words. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

/** The word that runs a command, or that precedes the commands of a group. */
export function nameOf(one: Command | CommandGroup): string {
  return "commands" in one ? one.name : (one.words.split(" ", 1)[0] as string);
}

/** The commands that change a database or its files, in the order of the help: `put`, `blobs check --repair`. */
export function writingCommands(commands: CommandGroup["commands"], path = ""): string[] {
  return commands.flatMap((one) => {
    const name = `${path}${nameOf(one)}`;
    if ("commands" in one) return writingCommands(one.commands, `${name} `);
    return one.writes === undefined ? [] : [one.writes === true ? name : `${name} ${one.writes}`];
  });
}

/** The sentence of a help about the commands that write. */
export function writingSentence(commands: CommandGroup["commands"]): string {
  const names = writingCommands(commands);
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)} write.\nAll other commands leave the database as it is.`;
}

/** Declares a command. The words and options decide the types of what `run` gets. */
export function command<const Words extends string, const O extends Options>(
  declaration: Command<Words, O>,
): Command<Words, O> {
  return declaration;
}
