/** A folder in which what is made and what is removed lies until the one is complete and the other gone. */
import { randomBytes } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PRIVATE_FOLDER } from "../../disk/access.js";
import { contentOf } from "../../disk/folder.js";
import { syncFolder, syncFolders, withMessage } from "../../disk/sync-folder.js";

export class Staging {
  readonly #path: string;

  /** @param path where it is, on the file system of what it is for; made when it is needed */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Puts something at its place once it is complete and durable. If something is there by then, that stays.
   *
   * @param make makes it under another name
   */
  async build(target: string, make: (path: string) => Promise<void>): Promise<void> {
    const parent = dirname(target);
    const firstMade = await withMessage(`${parent} cannot be made`, () =>
      mkdir(parent, { recursive: true, mode: PRIVATE_FOLDER }),
    );
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

  /** Removes something with all that is in it: at once for everybody else, also after a power failure. */
  async bury(target: string): Promise<void> {
    const room = await this.#room();
    try {
      await withMessage(`${target} cannot be removed`, () => rename(target, join(room, "graveyard")));
      await syncFolder(dirname(target));
    } finally {
      await remove(room);
    }
  }

  /** Removes what was left when a process ended before its time. Nobody may be building or burying meanwhile. */
  async clear(): Promise<void> {
    await remove(this.#path);
  }

  async #room(): Promise<string> {
    const room = join(this.#path, randomBytes(8).toString("hex"));
    await withMessage(`${room} cannot be made`, () => mkdir(room, { recursive: true, mode: PRIVATE_FOLDER }));
    return room;
  }
}

async function remove(path: string): Promise<void> {
  await withMessage(`${path} cannot be removed`, () => rm(path, { recursive: true, force: true }));
}
