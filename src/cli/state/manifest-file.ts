/** The manifest that a command uses: of a file that a person names, or of the code that a context runs. */
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isMerostoreError, MerostoreError } from "../../errors.js";
import type { Manifest } from "../../state/index.js";
import { findManifest, manifestOf, versionWarnings } from "../../state/index.js";
import type { Store } from "../../store/index.js";
import { blobFolder } from "../../verify/index.js";
import { blobsBeside, databaseFolder } from "../database-folder.js";
import { text } from "../option-kinds.js";
import type { Terminal } from "../terminal.js";

/** Bytes of a file with a manifest: nodes load no larger bundle. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Where a command takes the manifest of a context from. */
export const manifestOptions = {
  abi: text("<file>", "the manifest: a WebAssembly module, a bundle (.mpk) or the JSON of a manifest"),
  blobs: text(
    "<folder>",
    "the folder of the blobs' files, to take the manifest from; found beside the database",
  ),
};

/** Whether there is a file at a path. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // a part of the path is a file, or it is too long for one
  }
}

/**
 * The manifest of a file.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` if there is no such file; an error that names the file if it has no manifest
 */
export async function manifestInFile(path: string, service?: string): Promise<Manifest> {
  // Reading a pipe would wait for its writer.
  if (!isFile(path)) throw new MerostoreError("INVALID_ARGUMENT", `there is no file ${path}`);
  if (statSync(path).size > MOST_BYTES)
    throw new MerostoreError("INVALID_ARGUMENT", `${path} is larger than ${MOST_BYTES} bytes`);
  const bytes = await readFile(path).catch((cause: Error) => {
    throw new MerostoreError("INVALID_ARGUMENT", `${path} cannot be read: ${cause.message}`, { cause });
  });
  try {
    return await manifestOf(bytes, { service });
  } catch (error) {
    if (!isMerostoreError(error)) throw error;
    throw new MerostoreError(error.code, `${path}: ${error.message}`, { cause: error });
  }
}

/** A manifest, and the blob that it was in unless a file was named. */
export interface UsedManifest {
  readonly manifest: Manifest;
  readonly blob?: string;
  readonly service?: string | undefined;
}

/**
 * The manifest for a context: of the named file, else of the code that the context runs. Warnings go to stderr.
 *
 * @param db the database as it was typed
 * @throws MerostoreError `ABI_NOT_FOUND` if there is none
 */
export async function manifestFor(
  terminal: Terminal,
  db: string,
  store: Store,
  contextId: Uint8Array,
  { abi, blobs }: { readonly abi?: string | undefined; readonly blobs?: string | undefined },
): Promise<UsedManifest> {
  if (abi !== undefined) {
    const manifest = await manifestInFile(abi);
    warn(terminal, await versionWarnings(store, contextId, manifest));
    return { manifest };
  }
  const folder = blobs ?? blobsBeside(databaseFolder(db));
  if (folder === undefined)
    throw new MerostoreError(
      "ABI_NOT_FOUND",
      "there is no folder of blobs beside the database, and with it the code of the context: name it, or the file of the manifest",
    );
  const { warnings, ...found } = await findManifest(store, contextId, { blobs: await blobFolder(folder) });
  warn(terminal, warnings);
  return found;
}

function warn(terminal: Terminal, warnings: readonly string[]): void {
  for (const warning of warnings) terminal.remark(`merostore: ${warning}`);
}
