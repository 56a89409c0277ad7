/** The newest roster that a page has seen: stored as its metadata, so that no older state of the folder is taken later. */
import { concat, equalBytes, fromHex, toHex } from "merostore/internal";
import type { SyncedPage } from "../cloud.js";
import type { KnownPacks } from "../folder/known-packs.js";
import type { PagePacks } from "../folder/page-packs.js";
import type { Repairs } from "../folder/repairs.js";
import type { FolderRosters } from "./folder-rosters.js";

/** The parts that are needed. */
export interface SeenRostersParts {
  readonly rosters: FolderRosters;
  readonly page: SyncedPage;
  readonly packs: PagePacks;
  readonly known: KnownPacks;
}

const encoder = new TextEncoder();
/** Metadata: the roster that the device was told, and the newest one that was seen. */
const SEEN = encoder.encode("roster");
/** Metadata: the roster after which known packs were written again that it makes invalid. */
const VOUCHED = encoder.encode("vouched");
const ID_SIZE = 32;

export class SeenRosters {
  readonly #parts: SeenRostersParts;
  /** The roster by which packs were read. */
  #used: string | undefined;

  constructor(parts: SeenRostersParts) {
    this.#parts = parts;
  }

  /** Reads new rosters, and remembers the newest. @throws MerostoreError as {@link FolderRosters.load} */
  async load(): Promise<void> {
    const { rosters, page, packs } = this.#parts;
    const told = fromHex(rosters.pin);
    const stored = await page.metadata(SEEN);
    // The user has told the device another roster since.
    const isOf = stored !== undefined && equalBytes(stored.subarray(0, ID_SIZE), told);
    const seen = isOf ? toHex(stored.subarray(ID_SIZE)) : undefined;
    const newest = await rosters.load(seen);
    if (newest !== seen) await page.setMetadata(SEEN, concat(told, fromHex(newest)));
    if (newest !== this.#used) packs.rightsChanged();
    this.#used = newest;
  }

  /** Writes known packs again that are refused now: others who have not read them need their commits. */
  async vouch(repairs: Repairs): Promise<void> {
    const { page, packs, known, rosters } = this.#parts;
    const newest = fromHex(rosters.chain.newest.id);
    const vouched = await page.metadata(VOUCHED);
    if (vouched !== undefined && equalBytes(vouched, newest)) return;
    for (const name of await packs.names())
      if ((await known.has(name)) && (await packs.state(name)) === "unusable" && packs.isRefused(name))
        await repairs.replace(name);
    await page.setMetadata(VOUCHED, newest);
  }
}
