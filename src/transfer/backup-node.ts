/** Copies a node's home: database, files of blobs and configuration together. */
import { createHash } from "node:crypto";
import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { blobFolder, type NodeHome } from "../blobs/index.js";
import { toBase58 } from "../bytes/base58.js";
import { equalBytes } from "../bytes/order.js";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../disk/access.js";
import { checkFree } from "../disk/folder.js";
import { locationText, type PathOrUrl } from "../disk/location.js";
import { makeFolder } from "../disk/new-folder.js";
import { realPath } from "../disk/outside.js";
import { syncFolder, withMessage } from "../disk/sync-folder.js";
import { type Backup, backupDatabase } from "../engines/index.js";
import type { Warning } from "../errors.js";
import { checkOptions } from "../options.js";
import { type ProgressOptions, progressOptions } from "../progress.js";

/** The content of a copied home: the database, and beside it the files of blobs. */
export interface NodeBackup extends Backup {
  /** The number of copied files of chunks. */
  readonly blobFiles: number;
  /** The bytes of these files. */
  readonly blobBytes: number;
}

/**
 * Copies the home of a node, which may be running: the database, then the files of its blobs, then `config.toml` if it
 * exists, which contains the node's private key. Only the owner can open the copy. The copy gets its name when
 * everything is written and synced. The files of chunks are hashed while they are copied; damaged ones are copied as
 * they are, with a warning. Unfinished files, and files that the node deletes meanwhile, are not copied. If the
 * configuration names folders outside the home, the copy has them as `data` and `blobs`. Its configuration is then
 * called `config.original.toml`, so that a node that starts from the copy does not open the original.
 *
 * @param target missing, or an empty folder; not inside a database
 * @param options the progress counts the bytes of the database twice: when they are copied and when they are read
 * @throws MerostoreError as backupDatabase; `INVALID_ARGUMENT` if the node has no folder of blobs
 */
export async function backupNode(
  home: NodeHome,
  target: PathOrUrl,
  options: ProgressOptions = {},
): Promise<NodeBackup> {
  checkOptions("backupNode", options, progressOptions);
  const path = locationText(target, "the target of a backup");
  checkFree(path);
  const place = realPath(path);
  const files = await blobFolder(home.blobs);
  const inside = { data: within(home.path, home.data), blobs: within(home.path, home.blobs) };
  const isWhole = inside.data !== undefined && inside.blobs !== undefined;
  return makeFolder(place, "backup", async (made) => {
    const data = join(made, (isWhole ? inside.data : undefined) ?? "data");
    const blobs = join(made, (isWhole ? inside.blobs : undefined) ?? "blobs");
    const database = await backupDatabase(home.data, data, options);
    await mkdir(blobs, { recursive: true, mode: PRIVATE_FOLDER });
    // By message: a folder may have many foreign files.
    const warnings = new Map(database.warnings.map((warning) => [warning.message, warning]));
    const warn = (code: Warning["code"], message: string): void =>
      void warnings.set(message, { code, message });
    let blobFiles = 0;
    let blobBytes = 0;
    for await (const { name, blobId, kind } of files.entries()) {
      options.signal?.throwIfAborted();
      if (kind === "other")
        warn(
          "BLOB_DAMAGED",
          "the folder of blobs has something that is not a file of a blob; it was not copied",
        );
      if (blobId === undefined) continue;
      const copied = await copyHashed(join(home.blobs, name), join(blobs, toBase58(blobId)));
      if (copied === undefined) continue;
      if (!equalBytes(copied.hash, blobId))
        warn("BLOB_DAMAGED", `the file of chunk ${name} is damaged, in the copy too`);
      blobFiles++;
      blobBytes += copied.bytes;
    }
    await syncFolder(blobs);
    if (home.config !== undefined) {
      const [from, to] = [home.config, join(made, isWhole ? "config.toml" : "config.original.toml")];
      await withMessage("the configuration cannot be copied", async () =>
        writeFile(to, await readFile(from), { mode: PRIVATE_FILE, flush: true }),
      );
    }
    if (!isWhole)
      warn(
        "CONFIGURATION_CHANGED",
        "config.toml names folders outside the home: the copy has them as data and blobs, and its configuration, config.original.toml, names the original ones",
      );
    return { ...database, blobFiles, blobBytes, warnings: [...warnings.values()] };
  });
}

/** Returns the place of a folder in the home; undefined if it is outside, or the home itself. */
function within(home: string, folder: string): string | undefined {
  const path = relative(home, folder);
  return path === "" || isAbsolute(path) || path.split(sep)[0] === ".." ? undefined : path;
}

/** Copies a file in pieces, syncs it, and hashes it. Undefined if the node has deleted it. */
async function copyHashed(
  from: string,
  to: string,
): Promise<{ readonly hash: Uint8Array; readonly bytes: number } | undefined> {
  return withMessage(`${from} cannot be copied to ${dirname(to)}`, async () => {
    const source = await open(from, "r").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (source === undefined) return undefined;
    try {
      const target = await open(to, "wx", PRIVATE_FILE);
      try {
        const hash = createHash("sha256");
        let bytes = 0;
        const piece = Buffer.alloc(1024 * 1024);
        for (;;) {
          const { bytesRead } = await source.read(piece, 0, piece.length, bytes);
          if (bytesRead === 0) break;
          const some = piece.subarray(0, bytesRead);
          hash.update(some);
          await target.writeFile(some);
          bytes += bytesRead;
        }
        await target.sync();
        return { hash: new Uint8Array(hash.digest()), bytes };
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  });
}
