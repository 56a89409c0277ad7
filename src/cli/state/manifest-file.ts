/** The manifest of a command: from a given file, or from the code that a context runs. */
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { invalidArgument, isMerostoreError, MerostoreError, type Warning } from "../../errors.js";
import { findManifest, type Manifest, manifestOf, versionWarnings } from "../../state/index.js";
import { blobFolder } from "../../verify/index.js";
import { kindOfLocation } from "../arguments/location.js";
import { text } from "../arguments/option-kinds.js";
import type { OpenDatabase } from "../database/database.js";
import { blobsOf } from "../database/database-folder.js";
import type { Terminal } from "../output/terminal.js";

/** The most bytes of a file with a manifest: nodes load no larger bundle. */
const MOST_BYTES = 512 * 1024 * 1024;

/** The options that name the manifest of a context. */
export const manifestOptions = {
  abi: text("<file>", "the manifest: a WebAssembly module, a bundle (.mpk) or the JSON of a manifest"),
  blobs: text(
    "<folder>",
    "the folder of the blobs' files, to take the manifest from; found beside the database",
  ),
};

/** Returns whether a path is a file. */
export function isFile(path: string): boolean {
  return kindOfLocation(path) === "file";
}

/**
 * The manifest of a file.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` if the file does not exist; an error that names the file if it has no
 *   manifest
 */
export async function manifestInFile(path: string, service?: string): Promise<Manifest> {
  // Reading a pipe would wait for its writer.
  refuseNoFile(path);
  if (statSync(path).size > MOST_BYTES) throw invalidArgument(`${path} is larger than ${MOST_BYTES} bytes`);
  const bytes = await readFile(path).catch((cause: Error) => {
    throw new MerostoreError("INVALID_ARGUMENT", `${path} cannot be read: ${cause.message}`, { cause });
  });
  try {
    return await manifestOf(bytes, { service });
  } catch (error) {
    if (!isMerostoreError(error)) throw error;
    if (!hasKnownBeginning(bytes) && isMerostoreError(error, "ABI_INVALID"))
      throw new MerostoreError(
        "ABI_INVALID",
        `${path} is neither a WebAssembly module nor a bundle (.mpk) nor the JSON of a manifest`,
        { cause: error },
      );
    throw new MerostoreError(error.code, `${path}: ${error.message}`, { cause: error });
  }
}

/**
 * Refuses a path that is not a file.
 *
 * @throws MerostoreError `INVALID_ARGUMENT`
 */
export function refuseNoFile(path: string): void {
  const kind = kindOfLocation(path);
  if (kind !== "file")
    throw invalidArgument(`${path} ${kind === "folder" ? "is not a file" : "does not exist"}`);
}

/** Returns whether a file begins as a module, as a bundle (gzip) or as a JSON object. */
function hasKnownBeginning(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 0x20);
  return bytes[0] === 0 || first === 0x7b || (bytes[0] === 0x1f && bytes[1] === 0x8b);
}

/** A manifest, and its blob unless it comes from a file. */
export interface UsedManifest {
  readonly manifest: Manifest;
  readonly blob?: string;
  readonly service?: string | undefined;
}

/**
 * Finds the manifest for a context: in the given file, or else in the code that the context runs. Warnings go to
 * stderr.
 *
 * @throws MerostoreError `ABI_NOT_FOUND` if no folder of blobs is beside the database, or it lacks the code
 */
export async function manifestFor(
  terminal: Terminal,
  { db, store }: OpenDatabase,
  contextId: Uint8Array,
  { abi, blobs }: { readonly abi?: string | undefined; readonly blobs?: string | undefined },
): Promise<UsedManifest> {
  if (abi !== undefined) {
    const manifest = await manifestInFile(abi);
    warn(terminal, await versionWarnings(store, contextId, manifest));
    return { manifest };
  }
  const folder = blobs ?? blobsOf(db);
  if (folder === undefined)
    throw new MerostoreError(
      "ABI_NOT_FOUND",
      "no folder of blobs is beside the database: name it (--blobs), or the manifest (--abi)",
    );
  const { warnings, ...found } = await findManifest(store, contextId, { blobs: await blobFolder(folder) });
  warn(terminal, warnings);
  return found;
}

function warn(terminal: Terminal, warnings: readonly Warning[]): void {
  for (const { message } of warnings) terminal.remark(message);
}
