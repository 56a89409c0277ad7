/** The commands that change a page by one commit. */

import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import {
  invalidArgument,
  isMerostoreError,
  MerostoreError,
  type OpenedFile,
  openRegular,
  size,
  toHex,
} from "merostore/internal";
import {
  command,
  commandLine,
  dryRun,
  type ExitStatus,
  flag,
  parseHex,
  type Terminal,
  text,
} from "merostore/internal/commands";
import {
  type EntryValue,
  findEntry,
  type Ledger,
  missingPieces,
  openLedger,
  type Page,
  RepositoryView,
} from "../index.js";
import { noEntry } from "./get.js";
import {
  amongLedgers,
  checkPage,
  hex,
  ledgerName,
  ofPage,
  openPage,
  type PageCommandOptions,
  pageIn,
  parseKey,
  parsePageId,
  shownHead,
} from "./opening.js";
import { ledgerWord, readable, utf8Text } from "./text.js";

/**
 * Changes a page and reports the commit that this made.
 *
 * @param create whether a missing repository or page is made
 * @param key the key that the work changes: its entry gives the command that undoes the change
 * @param needsEntry whether a key without an entry is an error
 * @param work changes the page, and returns a short description of the change
 */
async function change(
  terminal: Terminal,
  folder: string,
  options: PageCommandOptions & { readonly dryRun: boolean },
  create: boolean,
  key: Uint8Array,
  work: (page: Page) => Promise<string>,
  needsEntry = false,
): Promise<ExitStatus> {
  if (options.dryRun) return tryOut(terminal, folder, options, create, key, needsEntry);
  const { ledger: opened, id } = await openForWriting(folder, options, create);
  await using ledger = opened;
  await using page = await ledger.page(id, { create });
  const undo = await undoOf(page, key, folder, options, ledgerWord(ledger.name));
  const before = await headOf(page);
  const done = await work(page);
  const after = await headOf(page);
  const changed = before !== after;
  const command = changed && undo !== undefined ? commandLine(undo) : null;
  if (options.json) await terminal.json({ commit: after, changed, undo: command });
  else {
    if (changed)
      await terminal.line(
        command === null
          ? "no undo can be printed: the value before is too long for a command, or not on this device"
          : `undo: ${command}`,
      );
    terminal.remark(`${done}${changed ? `, commit ${after.slice(0, 16)}` : ": the page did not change"}`);
  }
  return 0;
}

/** Prints the present entry, and changes nothing. */
async function tryOut(
  terminal: Terminal,
  folder: string,
  options: PageCommandOptions,
  create: boolean,
  key: Uint8Array,
  needsEntry: boolean,
): Promise<ExitStatus> {
  const before = await sizeNow(terminal, folder, options, create, key);
  if (before === undefined && needsEntry) throw noEntry(key);
  if (options.json) await terminal.json({ changed: false, before: before ?? null });
  else await terminal.line(before === undefined ? "before  no entry" : `before  an entry of ${size(before)}`);
  terminal.remark("nothing was written: this was a --dry-run");
  return 0;
}

/** Bytes of the value at a key; undefined without an entry, or before the page exists. */
async function sizeNow(
  terminal: Terminal,
  folder: string,
  options: PageCommandOptions,
  create: boolean,
  key: Uint8Array,
): Promise<number | undefined> {
  try {
    await using page = await openPage(terminal, folder, options);
    const head = await shownHead(terminal, page.view);
    const entry = await findEntry(page.view.objects, head.root, key);
    return entry && (await page.view.objects.size(entry.value, missingPieces(entry)));
  } catch (error) {
    const isNew = isMerostoreError(error, "DATABASE_NOT_FOUND") || isMerostoreError(error, "PAGE_NOT_FOUND");
    if (create && isNew) return undefined;
    throw error;
  }
}

/** Bytes of a value that fit into a command. */
const FITS = 60_000;

/** The words of the command that brings back the entry as it is now; undefined if a command cannot hold its value. */
async function undoOf(
  page: Page,
  key: Uint8Array,
  folder: string,
  { page: id }: PageCommandOptions,
  name: string,
): Promise<readonly string[] | undefined> {
  const text = utf8Text(key);
  const isText = text !== undefined && text !== "" && !text.startsWith("-") && !/\p{C}/u.test(text);
  const place = ["--name", name, ...(id === undefined ? [] : ["--page", id]), ...(isText ? [] : ["--hex"])];
  const named = [folder, isText ? text : toHex(key)];
  await using snapshot = await page.snapshot();
  if (!(await snapshot.has(key))) return ["ledger", "delete", ...named, ...place];
  try {
    let size = 0;
    for await (const piece of snapshot.stream(key)) {
      size += piece.length;
      if (size > FITS) return undefined;
    }
    const [entry] = (await snapshot.entriesPart({ gte: key, limit: 1 })).items;
    if (entry?.value === undefined) return undefined;
    const lazy = entry.priority === "lazy" ? ["--lazy"] : [];
    return ["ledger", "put", ...named, "--value-hex", toHex(entry.value), "--create", ...lazy, ...place];
  } catch (error) {
    // Damage of the old value does not keep the user from replacing it.
    if (!isMerostoreError(error)) throw error;
    return undefined;
  }
}

async function headOf(page: Page): Promise<string> {
  await using snapshot = await page.snapshot();
  return toHex(snapshot.commitId);
}

/**
 * Checks a repository before it opens the ledger for writing: wrong arguments must not make or mark anything. The
 * history of the page is kept: only its program knows whether it is needed.
 */
export async function openForWriting(
  folder: string,
  options: PageCommandOptions,
  create: boolean,
): Promise<{ readonly ledger: Ledger; readonly id: Uint8Array }> {
  const repository = existing(folder, options, create);
  const { name: given } = options;
  if (repository === undefined) {
    if (given === undefined) throw invalidArgument("a new repository needs the --name of a ledger");
    const id = parsePageId(options.page);
    return { ledger: await openLedger(folder, { name: given, engine: options.engine, history: "keep" }), id };
  }
  const isNew =
    create && given !== undefined && amongLedgers(await repository.ledgers(), given) === undefined;
  const name = isNew ? given : await ledgerName(repository, folder, given);
  const id = isNew ? parsePageId(options.page) : await pageIn(repository, name, options.page);
  if (!create) await checkPage(repository, name, id);
  return { ledger: await openLedger(folder, { name, engine: repository.engine, history: "keep" }), id };
}

/** The repository; undefined if it does not exist yet. */
function existing(
  folder: string,
  { engine }: PageCommandOptions,
  create: boolean,
): RepositoryView | undefined {
  try {
    return RepositoryView.at(folder, engine);
  } catch (error) {
    if (create && isMerostoreError(error, "DATABASE_NOT_FOUND")) return undefined;
    throw error;
  }
}

/** Puts a value at a key: one commit. */
export const put = command({
  words: "put <dir> <key> [value]",
  description: "put a value at a key: a commit of its own",
  writes: true,
  options: {
    file: text("<file>", "the content of this file is the value"),
    valueHex: text("<hex>", "the value in hex digits"),
    lazy: flag("other devices need not have the value"),
    create: flag("make the repository or the page if it is missing"),
    dryRun,
    hex,
    ...ofPage,
  },
  help: `Examples:
  merostore ledger put data name Alice
  merostore ledger put data photo --file photo.jpg --lazy
  tar c notes | merostore ledger put data notes.tar -
  merostore ledger put new-data name Alice --name contacts --create

VALUE - reads the value from stdin; stdin and files are streamed. --file takes regular files only. A page with several
heads is merged first: the last one wins. The history of the page stays. A new
repository is made with LevelDB. --dry-run shows what is there now, and writes nothing.`,

  async run(terminal, given, options) {
    const key = parseKey(given.key, options.hex);
    // With --dry-run no file is opened, and nothing is read.
    const value = options.dryRun ? "" : entryValue(terminal, given.value, options.file, options.valueHex);
    const priority = options.lazy ? "lazy" : "eager";
    return change(terminal, given.dir, options, options.create, key, async (page) => {
      await page.put(key, value, { priority });
      return `put ${named(key)}`;
    });
  },
});

/** A key in a message. */
function named(key: Uint8Array): string {
  return key.length === 0 ? "the empty key" : readable(key);
}

/** The value to put. Exactly one of the three must be given. */
function entryValue(
  terminal: Terminal,
  given: string | undefined,
  file: string | undefined,
  valueHex: string | undefined,
): EntryValue {
  const sources = [given, file, valueHex].filter((source) => source !== undefined);
  if (sources.length !== 1)
    throw invalidArgument(
      "give the value once: as VALUE (- reads stdin), as --file FILE or as --value-hex HEX",
    );
  if (valueHex !== undefined) return parseHex("--value-hex", valueHex);
  if (file !== undefined) return fileContent(file);
  return given === "-" ? terminal.input() : (given as string);
}

/**
 * The content of a file, piece by piece. A pipe is refused, because opening it waits for a writer.
 * @param what the option or argument with the path, for errors
 */
export function fileContent(path: string, what = "--file"): Readable {
  const { descriptor } = inputFile(path, what);
  return createReadStream(path, { fd: descriptor, highWaterMark: 1 << 20 });
}

/** Opens a file for reading. @param what the option or argument with the path, for errors */
export function inputFile(path: string, what: string): OpenedFile {
  let file: OpenedFile | undefined;
  try {
    file = openRegular(path);
  } catch (cause) {
    throw new MerostoreError("INVALID_ARGUMENT", `${what}: ${(cause as Error).message}`, { cause });
  }
  if (file === undefined) {
    const advice = path === "-" ? "; to read stdin, write - as VALUE, without --file" : "";
    throw invalidArgument(`${what}: the file ${path} does not exist${advice}`);
  }
  return file;
}

/** Removes the entry at a key: one commit. */
export const deleteCommand = command({
  words: "delete <dir> <key>",
  description: "remove the entry at a key: a commit of its own",
  writes: true,
  options: { dryRun, hex, ...ofPage },
  help: `Examples:
  merostore ledger delete data name --name contacts --dry-run
  merostore ledger delete data name --name contacts

Status 1 and KEY_NOT_FOUND if the entry does not exist. A page that is then empty and was never online is removed.`,

  async run(terminal, given, options) {
    const key = parseKey(given.key, options.hex);
    const remove = async (page: Page): Promise<string> => {
      {
        await using snapshot = await page.snapshot();
        if (!(await snapshot.has(key))) throw noEntry(key);
      }
      await page.delete(key);
      return `deleted ${named(key)}`;
    };
    return change(terminal, given.dir, options, false, key, remove, true);
  },
});
