/** The packs of one page in a shared folder. */
import { LruCache, MerostoreError, toHex } from "merostore/internal";
import { digestFits, type ObjectDigest, sha256WithLength } from "../../objects.js";
import type { CommitBytes } from "../cloud.js";
import { type FileStore, placeOf, type ReadFile, readAny } from "./file-store.js";
import {
  HEADER_SIZE,
  openBlock,
  openIndex,
  type PackBlock,
  type PackContent,
  type PackedPiece,
  type PackIndex,
  type PackProof,
  packBytes,
  readHeader,
  readProof,
} from "./pack-format.js";
import { FILE_NAME, type FolderKeys, type SealedFiles } from "./sealed-files.js";

/** A pack whose index was read. */
export interface OpenPack extends PackIndex {
  readonly name: string;
  readonly version: string;
  readonly size: number;
  /** The first bytes of the file. */
  readonly start: Uint8Array;
}

/** The commits and pieces of a pack. */
export interface PackRecords {
  readonly commits: readonly CommitBytes[];
  readonly pieces: readonly PackedPiece[];
}

/** An unusable part of a pack, and when it was first seen unusable. */
interface UnusablePart {
  readonly version: string;
  readonly since: number;
  readonly state: UnusableState;
}

/** A refused pack is whole, but its device had no right to write it. */
type UnusableState = "incomplete" | "damaged" | "refused";

/** The folder of packs within the folder of the page. */
const PACKS = "packs";
/** The bytes that are read first of every pack: usually its index and its commits. */
const START = 1 << 14;
/** The most unusable parts that are remembered. Others count as copies under way, and are read again. */
const MOST_UNUSABLE = 1024;
const NOTHING = new Uint8Array(0);
/** Bytes of blocks that are kept. */
const KEPT_BYTES = 16 << 20;

export class PagePacks {
  readonly #folder: FileStore;
  readonly #sealed: SealedFiles;
  /** Milliseconds that a file may be incomplete before it counts as damaged. */
  readonly #patience: number;
  /**
   * The unusable parts by the name of the pack and the number of the block. They are read again only after they change.
   */
  readonly #unusable = new Map<string, UnusablePart>();
  /** Packs whose pieces were searched. */
  readonly #open = new Map<string, OpenPack>();
  readonly #blocks = new LruCache<readonly Uint8Array[]>(KEPT_BYTES);

  constructor(folder: FileStore, sealed: SealedFiles, patience: number) {
    this.#folder = folder;
    this.#sealed = sealed;
    this.#patience = patience;
  }

  /** The names of packs. Files with other names, such as the temporary files of copying programs, are ignored. */
  async names(): Promise<string[]> {
    const names = (await this.#folder.list(`${this.#sealed.folder}/${PACKS}`)).filter((name) =>
      FILE_NAME.test(name),
    );
    const present = new Set(names);
    for (const name of this.#open.keys()) if (!present.has(name)) this.#open.delete(name);
    return names;
  }

  /**
   * Reads the index of a pack.
   *
   * @returns undefined if the file is missing, or if it is incomplete or damaged and a program may still be copying it
   * @throws MerostoreError DATA_INTEGRITY_ERROR if it is unusable and has not changed for a while; NETWORK_ERROR
   */
  async open(name: string): Promise<OpenPack | undefined> {
    const file = await this.#read(name, name, START);
    if (file === undefined) return undefined;
    const header = readHeader(this.#sealed, file.bytes, file.size);
    if (header.state !== "whole") return this.#note(name, file.version, header.state);
    const end = HEADER_SIZE + header.indexSize;
    let start = file.bytes;
    if (end > start.length) {
      const more = await readAny(this.#folder, this.#path(name), end);
      if (more === undefined || more.version !== file.version) return undefined;
      start = more.bytes;
    }
    const index = await openIndex(this.#sealed, name, start.subarray(0, end), file.size);
    // The pack was written with a newer roster, which is still to come.
    if (index === "early") return undefined;
    if (index === "damaged" || index === "refused") return this.#note(name, file.version, index);
    return { ...index, name, version: file.version, size: file.size, start };
  }

  /**
   * Reads the commits of a pack, as {@link PagePacks.open} reads its index. If they are whole, the index stays in
   * memory.
   */
  async commits(pack: OpenPack): Promise<CommitBytes[] | undefined> {
    const commits = await this.#recordsOf(pack, "commits", (bytes) => ({
      id: sha256WithLength(bytes),
      bytes,
    }));
    if (commits !== undefined) this.#keep(pack);
    return commits;
  }

  /** Reads all of a pack. Undefined if a part of it is missing or unusable. */
  async records(pack: OpenPack): Promise<PackRecords | undefined> {
    const commits = await this.commits(pack);
    const pieces = await this.#recordsOf(pack, "pieces", (content) => ({
      hash: sha256WithLength(content),
      content,
    }));
    const isRight = ({ hash }: PackedPiece): boolean => pack.table.find(hash).length > 0;
    return commits !== undefined && pieces?.every(isRight) ? { commits, pieces } : undefined;
  }

  /** Returns whether the index of a pack can be read now. */
  async state(name: string): Promise<"whole" | "missing" | "unusable"> {
    const found = await readAny(this.#folder, this.#path(name), START);
    if (found === undefined) return "missing";
    const known = this.#open.get(name);
    if (known?.version === found.version) return "whole";
    this.#open.delete(name);
    this.#unusable.delete(name);
    const opened = await this.open(name);
    if (opened === undefined) return "unusable";
    this.#keep(opened);
    return "whole";
  }

  /**
   * Reads a piece. The indexes of all packs are read when the first piece is.
   *
   * @returns undefined if no usable pack has it
   * @throws MerostoreError DATA_INTEGRITY_ERROR if one that has it, or may have it, is damaged; NETWORK_ERROR
   */
  async piece(digest: ObjectDigest): Promise<Uint8Array | undefined> {
    let damage: unknown;
    const search = async (packs: Iterable<OpenPack>): Promise<Uint8Array | undefined> => {
      for (const pack of packs)
        for (const { block, record } of pack.table.find(digest.subarray(1)))
          try {
            const content = (await this.#block(pack, block, pack.blocks[block] as PackBlock))?.[record];
            if (content !== undefined && digestFits(digest, content)) return content;
          } catch (error) {
            damage ??= error;
          }
      return undefined;
    };
    const found = await search([...this.#open.values()]);
    if (found !== undefined) return found;
    for (const name of await this.names()) {
      if (this.#open.has(name)) continue;
      try {
        const pack = await this.opened(name);
        const content = pack && (await search([pack]));
        if (content !== undefined) return content;
      } catch (error) {
        damage ??= error;
      }
    }
    if (damage !== undefined) throw damage;
    return undefined;
  }

  /** Returns whether the indexes of all packs are usable. If so, a piece that is not in them is in no pack. */
  async areUsable(): Promise<boolean> {
    return (await this.names()).every((name) => this.#open.has(name) || this.isRefused(name));
  }

  /** Returns a function that returns whether a usable pack, other than the given one, has a piece. */
  async finder(except?: string): Promise<(hash: Uint8Array) => boolean> {
    const found: OpenPack[] = [];
    for (const name of await this.names()) {
      const pack = name === except ? undefined : await this.opened(name).catch(() => undefined);
      if (pack !== undefined) found.push(pack);
    }
    return (hash) => found.some(({ table }) => table.find(hash).length > 0);
  }

  /** {@link PagePacks.open}; the index stays in memory. */
  async opened(name: string): Promise<OpenPack | undefined> {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const found = await this.open(name);
    return found && this.#keep(found);
  }

  /** Returns whether a pack was refused when it was read last. */
  isRefused(name: string): boolean {
    return this.#unusable.get(name)?.state === "refused";
  }

  /** Forgets which packs are valid, as the rights of devices have changed. */
  rightsChanged(): void {
    this.#open.clear();
    for (const [name, { state }] of this.#unusable) if (state === "refused") this.#unusable.delete(name);
  }

  /** Writes a pack, and returns its name when it is on disk. */
  async write(content: PackContent): Promise<string> {
    const name = toHex(crypto.getRandomValues(new Uint8Array(20)));
    await this.#folder.write(this.#path(name), await packBytes(this.#sealed, name, content));
    return name;
  }

  /**
   * Reads a pack back that was written.
   * @throws MerostoreError NETWORK_ERROR if it is not whole
   */
  async checkWritten(name: string): Promise<void> {
    const pack = await this.open(name);
    if (pack !== undefined && (await this.records(pack)) !== undefined) return;
    const path = placeOf(this.#folder, this.#path(name));
    throw new MerostoreError("NETWORK_ERROR", `${path} was written, and is not whole`);
  }

  /** Removes a pack. */
  async remove(name: string): Promise<void> {
    this.#open.delete(name);
    await this.#folder.remove(this.#path(name));
  }

  /** Keeps the index of a pack, without the bytes of the file. */
  #keep(pack: OpenPack): OpenPack {
    const kept = { ...pack, start: NOTHING };
    this.#open.set(pack.name, kept);
    return kept;
  }

  /** Reads the records of one kind. Undefined if a part of them is missing or unusable. */
  async #recordsOf<T>(
    pack: OpenPack,
    kind: PackBlock["kind"],
    make: (bytes: Uint8Array) => T,
  ): Promise<T[] | undefined> {
    const made: T[] = [];
    for (const [number, block] of pack.blocks.entries()) {
      const records = block.kind === kind ? await this.#block(pack, number, block) : [];
      if (records === undefined) return undefined;
      for (const bytes of records) made.push(make(bytes));
    }
    return made;
  }

  /** Reads a block. Undefined if the file has changed, or if the block is damaged and may be a copy under way. */
  async #block(pack: OpenPack, number: number, block: PackBlock): Promise<readonly Uint8Array[] | undefined> {
    const part = `${pack.name}/${number}`;
    const kept = this.#blocks.get(part);
    if (kept !== undefined) return kept;
    let body = pack.start.subarray(block.at, block.at + block.size);
    if (body.length < block.size) {
      const file = await this.#read(part, pack.name, block.size, block.at);
      if (file === undefined) return undefined;
      if (file.version !== pack.version) {
        this.#open.delete(pack.name);
        return undefined;
      }
      body = file.bytes.subarray(0, block.size);
    } else if (this.#unusable.get(part)?.version === pack.version)
      return this.#stillUnusable(part, pack.name);
    const records = await openBlock(this.#sealed, pack.name, number, block, body, pack.epoch);
    if (records === undefined) return this.#note(part, pack.version, "damaged");
    if (block.kind === "pieces") this.#blocks.set(part, records, block.raw);
    return records;
  }

  /** Reads a part of a file that may have been unusable before. */
  async #read(part: string, name: string, most: number, from?: number): Promise<ReadFile | undefined> {
    const known = this.#unusable.get(part);
    const found = await this.#folder.read(this.#path(name), most, known?.version, from);
    if (found !== "unchanged") {
      this.#unusable.delete(part);
      return found;
    }
    return this.#stillUnusable(part, name);
  }

  /** @throws MerostoreError DATA_INTEGRITY_ERROR for a part that has been unusable for a while */
  #stillUnusable(part: string, name: string): undefined {
    const { since, state } = this.#unusable.get(part) as UnusablePart;
    if (state === "refused" || performance.now() - since < this.#patience) return undefined;
    throw new MerostoreError(
      "DATA_INTEGRITY_ERROR",
      `the file ${placeOf(this.#folder, this.#path(name))} is ${state}, and does not change: another device that has its content writes it again when it syncs, or copy it from another copy of the folder`,
    );
  }

  #note(part: string, version: string, state: UnusableState): undefined {
    if (this.#unusable.size < MOST_UNUSABLE)
      this.#unusable.set(part, { version, since: performance.now(), state });
    return undefined;
  }

  #path(name: string): string {
    return `${this.#sealed.folder}/${PACKS}/${name}`;
  }
}

/** Yields the proofs of the packs of a page. Those that are incomplete or damaged are left out. */
export async function* packProofs(
  folder: FileStore,
  keys: FolderKeys,
  page: string,
): AsyncGenerator<PackProof, void, undefined> {
  for (const name of await folder.list(`${page}/${PACKS}`)) {
    const path = `${page}/${PACKS}/${name}`;
    const file = FILE_NAME.test(name) ? await readAny(folder, path, START) : undefined;
    const header = file && readHeader(keys, file.bytes, file.size);
    if (file === undefined || header?.state !== "whole") continue;
    const end = HEADER_SIZE + header.indexSize;
    const start = end > file.bytes.length ? (await readAny(folder, path, end))?.bytes : file.bytes;
    if (start !== undefined && start.length >= end) yield readProof(path, start.subarray(0, end));
  }
}
