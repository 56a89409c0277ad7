/** Completes command lines for shells. The words are derived from the table of commands. */
import { columnFamilies } from "../../columns/index.js";
import { isMerostoreError } from "../../errors.js";
import type { AnyKeyClass } from "../../keys/index.js";
import { actions, type ThingKind } from "../../node/index.js";
import { revisionOf, revisions, type Schema } from "../../schemas/index.js";
import { openStore, type Store } from "../../store/index.js";
import { type Command, type CommandGroup, nameOf } from "../arguments/command.js";
import { defaultDatabase, takesDatabase, withDefaultDatabase } from "../arguments/default-database.js";
import { GROUPS, MEMBERS, namesOfKinds, namesOfPart } from "../arguments/ids.js";
import { typedLocation } from "../arguments/location.js";
import { withMasterKey } from "../arguments/master-key.js";
import type { Option } from "../arguments/option-kinds.js";
import { longName } from "../arguments/parser.js";
import { databaseFolder } from "../database/database-folder.js";
import { scripts } from "./scripts.js";

/** A possible last word of the line. */
export interface Suggestion {
  readonly word: string;
  readonly says: string;
}

/** The possible last words of a command line. */
export interface Suggestions {
  /** Words that begin with what was typed. */
  readonly words: readonly Suggestion[];
  /** The paths that fit too. */
  readonly paths?: "files" | "folders";
  /** True if the word continues after the suggestion, so no space follows it. */
  readonly goesOn?: true;
}

/** Options of every command, and of the program. */
const COMMON: readonly Suggestion[] = [
  { word: "--help", says: "display help for command" },
  { word: "--no-pager", says: "no pager for long output" },
];

/**
 * Completes a command line.
 *
 * @param typed the words after the program's name; the last one is completed, and may be empty
 */
export async function complete(group: CommandGroup, typed: readonly string[]): Promise<Suggestions> {
  const last = typed.at(-1) ?? "";
  const found = await suggestions(group, typed.slice(0, -1), last);
  return { ...found, words: found.words.filter(({ word }) => word.startsWith(last)) };
}

async function suggestions(
  group: CommandGroup,
  before: readonly string[],
  last: string,
): Promise<Suggestions> {
  const words = before.filter((word) => word !== "--no-pager");
  const [first, ...rest] = words[0] === "help" ? words.slice(1) : words;
  const isHelp = words[0] === "help";
  if (first === undefined)
    return { words: [...commandsOf(group, isHelp), ...(last.startsWith("-") ? COMMON : [])] };
  const chosen = group.commands.find((one) => nameOf(one) === first);
  if (chosen === undefined) return { words: [] };
  if ("commands" in chosen) return suggestions(chosen, isHelp ? ["help", ...rest] : rest, last);
  return isHelp ? { words: [] } : ofCommand(chosen, rest, last);
}

function commandsOf({ commands }: CommandGroup, isHelp: boolean): readonly Suggestion[] {
  const named = commands.map((one) => ({ word: nameOf(one), says: one.description }));
  return isHelp ? named : [...named, { word: "help", says: "show what a command does, with examples" }];
}

/** The typed words of a command, before the word that is completed. */
interface Typed {
  readonly positionals: readonly string[];
  /** The option whose value is being completed, or may be. */
  readonly open:
    | { readonly name: string; readonly option: Option<unknown>; readonly isList: boolean }
    | undefined;
  /** Values of options, by their long names. */
  readonly values: ReadonlyMap<string, string>;
}

async function ofCommand(command: Command, before: readonly string[], last: string): Promise<Suggestions> {
  const typed = readTyped(command, before);
  const { open, positionals } = typed;
  const assigned = /^(--[a-z0-9-]+)=/.exec(last)?.[1];
  if (assigned !== undefined) {
    const [, option] = optionOf(command, assigned) ?? [];
    if (option === undefined) return { words: [] };
    const values = await ofOption(assigned, option, positionals);
    return {
      ...values,
      words: values.words.map(({ word, says }) => ({ word: `${assigned}=${word}`, says })),
    };
  }
  if (last.startsWith("-")) return { words: [...optionsOf(command), ...COMMON] };
  if (open !== undefined && !open.isList) return ofOption(open.name, open.option, positionals);
  const others = await ofArgument(command, typed, positionals, last);
  if (open === undefined) return others;
  const values = await ofOption(open.name, open.option, positionals);
  return { ...values, words: [...values.words, ...others.words] };
}

function readTyped(command: Command, before: readonly string[]): Typed {
  const positionals: string[] = [];
  const values = new Map<string, string>();
  let open: Typed["open"];
  for (const word of before) {
    const named = word.startsWith("-") ? optionOf(command, word.replace(/=.*$/s, "")) : undefined;
    if (named !== undefined) {
      const [name, option] = named;
      const takes = option.placeholder !== undefined && !word.includes("=");
      if (word.includes("=")) values.set(name, word.slice(word.indexOf("=") + 1));
      open = takes ? { name, option, isList: false } : undefined;
    } else if (open !== undefined) {
      values.set(open.name, word);
      const isList = open.option.placeholder?.endsWith("...>") === true;
      open = isList ? { ...open, isList } : undefined;
    } else if (!word.startsWith("-")) positionals.push(word);
  }
  return { positionals, open, values };
}

function optionOf(command: Command, typed: string): readonly [string, Option<unknown>] | undefined {
  for (const [name, option] of Object.entries(command.options))
    if (typed === longName(name) || typed === `-${option.short}`) return [longName(name), option];
  return undefined;
}

function optionsOf({ options }: Command): readonly Suggestion[] {
  return Object.entries(options).map(([name, { description }]) => ({
    word: longName(name),
    says: description,
  }));
}

/** The kinds of things that values of options name. */
const NAMED: Readonly<Record<string, readonly ThingKind[]>> = {
  "--context": ["context"],
  "--group": GROUPS,
  "--member": MEMBERS,
};

/** The values of an option: its choices, names in the database, or files for its placeholder. */
async function ofOption(
  name: string,
  option: Option<unknown>,
  [db = defaultDatabase()]: readonly string[],
): Promise<Suggestions> {
  if (option.choices !== undefined) return { words: option.choices.map((word) => ({ word, says: "" })) };
  const what = option.placeholder?.replaceAll(/[<>.]/g, "");
  if (what === "file") return { words: [], paths: "files" };
  if (what === "folder") return { words: [], paths: "folders" };
  const named = NAMED[name];
  if (named !== undefined) return db === undefined ? { words: [] } : ofNames([db], named);
  if (name === "--column") return { words: columns() };
  if (name === "--type") return { words: types() };
  return { words: [] };
}

async function ofArgument(
  command: Command,
  typed: Typed,
  positionals: readonly string[],
  last: string,
): Promise<Suggestions> {
  const [, ...words] = command.words.split(" ");
  // The typed word may be the database, or the word after it.
  if (positionals.length === 0 && takesDatabase(words)) {
    const fallback = defaultDatabase();
    const next = words[1];
    if (fallback === undefined || next === undefined) return { words: [], paths: "folders" };
    return { ...(await ofWord(next, typed, [fallback], last)), paths: "folders" };
  }
  const given = withDefaultDatabase(words, positionals);
  const word = words[given.length] ?? (words.at(-1)?.endsWith("...]") ? words.at(-1) : undefined);
  return word === undefined ? { words: [] } : ofWord(word, typed, given, last);
}

async function ofWord(
  word: string,
  typed: Typed,
  given: readonly string[],
  last: string,
): Promise<Suggestions> {
  switch (word.replaceAll(/[<>[\].]/g, "")) {
    case "db":
    case "more":
    case "dir":
    case "folder":
      return { words: [], paths: "folders" };
    case "file":
    case "a":
    case "b":
    case "from":
    case "to":
      return { words: [], paths: "files" };
    case "kind":
    case "kinds":
      return { words: kinds(schemasOf(typed)) };
    case "parts":
      return ofPart(typed, given, last);
    case "bytes":
      return { words: given.length === 0 && !typed.values.has("--type") ? columns() : [] };
    case "group":
      return ofNames(given, GROUPS);
    case "context":
      return ofNames(given, ["context"]);
    case "who":
      return ofNames(given, MEMBERS);
    case "action":
      return { words: actions.map(({ name, says }) => ({ word: name, says })) };
    case "where":
    case "thing":
      return ofNames(given, [...GROUPS, "context"]);
    case "shell":
      return { words: Object.keys(scripts).map((shell) => ({ word: shell, says: "" })) };
    default:
      return { words: [] };
  }
}

/** The names of the things of some kinds in the database that was typed. */
async function ofNames([db = ""]: readonly string[], kinds: readonly ThingKind[]): Promise<Suggestions> {
  const names = await namesIn(db, (store) => namesOfKinds(store, kinds));
  return { words: names.map((word) => ({ word, says: "" })) };
}

/** `groupId=` for missing parts, or names as values for a part that is begun. */
async function ofPart(
  typed: Typed,
  [db = "", kind = "", ...parts]: readonly string[],
  last: string,
): Promise<Suggestions> {
  const keys = schemasOf(typed).flatMap(({ rows }) =>
    rows.filter((row) => row.kind === kind).map(({ key }) => key),
  );
  const begun = /^([A-Za-z]+)=/.exec(last)?.[1];
  if (begun === undefined) {
    const names = [...new Set(keys.flatMap((key) => key.PARTS.map(({ name }) => name)))];
    const missing = names.filter((name) => !parts.some((part) => part.startsWith(`${name}=`)));
    return { words: missing.map((name) => ({ word: `${name}=`, says: typeOf(keys, name) })), goesOn: true };
  }
  const known = keys.flatMap((key) => key.PARTS.find(({ name }) => name === begun)?.names ?? []);
  const found = [...new Set([...known, ...(await namesIn(db, (store) => namesOfPart(store, begun)))])];
  return { words: found.map((name) => ({ word: `${begun}=${name}`, says: "" })) };
}

function typeOf(keys: readonly AnyKeyClass[], name: string): string {
  for (const key of keys) for (const part of key.PARTS) if (part.name === name) return part.type;
  return "";
}

/** Names of things in a database; none if it cannot be read. */
async function namesIn(
  db: string,
  read: (store: Store) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    const open = (masterKey: Uint8Array | undefined) =>
      openStore(databaseFolder(typedLocation(db)), { masterKey });
    await using store = await withMasterKey(undefined, open);
    return await read(store);
  } catch (error) {
    if (isMerostoreError(error)) return [];
    throw error;
  }
}

/** The named revision, or all: a database that is not open may have any revision. */
function schemasOf({ values }: Typed): readonly Schema[] {
  const name = values.get("--revision");
  const known = revisions.find((one) => one.name === name);
  return (known === undefined ? revisions.toReversed() : [revisionOf(known.name)]) as readonly Schema[];
}

function kinds(schemas: readonly Schema[]): readonly Suggestion[] {
  const found = new Map<string, string>();
  for (const { rows } of schemas)
    for (const { kind, column } of rows) if (!found.has(kind)) found.set(kind, column);
  return Array.from(found, ([word, says]) => ({ word, says }));
}

function columns(): readonly Suggestion[] {
  return columnFamilies.map(({ name, holds }) => ({ word: name, says: holds }));
}

function types(): readonly Suggestion[] {
  const names = revisions.flatMap((schema) => Object.keys((schema as Schema).types));
  return [...new Set(names)].map((word) => ({ word, says: "" }));
}

/** The lines for the scripts of shells: words with their descriptions, and instructions after a colon. */
export function completionLines({ words, paths, goesOn }: Suggestions): readonly string[] {
  return [
    ...words.map(({ word, says }) => (says === "" ? word : `${word}\t${says}`)),
    ...(paths === undefined ? [] : [`:${paths}`]),
    ...(goesOn === undefined ? [] : [":goes-on"]),
  ];
}
