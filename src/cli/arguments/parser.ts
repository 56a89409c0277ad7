/** Parses the command line: turns the table of commands into commands of Commander. No other file knows Commander. */
import {
  Command as CommanderCommand,
  CommanderError,
  Option as CommanderOption,
  InvalidArgumentError,
} from "commander";
import { isMerostoreError, MerostoreError } from "../../errors.js";
import { rewrapped } from "../output/lines.js";
import type { Terminal } from "../output/terminal.js";
import type { Command, CommandGroup, ExitStatus } from "./command.js";
import {
  DEFAULT_DATABASE,
  isPath,
  takenAs,
  takesDatabase,
  withCommand,
  withDefaultDatabase,
} from "./default-database.js";
import { typedLocation } from "./location.js";
import type { Option } from "./option-kinds.js";

/** Words and options of commands that are locations. */
const LOCATIONS = new Set(["db", "more", "a", "b", "from", "to", "new", "folder", "file", "dir"]);
const LOCATION_OPTIONS = /^<(file|folder)>$/;

/** The parser of a command line: `parseAsync` runs the command that the user typed. */
export type Parser = CommanderCommand;

/**
 * The exit status for an error of the parser: 2 for wrong use, which it has reported, and 0 after help and version.
 * Undefined for all other errors.
 */
export function parserStatus(error: unknown): ExitStatus | undefined {
  if (!(error instanceof CommanderError)) return undefined;
  return error.exitCode === 0 ? 0 : 2;
}

/**
 * The parser of a command line.
 *
 * @param done gets the exit status of the command that ran
 * @param words the words to parse: other commands get no options, to save time at every start
 */
export function parserOf(
  group: CommandGroup,
  terminal: Terminal,
  done: (status: ExitStatus) => void,
  words?: readonly string[],
): Parser {
  const named = words && new Set([...words, group.shows]);
  return parserOfGroup(group, group.name, terminal, done, (name) => named?.has(name) ?? true);
}

/** Runs the command that the words name. A database alone is shown. */
export async function runWords(parser: Parser, group: CommandGroup, words: readonly string[]): Promise<void> {
  const isCommand = (word: string): boolean => parser.commands.some((one) => one.name() === word);
  await parser.parseAsync([...withCommand(group.shows, words, isCommand)], { from: "user" });
}

/** @param path the words up to the commands of the group: `merostore ledger` */
function parserOfGroup(
  group: CommandGroup,
  path: string,
  terminal: Terminal,
  done: (status: ExitStatus) => void,
  isWanted: (name: string) => boolean,
): Parser {
  const parser = new CommanderCommand(group.name).description(group.description).helpCommand(false);
  const page = group.pages?.[""];
  if (page !== undefined) parser.configureHelp({ formatHelp: () => `${page(terminal.width)}\n` });
  else
    parser
      .configureHelp({
        ...helpLook(terminal),
        subcommandTerm: (of) => `${of.name()} ${of.usage().replace("[options] ", "")}`,
      })
      .addHelpText("after", () => `\n${rewrapped(group.help, terminal.width)}`);
  for (const child of group.commands)
    parser.addCommand(
      "commands" in child
        ? parserOfGroup(child, `${path} ${child.name}`, terminal, done, isWanted)
        : parserOfCommand(child, path, terminal, done, isWanted, group.seeAlso),
    );
  parser.addCommand(helpParser(parser, terminal, path, group.pages));
  parser.on("beforeHelp", () => {
    // `foo --help`: Commander would show the help of the group.
    const [word] = parser.args;
    if (word === undefined || word.startsWith("-")) return;
    if (!parser.commands.some((command) => command.name() === word)) parser.parse([word], { from: "user" });
  });
  return reportTo(terminal, parser, path, group.elsewhere);
}

/** Commander wraps descriptions of options only if their column has at least so many cells. */
const NARROWEST = 20;

/** The look of a help: descriptions of options are wrapped for any terminal, like the text below them. */
function helpLook({ width }: Terminal): { helpWidth?: number; minWidthToWrap: number } {
  return { ...(width !== undefined && { helpWidth: width }), minWidthToWrap: NARROWEST };
}

/**
 * `help [command...]`. Commander's own shows the help of the group for a command that does not exist, with status 0.
 */
function helpParser(
  group: Parser,
  terminal: Terminal,
  path: string,
  pages: CommandGroup["pages"] = {},
): Parser {
  const [example] = group.commands;
  const help = new CommanderCommand("help")
    .configureHelp(helpLook(terminal))
    .description("show what a command does, with examples")
    .argument("[command...]")
    .addHelpText("after", `\nExample:\n  ${path} help ${example?.name() ?? ""}`)
    .action(async (words: readonly string[]) => {
      const [name = ""] = words;
      const page = name !== "" && Object.hasOwn(pages, name) ? pages[name] : undefined;
      if (page !== undefined) return terminal.text(`${page(terminal.width)}\n`);
      let shown = group;
      for (const word of words) {
        if (shown.commands.length === 0) break;
        const next = shown.commands.find((command) => command.name() === word);
        // Parsing the word reports that it is unknown, with a near name.
        if (next === undefined) await shown.parseAsync([word], { from: "user" });
        else shown = next;
      }
      shown.help();
    });
  return reportTo(terminal, help, `${path} help`);
}

function parserOfCommand(
  command: Command,
  path: string,
  terminal: Terminal,
  done: (status: ExitStatus) => void,
  isWanted: (name: string) => boolean,
  seeAlso: CommandGroup["seeAlso"] = {},
): Parser {
  const [name = "", ...words] = command.words.split(" ");
  const shares = Object.values(command.options).some(({ isShared = false }) => isShared);
  const others = [
    ...(seeAlso[name] ?? []).map((other) => `${path} ${other}`),
    ...(shares ? [`${path} help options`] : []),
  ];
  const also = others.length === 0 ? "" : `\n\nSee also: ${others.join(", ")}`;
  const parser = new CommanderCommand(name)
    .configureHelp(helpLook(terminal))
    .description(command.description)
    .addHelpText("after", () => `\n${rewrapped(`${command.help}${also}`, terminal.width)}`);
  // The number of words that a command takes depends on whether they name a database: `argumentsOf` counts them.
  parser.argument("[words...]").usage(command.usage ?? ["[options]", ...words].join(" "));
  for (const [option, declaration] of isWanted(name) ? Object.entries(command.options) : [])
    parser.addOption(commanderOption(parser, option, declaration));
  parser.action(async () => {
    const values = Object.entries(command.options).map(([option, declaration]) => {
      const parsed: unknown = parser.getOptionValue(option);
      const typed = textsOf(parsed);
      const isPlace = LOCATION_OPTIONS.test(declaration.placeholder ?? "");
      return [option, declaration.read(isPlace ? typed.map(typedLocation) : typed)] as const;
    });
    const options = Object.fromEntries(values);
    terminal.show(options, name);
    try {
      done(await command.run(terminal, argumentsOf(parser, words), options));
    } catch (error) {
      throw withTaken(error, takenAs(words, parser.args));
    }
  });
  return reportTo(terminal, parser, `${path} ${name}`);
}

/** The arguments by name. Missing and surplus arguments are refused as by Commander. */
function argumentsOf(
  parser: Parser,
  words: readonly string[],
): Readonly<Record<string, string | readonly string[] | undefined>> {
  const given = withDefaultDatabase(words, parser.args).map((word, at) =>
    LOCATIONS.has((words[at] ?? words.at(-1) ?? "").replaceAll(/[<>[\].]/g, "")) ? typedLocation(word) : word,
  );
  const missing = words.find((word, at) => word.startsWith("<") && given[at] === undefined);
  if (missing !== undefined) {
    const taken = takenAs(words, parser.args);
    const advice =
      missing === "<db>" && takesDatabase(words)
        ? `, and ${DEFAULT_DATABASE} is not set`
        : taken === undefined
          ? ""
          : `: ${taken.replaceAll('"', "'")}`;
    parser.error(`error: missing required argument '${missing.slice(1, -1)}'${advice}`);
  }
  const isList = words.at(-1)?.endsWith("...]") === true;
  if (!isList && given.length > words.length) {
    const expected = `${words.length} argument${words.length === 1 ? "" : "s"}`;
    parser.error(
      `error: too many arguments for '${parser.name()}'. Expected ${expected} but got ${given.length}.`,
    );
  }
  return Object.fromEntries(
    words.map((word, at) => {
      const name = word.slice(1, -1);
      return name.endsWith("...") ? [name.slice(0, -3), given.slice(at)] : [name, given[at]];
    }),
  );
}

/** Adds the reading of the first word to the error of a command, because the user may have meant something else. */
function withTaken(error: unknown, taken: string | undefined): unknown {
  if (taken === undefined) return error;
  for (const code of ["DATABASE_NOT_FOUND", "NOT_A_DATABASE", "UNKNOWN_NAME"] as const)
    if (isMerostoreError(error, code))
      return new MerostoreError(code, `${error.message}; ${taken}`, { cause: error });
  return error;
}

/** The long form of an option on the command line: `acceptLogLoss` → `--accept-log-loss`. */
export function longName(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The given ones of some options, in typed form. */
export function typedOptions<Name extends string>(
  options: { readonly [One in Name]?: string | boolean | undefined },
  names: readonly Name[],
): readonly string[] {
  return names.flatMap((name) => {
    const value: string | boolean | undefined = options[name];
    if (value === undefined || value === false) return [];
    return value === true ? [longName(name)] : [longName(name), value];
  });
}

function commanderOption(parser: Parser, name: string, option: Option<unknown>): CommanderOption {
  const { short, placeholder, description, choices, fallback, conflicts, isShared } = option;
  const long = longName(name);
  const flags = [short === undefined ? long : `-${short}, ${long}`, placeholder].filter(Boolean).join(" ");
  const made = new CommanderOption(flags, description).hideHelp(isShared === true);
  // Commander treats `--no-open` as the negation of an option `--open`. Here it is an independent flag.
  made.negate = false;
  if (choices !== undefined) made.choices(choices);
  if (fallback !== undefined) made.default(fallback);
  if (conflicts !== undefined) made.conflicts([...conflicts]);
  if (placeholder === undefined) return made;
  // Checks each text while Commander parses, so that its message names the option.
  return made.argParser((typed: string, before: unknown) => {
    try {
      option.read([typed]);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
    // The default value is not an array.
    const earlier = Array.isArray(before) ? textsOf(before) : [];
    if (placeholder.endsWith("...>")) return [...earlier, typed];
    if (earlier.some((one) => one !== typed)) parser.error(`error: ${long} is given twice, with two values`);
    return [typed];
  });
}

/** The texts of an option in Commander's form: a list, a default, or true for a flag. */
function textsOf(parsed: unknown): readonly string[] {
  if (parsed === undefined) return [];
  return Array.isArray(parsed) ? parsed.map(String) : [parsed === true ? "" : String(parsed)];
}

/** Makes Commander throw instead of ending the process, and write its errors through the terminal. */
function reportTo(
  terminal: Terminal,
  parser: Parser,
  path: string,
  elsewhere: CommandGroup["elsewhere"] = {},
): Parser {
  const report = (message: string): string => {
    const [, word = ""] = /unknown command '([^']*)'/.exec(message) ?? [];
    const words = Object.hasOwn(elsewhere, word) ? elsewhere[word] : undefined;
    if (word !== "" && isPath(word)) {
      const names = parser.commands.map((one) => one.name()).filter((name) => name !== "help");
      return `name a command before the database: ${path} ${names.join("|")}; see ${path} --help`;
    }
    return words === undefined ? oneLine(message, path) : `instead of "${word}": ${path} ${words}`;
  };
  return parser
    .exitOverride()
    .configureOutput({ outputError: (message) => terminal.remark(report(message)) });
}

/** `error: unknown option '--limi'\n(Did you mean --limit?)` → one line that names the command's help. */
function oneLine(message: string, path: string): string {
  const sentence = message
    .trim()
    .replace(/^error: /, "")
    // A word in the wrong place may be a secret: show a short name only, not what follows "=".
    .replaceAll(/'([^'=]*)[^']*'/g, (_, name: string) => (name.length <= 24 ? `'${name}'` : "'…'"))
    .replaceAll("\n", " ")
    .replace(/\.$/, "");
  return `${sentence}; see ${path} --help`;
}
