/**
 * The search index of a context, since core-1.0: the chunks of its files, and the changes that it does not have yet.
 */
import { blob, greedy } from "buffer-layout";
import { fromHex, toHex } from "../bytes/hex.js";
import { equalBytes } from "../bytes/order.js";
import { Column } from "../columns/index.js";
import { orUndefined } from "../errors.js";
import { keyParts } from "./key-parts.js";
import { type Part, partsOf } from "./part.js";
import { contextId, sequence } from "./parts.js";

/** A chunk of a file of a search index. */
export interface IndexFile {
  /** The name of the index: at most 255 bytes of UTF-8. */
  readonly index: string;
  /** The name of the file: at most 65,535 bytes of UTF-8. */
  readonly file: string;
  /** The number of the chunk, from 0; {@link INDEX_FILE_LENGTH} for the row with the length of the file. */
  readonly chunk: number;
}

/** The number of the chunk whose row has the length of the file. */
export const INDEX_FILE_LENGTH = 0xffff_ffff;

/** Bytes of the two lengths and of the number of the chunk. */
const FRAME = 1 + 2 + 4;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function encode({ index, file, chunk }: IndexFile): Uint8Array {
  const [first, second] = [encoder.encode(index), encoder.encode(file)];
  const bytes = new Uint8Array(FRAME + first.length + second.length);
  const view = new DataView(bytes.buffer);
  bytes[0] = first.length;
  bytes.set(first, 1);
  view.setUint16(1 + first.length, second.length);
  bytes.set(second, 3 + first.length);
  view.setUint32(bytes.length - 4, chunk);
  return bytes;
}

/** The chunk that bytes name; undefined for other bytes. */
function decode(bytes: Uint8Array): IndexFile | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const first = bytes[0] ?? 0;
  if (bytes.length < FRAME + first || bytes.length !== FRAME + first + view.getUint16(1 + first))
    return undefined;
  return orUndefined(() => ({
    index: decoder.decode(bytes.subarray(1, 1 + first)),
    file: decoder.decode(bytes.subarray(3 + first, bytes.length - 4)),
    chunk: view.getUint32(bytes.length - 4),
  }));
}

/** `index/file#chunk`. */
function textOf({ index, file, chunk }: IndexFile): string {
  return `${index}/${file}#${chunk}`;
}

function fromText(text: string): IndexFile | undefined {
  const [, index, file, chunk] = /^([^/]*)\/(.*)#([0-9]{1,10})$/s.exec(text) ?? [];
  const found = index !== undefined && { index, file: file as string, chunk: Number(chunk) };
  return found && refusalOf(found) === undefined ? found : undefined;
}

function refusalOf(value: unknown): string | undefined {
  const { index, file, chunk } = (value ?? {}) as Partial<Record<keyof IndexFile, unknown>>;
  const isName = (name: unknown, most: number): boolean =>
    typeof name === "string" && name.isWellFormed() && encoder.encode(name).length <= most;
  const isChunk = Number.isInteger(chunk) && (chunk as number) >= 0 && (chunk as number) <= INDEX_FILE_LENGTH;
  return isName(index, 255) && isName(file, 65_535) && isChunk
    ? undefined
    : "an index, a file and the number of a chunk";
}

function indexFile<const N extends string>(name: N): Part<N, IndexFile> {
  return {
    name,
    type: "chunk",
    layout: blob(greedy(1), name),
    refuse: refusalOf,
    refuseBytes: (bytes) =>
      decode(bytes) === undefined ? "the names of an index and a file, and the number of a chunk" : undefined,
    byteLength: (value) => encode(value).length,
    least: FRAME,
    write: (to, at, value) => to.set(encode(value), at),
    read: (bytes) => decode(bytes) as IndexFile,
    toJson: (value) => {
      const back = fromText(textOf(value));
      const bytes = encode(value);
      return back !== undefined && equalBytes(encode(back), bytes) ? textOf(value) : toHex(bytes);
    },
    parse: (text) => fromText(text) ?? orUndefined(() => decode(fromHex(text))),
  };
}

/** The parts of a {@link SearchIndex}. */
export interface SearchIndexParts {
  /** The chunk of a file. */
  readonly file: IndexFile;
}

const part = partsOf<SearchIndexParts>();

/**
 * A chunk of a file of a context's search index. `context_id (32) ‖ n (1) ‖ index name (n) ‖ m (2, big-endian) ‖ file
 * name (m) ‖ chunk (4, big-endian)`, from 39 bytes.
 */
export class SearchIndex extends keyParts(
  "SearchIndex",
  Column.SearchIndex,
  undefined,
  contextId,
  part(indexFile("file")),
) {}

/** The last sequence of a context's queue for its search index. `context_id (32)`, 32 bytes. */
export class SearchDirtyCounter extends keyParts(
  "SearchDirtyCounter",
  Column.SearchDirty,
  undefined,
  contextId,
) {}

/** A change that the search index does not have yet. `context_id (32) ‖ sequence (8, big-endian)`, 40 bytes. */
export class SearchDirty extends keyParts(
  "SearchDirty",
  Column.SearchDirty,
  undefined,
  contextId,
  sequence,
) {}
