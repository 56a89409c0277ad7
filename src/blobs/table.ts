/** All rows of blobs, read once, with the links between them. */

import { fromHex, toHex } from "../bytes/hex.js";
import { append } from "../collections/lists.js";
import { MerostoreError } from "../errors.js";
import { checkArgument, isReader } from "../options.js";
import { Pause } from "../pause.js";
import type { Schema } from "../schemas/index.js";
import type { StoreReader } from "../store/browser.js";

/** The most rows and links: about a gigabyte of memory, and terabytes of blobs. */
const MOST = 4_000_000;

/** The row of a blob or chunk. Ids are 64 hex digits. */
export interface BlobRow {
  /** Bytes of the content. */
  readonly size: bigint;
  /** SHA-256 of the content, 64 hex digits. */
  readonly hash: string;
  /** Ids of the parts, in order; none for a chunk and for an empty blob. */
  readonly links: readonly string[];
  /** The number of additions; undefined before core-0.11. */
  readonly refs: number | undefined;
}

/** The rows of all blobs and chunks of a database. */
export class BlobTable {
  /** The rows that decode, by id, in the order of the ids. */
  readonly rows: ReadonlyMap<string, BlobRow>;
  /** Ids of rows that do not decode. */
  readonly unreadable: ReadonlySet<string>;
  /** Ids of the blobs that link to an id, each once. */
  readonly #parents = new Map<string, string[]>();
  /** References that the blobs above an id need. */
  readonly #needed = new Map<string, number>();

  constructor(rows: ReadonlyMap<string, BlobRow>, unreadable: ReadonlySet<string>) {
    this.rows = rows;
    this.unreadable = unreadable;
    for (const [id, row] of rows)
      for (const [link, times] of occurrences(row.links)) {
        append(this.#parents, link, id);
        this.#needed.set(link, this.neededBy(link) + additionsOf(row) * times);
      }
  }

  /** The blobs that have a blob or chunk as a part. */
  parentsOf(id: string): readonly string[] {
    return this.#parents.get(id) ?? [];
  }

  /**
   * The references that the blobs above a part need: for each blob, its number of additions times its links to the
   * part.
   */
  neededBy(id: string): number {
    return this.#needed.get(id) ?? 0;
  }

  /** Returns whether a row belongs to a chunk: it has content, and no parts. */
  isChunk(id: string): boolean {
    const row = this.rows.get(id);
    return row !== undefined && row.links.length === 0 && row.size > 0n;
  }

  /** The ids of blobs that no other blob links: the list of a node. Chunks without a blob are not among them. */
  roots(): readonly string[] {
    return [...this.rows.keys()].filter((id) => !this.isChunk(id) && this.parentsOf(id).length === 0);
  }

  /**
   * The references that a row should count, at least 1: for each blob that has it, the blob's number of additions times
   * its links. For a blob that no other blob links, the number in its row. Undefined before core-0.11.
   */
  expectedRefs(id: string): number | undefined {
    const row = this.rows.get(id);
    if (row?.refs === undefined) return undefined;
    // The count of a chunk that belongs to no blob is the number of times it was added.
    if (this.parentsOf(id).length === 0) return Math.max(1, row.refs);
    return Math.min(this.neededBy(id), 2 ** 32 - 1);
  }
}

/** The number of additions of a blob for the counts of its parts: at least 1, and 1 if nothing is counted. */
export function additionsOf({ refs = 1 }: BlobRow): number {
  return Math.max(1, refs);
}

/** The number of times that each id is among links. */
export function occurrences(links: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const link of links) times.set(link, (times.get(link) ?? 0) + 1);
  return times;
}

/**
 * Reads all rows of blobs.
 *
 * @throws MerostoreError `ROW_TOO_LARGE` if rows and links are more than four million
 */
export async function readBlobTable(reader: StoreReader<Schema>): Promise<BlobTable> {
  checkArgument("readBlobTable", reader, isReader);
  const rows = new Map<string, BlobRow>();
  const unreadable = new Set<string>();
  if (reader.columns.includes("Blobs")) {
    const pause = new Pause();
    const codec = reader.schema.row("BlobMeta").value;
    let parts = 0;
    for await (const chunk of reader.raw.scan("Blobs").chunks()) {
      for (const { key, value } of chunk) {
        parts += 1 + value.length / 32;
        if (parts > MOST)
          throw new MerostoreError(
            "ROW_TOO_LARGE",
            `there are more than ${MOST} blobs and links between them`,
          );
        const row = key.length === 32 ? decoded(codec, value) : undefined;
        if (row === undefined) unreadable.add(toHex(key));
        else rows.set(toHex(key), row);
      }
      await pause.ifLong();
    }
  }
  return new BlobTable(rows, unreadable);
}

interface BlobCodec {
  decode(bytes: Uint8Array): unknown;
}

function decoded(codec: BlobCodec, bytes: Uint8Array): BlobRow | undefined {
  try {
    const value = codec.decode(bytes) as {
      readonly size: bigint;
      readonly hash: Uint8Array;
      readonly links: readonly Uint8Array[];
      readonly refs?: number;
    };
    return { size: value.size, hash: toHex(value.hash), links: value.links.map(toHex), refs: value.refs };
  } catch {
    return undefined;
  }
}

/** The bytes of a row, for a write. */
export function encodedRow(schema: Schema, { size, hash, links, refs }: BlobRow): Uint8Array {
  const value = { size, hash: fromHex(hash), links: links.map(fromHex) };
  const { value: codec } = schema.row("BlobMeta");
  return codec.encode((refs === undefined ? value : { ...value, refs }) as never);
}
