/** Syncs one page with a shared folder. */
import { copyBytes, isMerostoreError, MerostoreError, SerialQueue, toHex } from "merostore/internal";
import type { ObjectIdentifier } from "../../objects.js";
import { atMost, CLOSING, Timer } from "../../timer.js";
import type { CloudConnection, FetchedPiece, SyncedPage } from "../cloud.js";
import { type FolderRosters, SeenRosters } from "../devices/folder-rosters.js";
import { OwnSyncState } from "../sync-states.js";
import { Compaction } from "./compaction.js";
import { Download, type Waiting } from "./download.js";
import type { FileStore } from "./file-store.js";
import type { FolderSync } from "./folder-cloud.js";
import { type FolderPage, KnownPacks } from "./known-packs.js";
import { Losses } from "./losses.js";
import { checkMark } from "./mark.js";
import { OldFiles } from "./old-files.js";
import type { PagePacks } from "./page-packs.js";
import { Repairs } from "./repairs.js";
import type { FolderKeys, SealedFiles } from "./sealed-files.js";
import { upload } from "./upload.js";

/** The parts that a connection uses. */
export interface ConnectionParts {
  readonly page: SyncedPage;
  readonly folder: FileStore;
  readonly keys: FolderKeys;
  readonly sealed: SealedFiles;
  readonly packs: PagePacks;
  /** The rosters of a folder with devices. */
  readonly rosters: FolderRosters | undefined;
  /** Milliseconds between the end of a sync and the next one. */
  readonly interval: number;
  /** Called when the connection is closed. */
  onClose(): void;
  /** Ends the running reads of the folder. */
  endReads(): void;
}

/** The factor by which each further sync reduces the slowest duration of a sync, and the longest pause before one. */
const KEPT_DURATION = 0.8;
/** The longest pause between two syncs that counts, in milliseconds: the default of the interval. */
const MOST_PAUSE = 5000;

/** New commits are uploaded if no other comes for so many milliseconds, and after so many at the latest. */
const QUIET = 100;
const MOST_QUIET = 1000;

const encoder = new TextEncoder();
/** Metadata: this device has synced the page with a folder. */
const USED = encoder.encode("folder");

export class FolderConnection extends OwnSyncState implements CloudConnection {
  readonly #parts: ConnectionParts;
  readonly #queue = new SerialQueue();
  readonly #unsubscribe: () => void;
  readonly #shared: FolderPage;
  readonly #oldFiles: OldFiles;
  readonly #compaction: Compaction;
  readonly #downloads: Download;
  readonly #repairs: Repairs;
  readonly #losses: Losses;
  readonly #seen: SeenRosters | undefined;
  /** The sync that has not begun yet. */
  #next: Promise<FolderSync> | undefined;
  /** The next sync marks a folder without its mark. */
  #mayMark = false;
  readonly #timer = new Timer(() => this.#request());
  /** When the first of the commits came that wait for others before they are uploaded. */
  #unsentSince: number | undefined;
  /** True while new commits need no further sync: the running one uploads next. */
  #isDownloading = false;
  /** True if the running sync, or the last one, has uploaded all commits. */
  #isUploaded = false;
  /** Milliseconds of the slowest sync; earlier ones count less and less. */
  #duration = 0;
  /** When the last sync has ended. */
  #endedAt: number | undefined;
  /** Without an interval, milliseconds of the longest pause between two syncs; earlier ones count less and less. */
  #pause: number | undefined;
  #closed = false;
  /** Functions that end waits for rosters, which another page of the cloud may be reading. */
  readonly #waits = new Set<(reason: Error) => void>();

  /** Starts to sync. */
  constructor(parts: ConnectionParts) {
    super();
    this.#parts = parts;
    const { page, folder, sealed, packs, rosters } = parts;
    const shared: FolderPage = {
      ...{ page, folder, sealed, packs, known: new KnownPacks(page) },
      mayWrite: () => this.#mayWrite,
      isClosed: () => this.#closed,
    };
    this.#shared = shared;
    this.#oldFiles = new OldFiles(shared);
    this.#repairs = new Repairs(shared);
    const onDamaged = (name: string) => this.#repairs.askForPack(name);
    this.#downloads = new Download({ ...shared, onDamaged });
    this.#losses = new Losses(shared);
    this.#compaction = new Compaction(shared);
    this.#seen = rosters && new SeenRosters(rosters, shared);
    this.#unsubscribe = page.onCommits(() => {
      if (!this.#isDownloading) this.#requestWhenQuiet();
    });
    this.#request();
  }

  /** The name of the page's folder, once it is known. */
  get place(): string | undefined {
    return this.#parts.rosters?.isKnown === false ? undefined : this.#parts.sealed.folder;
  }

  get page(): SyncedPage {
    return this.#parts.page;
  }

  /**
   * Each of two devices looks within an interval. Without an interval, others are assumed to sync as often as this one.
   */
  get roundTrip(): number | undefined {
    const pause = this.#parts.interval || this.#pause;
    return pause === undefined ? undefined : 2 * (pause + this.#duration);
  }

  async fetchPiece({ digest }: ObjectIdentifier): Promise<FetchedPiece> {
    const { packs, folder, rosters } = this.#parts;
    if (rosters?.isKnown === false) await this.#loadRosters();
    let content: Uint8Array | undefined;
    try {
      content = await packs.piece(digest);
    } catch (error) {
      if (isMerostoreError(error, "DATA_INTEGRITY_ERROR")) await this.#repairs.askForPiece(digest);
      throw error;
    }
    if (content !== undefined) return { content, source: "cloud" };
    if (await packs.areUsable()) await this.#repairs.askForPiece(digest);
    throw new MerostoreError(
      "NETWORK_ERROR",
      `${folder.name} does not have the whole piece ${toHex(digest)} yet`,
    );
  }

  /** Syncs after the current sync. */
  sync(mayMark = false): Promise<FolderSync> {
    if (this.#closed) return Promise.resolve({ waiting: 0 });
    this.#mayMark ||= mayMark;
    this.#next ??= this.#queue.run(async () => {
      this.#next = undefined;
      this.#timer.stop();
      this.#unsentSince = undefined;
      const start = performance.now();
      this.#measurePause(start);
      try {
        const synced = await this.#sync();
        const { waiting, unsent } = synced;
        const isNext = this.#next !== undefined || this.#unsentSince !== undefined;
        this.setState(
          isNext || waiting > 0 ? "pending" : "idle",
          isNext || unsent !== undefined ? "pending" : "idle",
        );
        return synced;
      } catch (error) {
        // A missing or full folder may recover. Damage and a wrong key do not.
        const state = isMerostoreError(error, "NETWORK_ERROR") ? "pending" : "error";
        this.setState(state, this.#isUploaded ? "idle" : state);
        throw error;
      } finally {
        this.#endedAt = performance.now();
        this.#duration = Math.max(this.#endedAt - start, this.#duration * KEPT_DURATION);
        this.#wait();
      }
    });
    if (!this.#isSyncing) this.setState("pending", "pending");
    return this.#next;
  }

  refresh(): Promise<unknown> {
    return this.sync();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    this.#parts.onClose();
    const idle = this.#queue.idle();
    await atMost(CLOSING, idle);
    this.#parts.endReads();
    for (const end of this.#waits) end(new MerostoreError("NETWORK_ERROR", "the page was closed"));
    await idle;
    this.#timer.stop();
  }

  /** Syncs. The state shows a failure. */
  #request(): void {
    this.sync().catch(() => undefined);
  }

  /** Requests a sync after the last of some commits, so that commits in a row are in one pack. */
  #requestWhenQuiet(): void {
    const now = performance.now();
    this.#unsentSince ??= now;
    const most = this.#unsentSince + MOST_QUIET - now;
    this.#timer.start(Math.max(0, Math.min(QUIET, most)), true);
    if (!this.#isSyncing) this.setState("pending", "pending");
  }

  #measurePause(now: number): void {
    if (this.#endedAt === undefined) return;
    const pause = Math.min(now - this.#endedAt, MOST_PAUSE);
    this.#pause = Math.max(pause, (this.#pause ?? 0) * KEPT_DURATION);
  }

  #wait(): void {
    const { interval } = this.#parts;
    if (this.#closed || interval === 0 || this.#unsentSince !== undefined) return;
    this.#timer.start(interval);
  }

  async #sync(): Promise<FolderSync> {
    const { page, folder, keys } = this.#parts;
    if (this.#closed) return { waiting: 0 };
    this.#isUploaded = false;
    this.setState("in-progress", "pending");
    const wasUsed = (await page.metadata(USED)) !== undefined;
    await checkMark(folder, keys, wasUsed && !this.#mayMark);
    this.#mayMark = false;
    if (!wasUsed) await page.setMetadata(USED, new Uint8Array(0));
    await this.#loadRosters();
    if (this.#seen === undefined) await this.#oldFiles.convert();
    const { waiting, damage, ...refusals } = await this.#download();
    this.setState(waiting > 0 ? "pending" : "idle", "in-progress");
    // Waiting packs may have the missing commits. A page that was never here has lost nothing.
    const mayLack = this.#mayWrite && wasUsed && (waiting === 0 || damage !== undefined);
    const restored = mayLack ? await this.#losses.restore() : 0;
    if (this.#mayWrite) await this.#seen?.vouch(this.#repairs);
    const [uploaded] = await Promise.allSettled([upload(this.#shared, this.#repairs)]);
    this.#isUploaded = uploaded.status === "fulfilled";
    // Other devices may wait for a file even if this one cannot upload.
    const [answered] = await Promise.allSettled([this.#repairs.answer()]);
    const { isAnything, unsent } =
      uploaded.status === "fulfilled" ? uploaded.value : { isAnything: false, unsent: 0 };
    const [compacted] = await Promise.allSettled([
      this.#closed || !this.#mayWrite ? undefined : this.#compaction.run(isAnything),
    ]);
    for (const part of [uploaded, answered, compacted]) if (part.status === "rejected") throw part.reason;
    // A device that may only read uploads its commits once it may write.
    if (this.#mayWrite && (waiting === 0 || damage !== undefined)) await this.#losses.remember();
    if (damage !== undefined) throw damage;
    if (waiting === 0 && unsent === 0 && !this.#closed) await page.syncEnded(folder.name);
    const { ledger, id } = page;
    return {
      waiting,
      ...(restored > 0 && { restored }),
      ...refusals,
      ...(unsent > 0 && { unsent: [{ ledger, id: copyBytes(id), commits: unsent, reason: "read-only" }] }),
    };
  }

  async #loadRosters(): Promise<void> {
    if (this.#seen === undefined) return;
    let end: (reason: Error) => void = () => undefined;
    const ended = new Promise<never>((_, reject) => {
      end = reject;
    });
    this.#waits.add(end);
    await Promise.race([this.#seen.load(), ended]).finally(() => this.#waits.delete(end));
  }

  async #download(): Promise<Waiting> {
    this.#isDownloading = true;
    try {
      return await this.#downloads.run();
    } finally {
      this.#isDownloading = false;
    }
  }

  get #mayWrite(): boolean {
    return this.#parts.rosters?.mayWrite ?? true;
  }

  get #isSyncing(): boolean {
    return this.state.download === "in-progress" || this.state.upload === "in-progress";
  }
}
