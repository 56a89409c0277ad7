/** Opens the database and the folder of files for commands about blobs, and finds the typed blob. */

import { type BlobFolder, type BlobUse, type BlobUses, blobFolder, readBlobUses } from "../../blobs/index.js";
import { fromHex } from "../../bytes/hex.js";
import { invalidArgument, isMerostoreError, MerostoreError } from "../../errors.js";
import { CalimeroNode } from "../../node/index.js";
import type { Store } from "../../store/index.js";
import type { ExitStatus } from "../arguments/command.js";
import { idIn } from "../arguments/ids.js";
import { text } from "../arguments/option-kinds.js";
import { type DatabaseOptions, isEncrypted, openDatabase } from "../database/database.js";
import { blobsOf } from "../database/database-folder.js";
import { idText } from "../output/id-look.js";
import type { Terminal } from "../output/terminal.js";

/** Names the folder of files if it is not beside the database. */
export const folderOption = text("<folder>", "the folder of the blobs' files; found beside the database");

/** Options for opening a database and its blobs. */
export interface OpenOptions extends DatabaseOptions {
  readonly blobs?: string | undefined;
  /** Open the database for writing. */
  readonly write?: boolean;
}

/** An open database, and the files of its blobs. */
export interface OpenBlobs {
  readonly store: Store;
  readonly folder: BlobFolder;
}

/**
 * Opens a database and the folder of its blobs' files, runs a command, and closes the database.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` if no folder of files is beside the database
 */
export async function withBlobs(
  terminal: Terminal,
  db: string,
  options: OpenOptions,
  run: (open: OpenBlobs) => Promise<ExitStatus>,
): Promise<ExitStatus> {
  const folder = await folderOf(db, options);
  if (folder === undefined) throw invalidArgument(NO_FOLDER);
  return withStore(terminal, db, options, (store) => run({ store, folder }));
}

/** {@link withBlobs} for commands that only show whether files exist. Without the folder, a remark says so. */
export async function withBlobRows(
  terminal: Terminal,
  db: string,
  options: OpenOptions,
  run: (open: Pick<OpenBlobs, "store"> & Partial<OpenBlobs>) => Promise<ExitStatus>,
): Promise<ExitStatus> {
  const folder = await folderOf(db, options);
  if (folder === undefined) terminal.remark(`the files were not looked for: ${NO_FOLDER}`);
  return withStore(terminal, db, options, (store) => run({ store, ...(folder && { folder }) }));
}

/** The sentence that a node keeps chunks under other ids than the rows of blobs have. */
export function chunksNotKnown({ schema }: Store): string {
  return `nodes of ${schema.name} keep chunks under ids that are not known`;
}

const NO_FOLDER = "no folder of blobs is beside the database: name it with --blobs";

async function folderOf(db: string, options: OpenOptions): Promise<BlobFolder | undefined> {
  const path = options.blobs ?? blobsOf(db);
  return path === undefined ? undefined : blobFolder(path);
}

async function withStore(
  terminal: Terminal,
  db: string,
  options: OpenOptions,
  run: (store: Store) => Promise<ExitStatus>,
): Promise<ExitStatus> {
  await using store = await openDatabase(terminal, db, options, options.write);
  if (await isEncrypted(store, options)) return 3;
  return await run(store);
}

/**
 * Finds the typed blob: by its id or the first digits, or as the code of an application, `PACKAGE` or
 * `PACKAGE@VERSION`, with `:SERVICE` for a service.
 *
 * @throws MerostoreError `UNKNOWN_NAME`, `AMBIGUOUS_NAME`
 */
export async function blobOf(store: Store, typed: string): Promise<Uint8Array> {
  const named = await namedBlobs(await readBlobUses(store), typed);
  const [only] = named;
  if (named.length === 1 && only !== undefined) return fromHex(only);
  if (named.length > 1)
    throw new MerostoreError(
      "AMBIGUOUS_NAME",
      `${named.length} blobs have this name: ${named.slice(0, 10).join(", ")}; add the version, PACKAGE@VERSION`,
    );
  try {
    return await idIn(typed, ["blob"], [store]);
  } catch (error) {
    if (!isMerostoreError(error, "INVALID_ARGUMENT")) throw error;
    throw new MerostoreError(
      "UNKNOWN_NAME",
      `no blob has this name, and the text is not an id: ${error.message}`,
    );
  }
}

async function namedBlobs(uses: BlobUses, typed: string): Promise<readonly string[]> {
  return [...uses]
    .filter(([, all]) => all.some((use) => isApplication(use) && names(use).includes(typed)))
    .map(([id]) => id);
}

function isApplication({ kind, role }: BlobUse): boolean {
  return kind === "ApplicationMeta" && !role.startsWith("compiled");
}

function names({ package: name, version, service }: BlobUse): readonly string[] {
  if (name === undefined) return [];
  const rest = service === undefined ? "" : `:${service}`;
  return [`${name}${rest}`, ...(version === undefined ? [] : [`${name}@${version}${rest}`])];
}

/** Returns the name of an application, group or context with its id; the id alone without a name. */
export type LabelOf = (id: string) => string;

/** Returns labels for the applications, groups and contexts whose rows name blobs. */
export async function labelsOf({ ids }: Terminal, store: Store): Promise<LabelOf> {
  const names = await new CalimeroNode(store).names();
  return (id) => {
    const name = names.of(id)?.name;
    return name === undefined ? idText(id, ids) : `${name} (${idText(id, ids)})`;
  };
}

/** The most names of a blob in a line. */
const SHOWN = 3;

/** The name of a blob: its applications with version and service, or the groups and contexts whose rows name it. */
export function nameOf(uses: readonly BlobUse[] | undefined, label: LabelOf): string {
  if (uses === undefined) return "";
  const all = uses.map((use) => {
    const name = names(use).at(-1);
    if (use.kind !== "ApplicationMeta") return `${use.role} ${label(use.id)}`;
    const compiled = use.role.startsWith("compiled") ? "compiled " : "";
    return `${compiled}${name ?? `application ${label(use.id)}`}`;
  });
  const some = [...new Set(all)];
  const more = some.length - SHOWN;
  return [...some.slice(0, SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
