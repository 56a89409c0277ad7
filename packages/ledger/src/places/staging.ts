/** A folder for files that are being created or removed. */
import { randomBytes } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { contentOf, makeFolders, syncFolder, syncFolders, withMessage } from "merostore/internal";

export class Staging {
  readonly #path: string;

  /** @param path a folder on the file system of the files; created when it is needed */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Creates a file or a folder atomically: it gets its name once it is complete and synced. If the name is taken by
   * then, nothing is replaced.
   *
   * @param make creates it under another name
   */
  async build(target: string, make: (path: string) => Promise<void>): Promise<void> {
    const parent = dirname(target);
    const firstMade = await withMessage(`${parent} cannot be made`, () => makeFolders(parent));
    const room = await this.#room();
    const made = join(room, "made");
    try {
      await make(made);
      await withMessage(`${target} cannot be put in its place`, () => rename(made, target)).catch(
        (error: unknown) => {
          if (contentOf(target) === "missing") throw error;
        },
      );
      await syncFolders(parent, firstMade === undefined ? parent : dirname(firstMade));
    } finally {
      await remove(room);
    }
  }

  /** Removes a file or a folder atomically. */
  async bury(target: string): Promise<void> {
    const room = await this.#room();
    try {
      await withMessage(`${target} cannot be removed`, () => rename(target, join(room, "graveyard")));
      await syncFolder(dirname(target));
    } finally {
      await remove(room);
    }
  }

  /** Removes the files of interrupted calls. Must not overlap with other calls. */
  async clear(): Promise<void> {
    await remove(this.#path);
  }

  async #room(): Promise<string> {
    const room = join(this.#path, randomBytes(8).toString("hex"));
    await withMessage(`${room} cannot be made`, () => makeFolders(room));
    return room;
  }
}

async function remove(path: string): Promise<void> {
  await withMessage(`${path} cannot be removed`, () => rm(path, { recursive: true, force: true }));
}
