/** Lists the pages in a shared folder by their files alone: no key is needed. */
import { isMerostoreError } from "merostore/internal";
import { type FileStore, readAny } from "./file-store.js";

/** A page in a shared folder. */
export interface StoredPage {
  /** The name of the page's folder, 40 hex digits, which do not tell its id. */
  readonly folder: string;
  /** The ledger of a page that is open with this cloud. */
  readonly ledger?: string | undefined;
  /** The id of a page that is open with this cloud, 16 bytes. */
  readonly id?: Uint8Array | undefined;
  readonly packs: number;
  /** Bytes of the packs. */
  readonly bytes: number;
  /** The time of the newest pack, to the second, if the store tells: devices have last written then. */
  readonly changed?: Date | undefined;
}

const NAME = /^[0-9a-f]{40}$/;

/** Yields the pages in a folder. Foreign files and folders are left out. */
export async function* storedPages(store: FileStore): AsyncGenerator<StoredPage, void, undefined> {
  for (const folder of (await store.list("")).sort()) {
    if (!NAME.test(folder)) continue;
    let [packs, bytes, newest] = [0, 0, 0];
    const path = `${folder}/packs`;
    for (const name of await unlessForeign(store, () => store.list(path), [])) {
      const found = NAME.test(name)
        ? await unlessForeign(store, () => readAny(store, `${path}/${name}`, 0), undefined)
        : undefined;
      if (found === undefined) continue;
      packs++;
      bytes += found.size;
      newest = Math.max(newest, found.modified?.getTime() ?? 0);
    }
    const changed = newest > 0 && { changed: new Date(newest - (newest % 1000)) };
    if (packs > 0) yield { folder, packs, bytes, ...changed };
  }
}

/** A file that cannot be read must not hide the others; a folder that is gone must be an error. */
async function unlessForeign<T>(store: FileStore, read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isMerostoreError(error, "NETWORK_ERROR")) throw error;
    await store.checkIsThere();
    return otherwise;
  }
}
