/**
 * A cloud in files that devices share: in a folder on a network drive, in a folder that a program copies between them,
 * or on a server.
 */
import {
  checkOptions,
  copyBytes,
  fromHex,
  invalidArgument,
  isBytes,
  isWholeNumber,
  type OptionChecks,
  type PathOrUrl,
  type ProgressOptions,
  progressOptions,
} from "merostore/internal";
import type { Cloud, CloudConnection, SyncedPage } from "../cloud.js";
import type { FolderDevice } from "../devices/device.js";
import { FolderRosters } from "../devices/folder-rosters.js";
import { type FileStore, ifReadable, readAny, storeOf } from "./file-store.js";
import { FolderConnection } from "./folder-connection.js";
import { PagePacks } from "./page-packs.js";
import { FILE_NAME, FolderKeys, KEY_SIZE } from "./sealed-files.js";
import { type SyncTotals, Traffic } from "./traffic.js";

/** Options of {@link folderCloud}. */
export interface FolderCloudOptions {
  /**
   * The key that all devices share: 32 bytes or 64 hex digits. Files are then encrypted with AES-256-GCM, and their
   * names reveal nothing. A reader of the folder still sees the numbers of pages and packs, their sizes, and the times
   * of their writing.
   */
  readonly key?: Uint8Array | string | undefined;
  /**
   * This device, in a folder whose devices {@link startDevices} has begun. Files are then encrypted with the folder's
   * key, which the device gets from the folder. Only files of its present devices are accepted.
   */
  readonly device?: FolderDevice | undefined;
  /**
   * Milliseconds between two looks for files of others: 5,000 unless given. With 0, the device looks only after its own
   * commits, and when {@link FolderCloud.sync} is called. Merging then assumes that others look as often as this
   * device.
   */
  readonly interval?: number | undefined;
  /**
   * Milliseconds that a file may be incomplete or unreadable without changing before it counts as damaged: 60,000
   * unless given. Until then it counts as a copy under way. It is read again in either case.
   */
  readonly patience?: number | undefined;
}

/** The remaining work after {@link FolderCloud.sync}. */
export interface FolderSync {
  /**
   * The number of packs in the folder whose commits could not be added yet: these packs are incomplete, or packs that
   * they need are.
   */
  readonly waiting: number;
  /** The number of lost commits of the folder that were written again; absent if there were none. */
  readonly restored?: number;
  /** The number of refused packs in the folder, whose devices may not write there; absent if there were none. */
  readonly refused?: number;
  /**
   * Pages with commits that stay on this device; absent if there are none. These pages still get the commits of others.
   */
  readonly unsent?: readonly UnsentPage[];
}

/** A page with commits that stay on this device. */
export interface UnsentPage {
  /** The name of the ledger. */
  readonly ledger: string;
  /** The id of the page, 16 bytes. */
  readonly id: Uint8Array;
  /** The number of the commits. Merges do not count. */
  readonly commits: number;
  /** `read-only`: this device may only read the folder. The commits are sent once an admin lets it write. */
  readonly reason: "read-only";
}

const isKey = (value: unknown): string | undefined =>
  (isBytes(value) && value.length === KEY_SIZE) ||
  (typeof value === "string" && /^[0-9a-f]{64}$/i.test(value))
    ? undefined
    : `${KEY_SIZE} bytes or ${2 * KEY_SIZE} hex digits`;

const OPTIONS: OptionChecks<FolderCloudOptions> = {
  // Not described: a key must not be in a message.
  key: () => undefined,
  device: () => undefined,
  interval: isWholeNumber(0, 2 ** 31 - 1),
  patience: isWholeNumber(0),
};

/**
 * A cloud in a folder, made by {@link folderCloud}. Pages that are opened with it are synced until they are closed.
 * Their {@link Page.syncState} is `pending` while commits wait for files or for the right to write, and while the
 * folder cannot be reached or has no room. It is `error` if the folder has damaged files, or another key.
 */
export class FolderCloud implements Cloud {
  readonly #store: FileStore;
  /** The store, whose files are counted. */
  readonly #folder: FileStore;
  readonly #traffic = new Traffic();
  readonly #keys: FolderKeys;
  readonly #rosters: FolderRosters | undefined;
  readonly #interval: number;
  readonly #patience: number;
  readonly #connections = new Set<FolderConnection>();

  /** @internal Use {@link folderCloud}. */
  constructor(folder: FileStore, { key, device, interval = 5000, patience = 60_000 }: FolderCloudOptions) {
    this.#store = folder;
    this.#folder = this.#traffic.counted(folder);
    this.#rosters = device && FolderRosters.of(this.#folder, device);
    this.#keys = new FolderKeys(this.#rosters ?? (typeof key === "string" ? fromHex(key) : key));
    this.#interval = interval;
    this.#patience = patience;
  }

  async connect(page: SyncedPage): Promise<CloudConnection> {
    const sealed = this.#keys.page(page.ledger, page.id);
    const closing = new AbortController();
    const ofPage = this.#store.within?.(closing.signal);
    const folder = ofPage === undefined ? this.#folder : this.#traffic.counted(ofPage);
    const connection: FolderConnection = new FolderConnection({
      page: this.#traffic.countedPage(page),
      folder,
      keys: this.#keys,
      sealed,
      rosters: this.#rosters,
      packs: new PagePacks(folder, sealed, this.#patience),
      interval: this.#interval,
      onClose: () => this.#connections.delete(connection),
      endReads: () => closing.abort(new Error("the page was closed")),
    });
    this.#connections.add(connection);
    return connection;
  }

  /**
   * Lists the pages in the folder. It reads no content, so it needs no key. It knows only the ids of open pages,
   * because names of files do not reveal ids.
   *
   * @throws MerostoreError NETWORK_ERROR
   */
  async pages(): Promise<StoredPage[]> {
    await this.#folder.checkIsThere();
    const open = new Map<string | undefined, SyncedPage>();
    for (const { place, page } of this.#connections) open.set(place, page);
    const pages: StoredPage[] = [];
    for await (const page of storedPages(this.#folder)) {
      const { ledger, id } = open.get(page.folder) ?? {};
      pages.push({ ...page, ...(id !== undefined && { ledger, id: copyBytes(id) }) });
    }
    return pages;
  }

  /** The id of the newest roster that this device has seen, in a folder with devices. */
  get roster(): string | undefined {
    return this.#rosters?.isKnown ? this.#rosters.chain.newest.id : undefined;
  }

  /** Files, bytes and commits that this cloud has downloaded and uploaded so far, for all its pages. */
  get transferred(): SyncTotals {
    return this.#traffic.totals;
  }

  /**
   * Syncs all open pages now: adds the commits of others, then uploads the commits of this device.
   *
   * @param options `onProgress` gets bytes of packs; the total grows with each found pack. The signal ends only the
   * waiting: pages sync until they are closed
   * @throws MerostoreError NETWORK_ERROR if the folder cannot be reached or has no room; WRONG_KEY;
   * DATA_INTEGRITY_ERROR for a damaged file, which it names; ILLEGAL_STATE for commits that others could not use,
   * because older ones were removed before they were uploaded. All other content is still synced
   */
  async sync(options: ProgressOptions = {}): Promise<FolderSync> {
    checkOptions("sync", options, progressOptions);
    return this.#traffic.follow(options, () => this.#sync(false));
  }

  /**
   * Syncs, and accepts an emptied folder as the right one: marks it again, and uploads everything of the open pages.
   * `sync` does not touch a folder without its mark, because an unmounted drive looks the same.
   *
   * @throws MerostoreError as {@link FolderCloud.sync}
   */
  async restore(options: ProgressOptions = {}): Promise<FolderSync> {
    checkOptions("restore", options, progressOptions);
    return this.#traffic.follow(options, () => this.#sync(true));
  }

  async #sync(mayMark: boolean): Promise<FolderSync> {
    const all = await Promise.allSettled(
      [...this.#connections].map((connection) => connection.sync(mayMark)),
    );
    let [waiting, restored, refused] = [0, 0, 0];
    const unsent: UnsentPage[] = [];
    for (const result of all) {
      if (result.status === "rejected") throw result.reason;
      waiting += result.value.waiting;
      restored += result.value.restored ?? 0;
      refused += result.value.refused ?? 0;
      unsent.push(...(result.value.unsent ?? []));
    }
    return {
      waiting,
      ...(restored > 0 && { restored }),
      ...(refused > 0 && { refused }),
      ...(unsent.length > 0 && { unsent }),
    };
  }
}

/**
 * Makes a cloud of a folder that several devices reach: a network drive, or a folder that a program such as Syncthing
 * copies between them. Any number of devices may write at the same time. They work without a connection, and sync
 * later.
 *
 * Files are written under another name, synced and renamed. An incomplete or foreign file is left alone, and read again
 * later. If it does not change, a device with its content writes it again.
 *
 * @param folder a folder that exists, as a path or a `file:` URL, or another store of files: {@link httpStore}; it is
 * marked with the file `merostore-ledger.json`
 * @throws MerostoreError INVALID_ARGUMENT
 * @example
 * import { mkdirSync } from "node:fs";
 *
 * mkdirSync("shared", { recursive: true });
 * const cloud = folderCloud("shared", { key: "5f".repeat(32) });
 * await using ledger = await openLedger("phone", { name: "contacts", cloud });
 * await using page = await ledger.rootPage();
 * await page.put("name", "Alice");
 * await cloud.sync();
 */
export function folderCloud(folder: PathOrUrl | FileStore, options: FolderCloudOptions = {}): FolderCloud {
  const store = storeOf(folder, "the folder of a cloud");
  checkOptions("folderCloud", options, OPTIONS);
  const expected = options.key === undefined ? undefined : isKey(options.key);
  if (expected !== undefined) throw invalidArgument(`the key of a folder is ${expected}`);
  if (options.key !== undefined && options.device !== undefined)
    throw invalidArgument("give a key or a device: a device gets the key from the folder");
  return new FolderCloud(store, options);
}

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
  /** The time of the newest pack, to the second, if the store tells: the time of the last write of any device. */
  readonly changed?: Date | undefined;
}

/** Yields the pages in a folder. Foreign files and folders are left out. */
export async function* storedPages(store: FileStore): AsyncGenerator<StoredPage, void, undefined> {
  for (const folder of (await store.list("")).sort()) {
    if (!FILE_NAME.test(folder)) continue;
    let [packs, bytes, newest] = [0, 0, 0];
    const path = `${folder}/packs`;
    for (const name of (await ifReadable(store, () => store.list(path))) ?? []) {
      const found = FILE_NAME.test(name)
        ? await ifReadable(store, () => readAny(store, `${path}/${name}`, 0))
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
