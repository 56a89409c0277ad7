/** Syncs one page with a shared folder. */
import { toHex } from "../../../bytes/hex.js";
import { SerialQueue } from "../../../collections/serial-queue.js";
import { isMerostoreError, MerostoreError } from "../../../errors.js";
import { guarded } from "../../callbacks/listeners.js";
import { sha256WithLength } from "../../objects/digest.js";
import type { ObjectIdentifier } from "../../objects/identifier.js";
import { byGeneration, isFirst } from "../../storage/commit.js";
import { decodeCommit } from "../../tables/commit-table.js";
import type { CloudConnection, CommitBytes, FetchedPiece, SyncedPage } from "../cloud.js";
import { equalStates, IDLE, type SyncState, type SyncStates } from "../sync-states.js";
import { checkMark } from "./mark.js";
import type { PageFiles } from "./page-files.js";
import type { FolderKeys } from "./sealed-files.js";
import type { SharedFolder } from "./shared-folder.js";

/** What a connection uses. */
export interface ConnectionParts {
  readonly page: SyncedPage;
  readonly folder: SharedFolder;
  readonly keys: FolderKeys;
  readonly files: PageFiles;
  /** Milliseconds between the end of a sync and the next one. */
  readonly interval: number;
  /** Called when the connection is closed. */
  onClose(): void;
}

/** A commit of the folder, and the name of its file. */
interface FolderCommit extends CommitBytes {
  readonly name: string;
  readonly generation: bigint;
}

/** Commits that could not be added, and why if something is damaged. */
interface Waiting {
  readonly waiting: number;
  readonly damage?: unknown;
}

/** Pieces that are written before they are marked as uploaded. */
const BATCH = 64;

const encoder = new TextEncoder();
/** Metadata: this device has synced the page with a folder. */
const USED = encoder.encode("folder");

export class FolderConnection implements CloudConnection {
  readonly #parts: ConnectionParts;
  readonly #queue = new SerialQueue();
  readonly #listeners = new Set<() => void>();
  readonly #unsubscribe: () => void;
  /** The names of the files of commits that the page has. */
  readonly #known = new Set<string>();
  #state = IDLE;
  /** The sync that has not begun yet. */
  #next: Promise<number> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** New commits need no other sync: this one uploads next. */
  #isDownloading = false;
  /** Whether the sync under way, or the last one, has uploaded all. */
  #isUploaded = false;
  #closed = false;

  /** Starts to sync. */
  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.page.onCommits(() => {
      if (!this.#isDownloading) this.#request();
    });
    this.#request();
  }

  get state(): SyncStates {
    return this.#state;
  }

  onState(listener: () => void): () => void {
    const guardedListener = guarded("the state of syncing", listener);
    this.#listeners.add(guardedListener);
    return () => this.#listeners.delete(guardedListener);
  }

  async fetchPiece({ digest }: ObjectIdentifier): Promise<FetchedPiece> {
    const { files, folder } = this.#parts;
    const name = files.name("pieces", digest);
    const content = await files.read("pieces", name);
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
        this.#wait();
      }
    });
    if (!this.#isSyncing) this.#set("pending", "pending");
    return this.#next;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    this.#parts.onClose();
    await this.#queue.idle();
    clearTimeout(this.#timer);
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
    await this.#upload();
    this.#isUploaded = true;
    if (damage !== undefined) throw damage;
    return waiting;
  }

  async #download(): Promise<Waiting> {
    this.#isDownloading = true;
    try {
      const read = await this.#readUnknown();
      const added = await this.#add(read.fresh.sort(byGeneration));
      return { waiting: read.waiting + added.waiting, damage: read.damage ?? added.damage };
    } finally {
      this.#isDownloading = false;
    }
  }

  /** Reads the commits in the folder that the page does not have. */
  async #readUnknown(): Promise<Waiting & { readonly fresh: FolderCommit[] }> {
    const fresh: FolderCommit[] = [];
    let waiting = 0;
    let damage: unknown;
    for (const name of await this.#unknown())
      try {
        const commit = await this.#read(name);
        if (commit === undefined) waiting++;
        else fresh.push(commit);
      } catch (error) {
        const isOne = isMerostoreError(error, "NETWORK_ERROR");
        if (!isOne && !isMerostoreError(error, "DATA_INTEGRITY_ERROR")) throw error;
        // One file that cannot be read must not stop the others; a folder that is gone must.
        if (isOne) await this.#parts.folder.checkIsThere();
        damage ??= error;
        waiting++;
      }
    return { fresh, waiting, damage };
  }

  /** The names of commits in the folder that the page does not have. */
  async #unknown(): Promise<string[]> {
    const { page, files } = this.#parts;
    const unknown: string[] = [];
    for (const name of await files.commits()) {
      if (this.#known.has(name)) continue;
      if ((await page.metadata(encoder.encode(name))) === undefined) unknown.push(name);
      else this.#known.add(name);
    }
    return unknown;
  }

  async #read(name: string): Promise<FolderCommit | undefined> {
    const { files } = this.#parts;
    const bytes = await files.read("commits", name);
    if (bytes === undefined) return undefined;
    const id = sha256WithLength(bytes);
    if (files.name("commits", id) !== name)
      throw new MerostoreError("DATA_INTEGRITY_ERROR", `the commit in the file ${name} has another id`);
    return { name, id, bytes, generation: decodeCommit(bytes).generation };
  }

  /** Adds commits, parents first: all at once, or, if that fails because of one, both halves apart. */
  async #add(commits: readonly FolderCommit[]): Promise<Waiting> {
    if (commits.length === 0 || this.#closed) return { waiting: 0 };
    try {
      await this.#parts.page.addCommits(commits, "cloud");
    } catch (error) {
      const isDamage = isMerostoreError(error, "DATA_INTEGRITY_ERROR");
      const isMissing =
        isMerostoreError(error, "NETWORK_ERROR") || isMerostoreError(error, "COMMIT_NOT_FOUND");
      if (!isDamage && !isMissing) throw error;
      if (commits.length === 1) return { waiting: 1, ...(isDamage && { damage: error }) };
      const half = commits.length >> 1;
      const first = await this.#add(commits.slice(0, half));
      const second = await this.#add(commits.slice(half));
      return { waiting: first.waiting + second.waiting, damage: first.damage ?? second.damage };
    }
    for (const { name } of commits) await this.#remember(name);
    return { waiting: 0 };
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
        pieces.map(async (identifier) => ({ id: identifier.digest, content: await page.piece(identifier) })),
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
        some.map(({ id, bytes }) => ({ id, content: bytes })),
      );
      for (const { id } of some) {
        await this.#remember(files.name("commits", id));
        await page.markCommitSynced(id);
      }
    }
  }

  /** Others can add a commit only after its parents: each must be in the folder, or be uploaded too. */
  async #checkParents(made: readonly CommitBytes[]): Promise<void> {
    const { files, folder } = this.#parts;
    const own = new Set(made.map(({ id }) => toHex(id)));
    for (const { id, bytes } of made)
      for (const parent of decodeCommit(bytes).parents) {
        if (isFirst(parent) || own.has(toHex(parent)) || (await files.hasCommit(parent))) continue;
        throw new MerostoreError(
          "ILLEGAL_STATE",
          `the commit ${toHex(id)} cannot be uploaded: ${folder.path} does not have its parent ${toHex(parent)}, which is not to be uploaded from here. ` +
            'A page that goes to a folder must keep its history from its first commit on (history: "keep", or the cloud), and stay with that folder',
        );
      }
  }

  async #remember(name: string): Promise<void> {
    this.#known.add(name);
    await this.#parts.page.setMetadata(encoder.encode(name), new Uint8Array(0));
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
