import { createReadStream } from "node:fs";
import { toHex } from "../../bytes/hex.js";
import { MerostoreError } from "../../errors.js";
import { type EntryValue, type Ledger, openLedger, type Page } from "../../ledger/index.js";
import { pageNotFound } from "../../ledger/places/index.js";
import { type Cloud, noCloud } from "../../ledger/sync/cloud.js";
import { RepositoryView } from "../../ledger/view/index.js";
import { parseHex } from "../parts.js";
import { asJson } from "../rows.js";
import type { Terminal } from "../terminal.js";
import { noEntry } from "./get.js";
import { keyOf, ledgerOf, type PageCommandOptions, pageOf } from "./opening.js";
import { readable } from "./text.js";

export interface DeleteOptions extends PageCommandOptions {
  /** The key is given as hex. */
  readonly hex?: boolean | undefined;
}

export interface PutOptions extends DeleteOptions {
  readonly file?: string | undefined;
  readonly valueHex?: string | undefined;
  readonly lazy?: boolean | undefined;
  /** Makes a repository or a page that is missing. */
  readonly create?: boolean | undefined;
}

/** Puts a value at a key: one commit. */
export async function put(
  terminal: Terminal,
  folder: string,
  text: string,
  given: string | undefined,
  options: PutOptions,
): Promise<number> {
  const key = keyOf(text, options.hex);
  const value = givenValue(given, options);
  const priority = options.lazy ? "lazy" : "eager";
  return change(terminal, folder, options, options.create === true, async (page) => {
    await page.put(key, value, { priority });
    return `put ${readable(key)}`;
  });
}

/** Removes the entry at a key: one commit. */
export async function remove(
  terminal: Terminal,
  folder: string,
  text: string,
  options: DeleteOptions,
): Promise<number> {
  const key = keyOf(text, options.hex);
  return change(terminal, folder, options, false, async (page) => {
    {
      await using snapshot = await page.snapshot();
      if (!(await snapshot.has(key))) throw noEntry(key);
    }
    await page.delete(key);
    return `deleted ${readable(key)}`;
  });
}

/** Changes a page, and says which commit that made. */
async function change(
  terminal: Terminal,
  folder: string,
  options: PageCommandOptions,
  create: boolean,
  work: (page: Page) => Promise<string>,
): Promise<number> {
  const id = pageOf(options.page);
  await using ledger = await openForWriting(folder, id, options, create);
  await using page = await ledger.page(id, { create });
  const before = await headOf(page);
  const done = await work(page);
  const after = await headOf(page);
  const changed = before !== after;
  if (asJson(terminal, options)) await terminal.line(JSON.stringify({ commit: after, changed }));
  else
    terminal.remark(
      `merostore: ${done}${changed ? `, commit ${after.slice(0, 16)}` : ": it was so already"}`,
    );
  return 0;
}

async function headOf(page: Page): Promise<string> {
  await using snapshot = await page.snapshot();
  return toHex(snapshot.commitId);
}

/** Opens a ledger after looking at it: whatever is wrong with the words, nothing is made or marked. */
async function openForWriting(
  folder: string,
  id: Uint8Array,
  options: PageCommandOptions,
  create: boolean,
): Promise<Ledger> {
  const repository = existing(folder, options, create);
  const { name: given } = options;
  if (repository === undefined) {
    if (given === undefined)
      throw new MerostoreError("INVALID_ARGUMENT", "a new repository needs the --name of a ledger");
    return openLedger(folder, { name: given, engine: options.engine });
  }
  const isNew = create && given !== undefined && !(await repository.ledgers()).includes(given);
  const name = isNew ? given : await ledgerOf(repository, folder, given);
  const isThere = !isNew && (await repository.pages(name)).some((page) => toHex(page) === toHex(id));
  if (!isThere && !create) throw pageNotFound(name, id);
  const isOnline = isThere && (await wasOnline(repository, name, id));
  return openLedger(folder, { name, engine: repository.engine, ...(isOnline && { cloud: unreachable }) });
}

/** A page that goes to a cloud keeps its history until the cloud has it. */
const unreachable: Cloud = { connect: async () => noCloud };

async function wasOnline(repository: RepositoryView, ledger: string, id: Uint8Array): Promise<boolean> {
  await using view = await repository.page(ledger, id);
  return await view.isOnline();
}

/** The repository; undefined for one that is to be made. */
function existing(
  folder: string,
  { engine }: PageCommandOptions,
  create: boolean,
): RepositoryView | undefined {
  try {
    return RepositoryView.at(folder, engine);
  } catch (error) {
    if (create && error instanceof MerostoreError && error.code === "DATABASE_NOT_FOUND") return undefined;
    throw error;
  }
}

/** The value that the words give: exactly one. */
function givenValue(given: string | undefined, { file, valueHex }: PutOptions): EntryValue {
  const sources = [given, file, valueHex].filter((source) => source !== undefined);
  if (sources.length !== 1)
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      "give the value once: as VALUE, as --file FILE or as --value-hex HEX",
    );
  if (valueHex !== undefined) return parseHex("--value-hex", valueHex);
  if (file !== undefined) return readFrom(file);
  return given === "-" ? process.stdin : (given as string);
}

/** A file, piece by piece. */
async function* readFrom(file: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* createReadStream(file, { highWaterMark: 1 << 20 });
  } catch (cause) {
    throw new MerostoreError("INVALID_ARGUMENT", `--file: ${(cause as Error).message}`, { cause });
  }
}
