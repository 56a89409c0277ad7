/** Syncs one page with a shared folder. */
import { isMerostoreError, MerostoreError, SerialQueue, toHex } from "merostore/internal";
import { guarded } from "../../callbacks/listeners.js";
import type { ObjectDigest } from "../../objects/digest.js";
import type { ObjectIdentifier } from "../../objects/identifier.js";
import { isFirst } from "../../storage/commit.js";
import { decodeCommit } from "../../tables/commit-table.js";
import type { CloudConnection, CommitBytes, FetchedPiece, SyncedPage } from "../cloud.js";
import { equalStates, IDLE, type SyncState, type SyncStates } from "../sync-states.js";
import { Download, type Waiting } from "./download.js";
import { KnownCommits } from "./known-commits.js";
import { checkMark } from "./mark.js";
import type { PageFiles } from "./page-files.js";
import { Repairs } from "./repairs.js";
import type { FolderKeys, SealedFiles } from "./sealed-files.js";
import type { SharedFolder } from "./shared-folder.js";

/** The parts that a connection uses. */
export interface ConnectionParts {
  readonly page: SyncedPage;
  readonly folder: SharedFolder;
  readonly keys: FolderKeys;
  readonly sealed: SealedFiles;
  readonly files: PageFiles;
  /** Milliseconds between the end of a sync and the next one. */
  readonly interval: number;
  /** Called when the connection is closed. */
  onClose(): void;
}

/** Pieces that are written before they are marked as uploaded. */
const BATCH = 64;

/** The part of the slowest duration of a sync that is left after another one. */
const KEPT_DURATION = 0.8;

const encoder = new TextEncoder();
/** Metadata: this device has synced the page with a folder. */
const USED = encoder.encode("folder");

export class FolderConnection implements CloudConnection {
  readonly #parts: ConnectionParts;
  readonly #queue = new SerialQueue();
  readonly #listeners = new Set<() => void>();
  readonly #unsubscribe: () => void;
  readonly #known: KnownCommits;
  readonly #downloads: Download;
  readonly #repairs: Repairs;
  #state = IDLE;
  /** The sync that has not begun yet. */
  #next: Promise<number> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** New commits need no other sync: this one uploads next. */
  #isDownloading = false;
  /** True if the sync under way, or the last one, has uploaded all. */
  #isUploaded = false;
  /** Milliseconds of the slowest sync; earlier ones count less and less. */
  #duration = 0;
  #closed = false;

  /** Starts to sync. */
  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#known = new KnownCommits(parts.page);
    this.#downloads = new Download({
      page: parts.page,
      folder: parts.folder,
      files: parts.files,
      known: this.#known,
      isClosed: () => this.#closed,
      onDamaged: (name) => this.#repairs.askForCommit(name),
    });
    const { page, folder, sealed, files } = parts;
    this.#repairs = new Repairs({ page, folder, sealed, files, known: this.#known });
    this.#unsubscribe = parts.page.onCommits(() => {
      if (!this.#isDownloading) this.#request();
    });
    this.#request();
  }

  get state(): SyncStates {
    return this.#state;
  }

  /** Another device looks within an interval, and this one too. Without an interval nobody knows when. */
  get roundTrip(): number | undefined {
    return this.#parts.interval === 0 ? undefined : 2 * (this.#parts.interval + this.#duration);
  }

  onState(listener: () => void): () => void {
    const guardedListener = guarded("the state of syncing", listener);
    this.#listeners.add(guardedListener);
    return () => this.#listeners.delete(guardedListener);
  }

  async fetchPiece({ digest }: ObjectIdentifier): Promise<FetchedPiece> {
    const { files, folder } = this.#parts;
    const content = await this.#askingIfDamaged(digest, files.readPiece(digest));
    if (content !== undefined) return { content, source: "cloud" };
    throw new MerostoreError(
      "NETWORK_ERROR",
      `${folder.path} does not have the whole piece ${toHex(digest)} yet`,
    );
  }

  /** Syncs after the current sync. Returns how many commits of the folder cannot be added yet. */
  sync(): Promise<number> {
    if (this.#closed) return Promise.resolve(0);
    this.#next ??= this.#queue.run(async () => {
      this.#next = undefined;
      clearTimeout(this.#timer);
      const start = performance.now();
      try {
        const waiting = await this.#sync();
        const isNext = this.#next !== undefined;
        this.#set(isNext || waiting > 0 ? "pending" : "idle", isNext ? "pending" : "idle");
        return waiting;
      } catch (error) {
        // A folder that is gone or full may come back; what is damaged or has another key does not mend itself.
        const state = isMerostoreError(error, "NETWORK_ERROR") ? "pending" : "error";
        this.#set(state, this.#isUploaded ? "idle" : state);
        throw error;
      } finally {
        this.#duration = Math.max(performance.now() - start, this.#duration * KEPT_DURATION);
        this.#wait();
      }
    });
    if (!this.#isSyncing) this.#set("pending", "pending");
    return this.#next;
  }

  refresh(): Promise<unknown> {
    return this.sync();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    this.#parts.onClose();
    await this.#queue.idle();
    clearTimeout(this.#timer);
  }

  async #askingIfDamaged<T>(digest: ObjectDigest, read: Promise<T>): Promise<T> {
    try {
      return await read;
    } catch (error) {
      if (isMerostoreError(error, "DATA_INTEGRITY_ERROR")) await this.#repairs.askForPiece(digest);
      throw error;
    }
  }

  /** Syncs; the state tells if it fails. */
  #request(): void {
    this.sync().catch(() => undefined);
  }

  #wait(): void {
    const { interval } = this.#parts;
    if (this.#closed || interval === 0) return;
    this.#timer = setTimeout(() => this.#request(), interval).unref();
  }

  async #sync(): Promise<number> {
    const { page, folder, keys } = this.#parts;
    if (this.#closed) return 0;
    this.#isUploaded = false;
    this.#set("in-progress", "pending");
    const wasUsed = (await page.metadata(USED)) !== undefined;
    await checkMark(folder, keys, wasUsed);
    if (!wasUsed) await page.setMetadata(USED, new Uint8Array(0));
    const { waiting, damage } = await this.#download();
    this.#set(waiting > 0 ? "pending" : "idle", "in-progress");
    const [uploaded] = await Promise.allSettled([this.#upload()]);
    this.#isUploaded = uploaded.status === "fulfilled";
    // Others wait for a file even if nothing can be uploaded from here.
    const [answered] = await Promise.allSettled([this.#repairs.answer()]);
    for (const part of [uploaded, answered]) if (part.status === "rejected") throw part.reason;
    if (damage !== undefined) throw damage;
    return waiting;
  }

  async #download(): Promise<Waiting> {
    this.#isDownloading = true;
    try {
      return await this.#downloads.run();
    } finally {
      this.#isDownloading = false;
    }
  }

  async #upload(): Promise<void> {
    const { page, files } = this.#parts;
    // Before the pieces: the pieces of commits that are made meanwhile may not be uploaded.
    const made = await page.unsyncedCommits();
    await this.#checkParents(made);
    let batch: ObjectIdentifier[] = [];
    const writeBatch = async (): Promise<void> => {
      const pieces = batch;
      batch = [];
      const contents = await Promise.all(
        pieces.map(async (identifier) => ({
          name: files.name("pieces", identifier.digest),
          content: await page.piece(identifier),
        })),
      );
      await files.write("pieces", contents);
      for (const identifier of pieces) await page.markPieceSynced(identifier);
    };
    for await (const identifier of page.unsyncedPieces()) {
      if (this.#closed) return;
      batch.push(identifier);
      if (batch.length === BATCH) await writeBatch();
    }
    if (batch.length > 0) await writeBatch();
    for (let at = 0; at < made.length && !this.#closed; at += BATCH) {
      const some = made.slice(at, at + BATCH);
      await files.write(
        "commits",
        some.map(({ id, bytes }) => ({ name: files.name("commits", id), content: bytes })),
      );
      for (const { id } of some) {
        await this.#known.add(files.name("commits", id), id);
        await page.markCommitSynced(id);
      }
    }
  }

  /**
   * Others can add a commit only after its parents: each must be in the folder, or be uploaded too. The file of a
   * parent that cannot be used is written again if the page has the parent.
   */
  async #checkParents(made: readonly CommitBytes[]): Promise<void> {
    const { page, files, folder } = this.#parts;
    const own = new Set(made.map(({ id }) => toHex(id)));
    for (const { id, bytes } of made)
      for (const parent of decodeCommit(bytes).parents) {
        if (isFirst(parent) || own.has(toHex(parent))) continue;
        const state = await files.stateOfCommit(parent);
        if (state === "whole") continue;
        const content = state === "unusable" ? await page.commit(parent) : undefined;
        if (content !== undefined) {
          await files.write("commits", [{ name: files.name("commits", parent), content }]);
          continue;
        }
        if (state === "unusable")
          throw new MerostoreError(
            "NETWORK_ERROR",
            `the commit ${toHex(id)} cannot be uploaded yet: ${folder.path} does not have its whole parent ${toHex(parent)}`,
          );
        throw new MerostoreError(
          "ILLEGAL_STATE",
          `the commit ${toHex(id)} cannot be uploaded: ${folder.path} does not have its parent ${toHex(parent)}, which is not to be uploaded from here. ` +
            'A page that goes to a folder must keep its history from its first commit on (history: "keep", or the cloud), and stay with that folder',
        );
      }
  }

  get #isSyncing(): boolean {
    return this.#state.download === "in-progress" || this.#state.upload === "in-progress";
  }

  #set(download: SyncState, upload: SyncState): void {
    const state = { download, upload };
    if (equalStates(state, this.#state)) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
