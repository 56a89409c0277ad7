/** The ledger, the page and the commit that a command names, and the options that name them. */
import { fromHex, invalidArgument, isMerostoreError, MerostoreError, toHex } from "merostore/internal";
import { choice, flag, json, type Terminal, text } from "merostore/internal/commands";
import {
  COLUMN,
  type Commit,
  commitRow,
  engineNames,
  FIRST_COMMIT_ID,
  type FolderEngineName,
  keyBytes,
  type PageId,
  type PageView,
  pageIdBytes,
  pageNotFound,
  RepositoryView,
  ROOT_PAGE_ID,
} from "../index.js";
import { ledgerWord } from "./text.js";

/** Options of a command that opens a repository. */
export interface RepositoryOptions {
  readonly engine?: FolderEngineName | undefined;
  readonly json?: boolean | undefined;
}

/** The page that a command opens. */
export interface PageCommandOptions extends RepositoryOptions {
  /** The ledger; unless given, the only one. */
  readonly name?: string | undefined;
  /** Hex digits; unless given, the root page. */
  readonly page?: string | undefined;
}

/** A page that is open for reading. */
export interface OpenedPage extends AsyncDisposable {
  /** The name of its ledger. */
  readonly ledger: string;
  /** The id of the page, 16 bytes. */
  readonly id: Uint8Array;
  readonly view: PageView;
}

/** Opens a page for reading. Warnings of the opening go to stderr. */
export async function openPage(
  terminal: Terminal,
  folder: string,
  options: PageCommandOptions,
): Promise<OpenedPage> {
  const repository = RepositoryView.at(folder, options.engine);
  const ledger = await ledgerName(repository, folder, options.name);
  const id = await pageIn(repository, ledger, options.page);
  const view = await repository.page(ledger, id);
  for (const { message } of view.engine.warnings) terminal.remark(message);
  return { ledger, id, view, [Symbol.asyncDispose]: () => view.close() };
}

/** The ledger with a name as commands show it: a text, or bytes that are not UTF-8 as hex. */
export function amongLedgers(ledgers: readonly string[], name: string): string | undefined {
  return ledgers.includes(name) ? name : ledgers.find((ledger) => ledgerWord(ledger) === name);
}

/** The name of the ledger: the given one, or the only one of the repository. */
export async function ledgerName(
  repository: RepositoryView,
  folder: string,
  name: string | undefined,
): Promise<string> {
  const ledgers = await repository.ledgers();
  const [only] = ledgers;
  const list = ledgers.map((ledger) => JSON.stringify(ledgerWord(ledger))).join(", ");
  if (name !== undefined) {
    const found = amongLedgers(ledgers, name);
    if (found !== undefined) return found;
    const others = list === "" ? "it has none" : `it has ${list}`;
    throw new MerostoreError(
      "PAGE_NOT_FOUND",
      `${folder} has no ledger ${JSON.stringify(name)} with pages: ${others}`,
    );
  }
  if (only === undefined) throw new MerostoreError("PAGE_NOT_FOUND", `${folder} has no pages`);
  if (ledgers.length === 1) return only;
  throw invalidArgument(`${folder} has several ledgers, so give one as --name: ${list}`);
}

/** The id of the page: the given id, or the id of the root page. */
export function parsePageId(page: string | undefined): Uint8Array {
  return prefixErrors("--page", () => pageIdBytes((page as PageId | undefined) ?? ROOT_PAGE_ID));
}

/** The id of the page: the given id, the only id in the ledger with this beginning, or the id of the root page. */
export async function pageIn(
  repository: RepositoryView,
  ledger: string,
  page: string | undefined,
): Promise<Uint8Array> {
  const start = page?.replace(/(?:…|\.\.\.)$/, "").toLowerCase();
  if (start === undefined || !/^[0-9a-f]{4,31}$/.test(start)) return parsePageId(page);
  const found = (await repository.pages(ledger)).filter((id) => toHex(id).startsWith(start));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const named = JSON.stringify(ledgerWord(ledger));
  if (only === undefined)
    throw new MerostoreError("PAGE_NOT_FOUND", `--page: ${named} has no page that begins with ${start}`);
  const ids = found.slice(0, 10).map(toHex).join(", ");
  throw invalidArgument(`--page: ${start} can mean several pages: ${ids}`);
}

/** @throws MerostoreError PAGE_NOT_FOUND unless a ledger has a page */
export async function checkPage(repository: RepositoryView, ledger: string, id: Uint8Array): Promise<void> {
  const pages = await repository.pages(ledger);
  if (!pages.some((page) => toHex(page) === toHex(id))) throw pageNotFound(ledger, id);
}

/** The bytes of a typed key. */
export function parseKey(text: string, isHex: boolean | undefined, what = "KEY"): Uint8Array {
  return prefixErrors(what, () => keyBytes(isHex ? fromHex(text) : text));
}

/** The head that a connection to the page would show. Remarks on stderr if there are several. */
export async function shownHead(terminal: Terminal, view: PageView): Promise<Commit> {
  const heads = await view.heads();
  const shown = await view.shownHead(heads);
  if (heads.length > 1) {
    const text = `the page has ${heads.length} heads that are not merged yet; this is where a connection begins`;
    terminal.remark(`${text}, ${toHex(shown.id).slice(0, 8)}…`);
  }
  return shown;
}

/** Puts the name of an option or argument before the message of an error. */
function prefixErrors<T>(what: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    if (!isMerostoreError(cause)) throw cause;
    throw new MerostoreError("INVALID_ARGUMENT", `${what}: ${cause.message}`, { cause });
  }
}

/** The engine of the repository. */
export const engine = choice(
  "<name>",
  engineNames,
  "what the databases are; found from the folder unless given",
);

/** The ledger. */
export const name = text("<name>", "the ledger; unless given, the only one of the repository");
/** The key is given as hex. */
export const hex = flag("KEY is in hex digits");

/** Keys are shown as hex. */
export const keysInHex = flag("keys in hex");
/** The page as it was. */
export const at = text("<commit>", "the page as it was at this commit; the newest state unless given");

/** Options of commands about a repository. */
export const ofRepository = { engine, json };
/** The page. */
export const page = text(
  "<id>",
  "the page, 32 hex digits or four or more first ones; the root page unless given",
);
/** Options of commands about one page. */
export const ofPage = { name, page, ...ofRepository };

/** The text of the help about a commit. */
export const COMMIT_HELP = `A commit is its id, four or more first digits of it, "head" for the newest state, or "first" for the empty page.`;

/** Commits that an error lists at most. */
const LISTED = 10;

/**
 * The commit with this id, the only commit whose id has this beginning, the head, or the first commit.
 * @throws MerostoreError INVALID_ARGUMENT, AMBIGUOUS_NAME, COMMIT_NOT_FOUND, NETWORK_ERROR
 */
export async function namedCommit(terminal: Terminal, view: PageView, name: string): Promise<Commit> {
  if (name === "head") return shownHead(terminal, view);
  if (name === "first") return view.commits.get(FIRST_COMMIT_ID);
  const start = name.replace(/(?:…|\.\.\.)$/, "").toLowerCase();
  if (!/^[0-9a-f]{4,64}$/.test(start))
    throw invalidArgument(`a commit is "head", "first" or 4 to 64 hex digits, not ${JSON.stringify(name)}`);
  // The first commit has no row.
  const found: Uint8Array[] = toHex(FIRST_COMMIT_ID).startsWith(start) ? [FIRST_COMMIT_ID] : [];
  const whole = fromHex(start.length % 2 === 0 ? start : start.slice(0, -1));
  const from = commitRow.key.encode({ commit: Uint8Array.from({ length: 32 }, (_, at) => whole[at] ?? 0) });
  const { lt: to } = commitRow.range();
  search: for await (const keys of view.engine.scan(COLUMN, { gte: from, lt: to }).keys().chunks())
    for (const key of keys) {
      const { commit } = commitRow.parts(key);
      if (toHex(commit).startsWith(start)) found.push(commit);
      if (found.length > LISTED || toHex(commit.subarray(0, whole.length)) > toHex(whole)) break search;
    }
  const [only] = found;
  if (only === undefined)
    throw new MerostoreError(
      "COMMIT_NOT_FOUND",
      `the page has no commit ${start} on this device: "log" lists those it has`,
    );
  if (found.length === 1) {
    const commit = await view.commits.get(only);
    if (!(await view.isOnlyInCloud(commit))) return commit;
    throw new MerostoreError(
      "NETWORK_ERROR",
      `the entries of the commit ${start} are only in the cloud: a program that opens the page with it can read them`,
    );
  }
  const ids = found.slice(0, LISTED).map(toHex).join(", ");
  throw new MerostoreError("AMBIGUOUS_NAME", `${start} can mean several commits: ${ids}`);
}
