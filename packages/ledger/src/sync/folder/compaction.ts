/**
 * Keeps the number of packs small. Several packs become one, which names the packs that it replaces. A later sync
 * removes the replaced packs, once it has read the new one back from the folder and found all their records in it. If a
 * device or a drive fails in between, all records remain, some of them twice.
 */
import { toHex, undefinedIf } from "merostore/internal";
import type { CommitBytes } from "../cloud.js";
import { type FolderPage, PackWriter } from "./known-packs.js";
import { MOST_PACKED, MOST_RECORDS, MOST_REPLACED, type PackedPiece } from "./pack-format.js";
import type { OpenPack, PackRecords } from "./page-packs.js";

/** Up to this number, the packs of a page stay as they are. */
export const MOST_PACKS = 24;
/**
 * A pack joins smaller packs if it is at most this many times as large as all of them together, so a record seldom
 * moves.
 */
const GROWTH = 2;
/** The fewest packs that become one. */
const FEWEST = 8;

export class Compaction {
  readonly #parts: FolderPage;

  constructor(parts: FolderPage) {
    this.#parts = parts;
  }

  /**
   * Removes replaced packs, or joins some packs.
   * @param mayJoin false for a device that only reads: another one joins them
   */
  async run(mayJoin: boolean): Promise<void> {
    const { packs: all, known } = this.#parts;
    const names = await all.names();
    if (names.length <= MOST_PACKS) return;
    const packs: OpenPack[] = [];
    for (const name of names) {
      const pack = (await known.has(name)) ? await usable(all.opened(name)) : undefined;
      if (pack !== undefined) packs.push(pack);
    }
    if ((await this.#removeReplaced(packs)) || !mayJoin) return;
    const chosen = smallest(packs);
    if (chosen.length >= FEWEST) await this.#join(chosen);
  }

  /** Removes the packs that other packs replace. Returns whether there were any. */
  async #removeReplaced(packs: readonly OpenPack[]): Promise<boolean> {
    let isAny = false;
    const removed = new Set<string>();
    for (const pack of packs) {
      if (pack.replaces.length === 0) continue;
      const replaced = packs.filter(({ name }) => pack.replaces.includes(name) && !removed.has(name));
      // Of two packs that name each other, one must stay.
      if (replaced.length === 0 || removed.has(pack.name)) continue;
      const has = await this.#records(pack);
      if (has === undefined) continue;
      const ids = new Set(has.commits.map(({ id }) => toHex(id)));
      const hashes = new Set(has.pieces.map(({ hash }) => toHex(hash)));
      for (const one of replaced) {
        const records = await this.#records(one);
        const isCopied =
          records?.commits.every(({ id }) => ids.has(toHex(id))) &&
          records.pieces.every(({ hash }) => hashes.has(toHex(hash)));
        if (!isCopied) continue;
        await this.#parts.packs.remove(one.name);
        removed.add(one.name);
        isAny = true;
      }
    }
    return isAny;
  }

  /** Writes the records of packs as one. */
  async #join(packs: readonly OpenPack[]): Promise<void> {
    const commits = new Map<string, CommitBytes>();
    const pieces = new Map<string, PackedPiece>();
    const replaces: string[] = [];
    for (const pack of packs) {
      const records = await this.#records(pack);
      if (records === undefined) continue;
      replaces.push(pack.name);
      for (const commit of records.commits) commits.set(toHex(commit.id), commit);
      for (const piece of records.pieces) pieces.set(toHex(piece.hash), piece);
    }
    if (replaces.length < 2) return;
    const writer = new PackWriter(this.#parts);
    for (const piece of pieces.values()) await writer.addPiece(piece);
    for (const commit of commits.values()) await writer.addCommit(commit);
    await writer.end(replaces);
  }

  #records(pack: OpenPack): Promise<PackRecords | undefined> {
    return usable(this.#parts.packs.records(pack));
  }
}

/** The smallest packs, up to a pack that is much larger than all before it, or that makes the new pack too large. */
function smallest(packs: readonly OpenPack[]): readonly OpenPack[] {
  const sized = packs
    .map((pack) => ({
      pack,
      bytes: pack.blocks.reduce((sum, { raw }) => sum + raw, 0),
      records: pack.blocks.reduce((sum, { lengths }) => sum + lengths.length, 0),
    }))
    .sort((a, b) => a.bytes - b.bytes);
  const chosen: OpenPack[] = [];
  let [bytes, records] = [0, 0];
  for (const one of sized) {
    if (chosen.length >= FEWEST && one.bytes > GROWTH * bytes) break;
    bytes += one.bytes;
    records += one.records;
    if (bytes > MOST_PACKED || records >= MOST_RECORDS || chosen.length === MOST_REPLACED) break;
    chosen.push(one.pack);
  }
  return chosen;
}

/** Undefined for a damaged or unreachable pack, which is then neither replaced nor removed. */
function usable<T>(work: Promise<T | undefined>): Promise<T | undefined> {
  return undefinedIf(work, "DATA_INTEGRITY_ERROR", "NETWORK_ERROR");
}
