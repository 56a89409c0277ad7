/**
 * A pack: commits and pieces in one file, which is written once and never changed:
 *
 *     "MLP1" ‖ form (1) ‖ bytes of the file (u32) ‖ bytes of the index (u32) ‖ index ‖ blocks
 *
 * Numbers are little-endian. The index and the blocks are sealed one by one, with their number as the place. The
 * content of a block is in brotli; browsers store it uncompressed. It holds either commits or pieces, one after
 * another. The index is
 *
 *     count (u16) ‖ names of packs that this one replaces (20 each)
 *     count (u16) ‖ of each block: kind (1) ‖ sealed bytes (u32) ‖ bytes (u32) ‖ records (u32)
 *     of each commit: bytes (u24)
 *     of each piece: the first 8 bytes of its hash ‖ bytes (u24)
 *
 * With devices, the index is behind a proof, which is part of its size, and describes each block with its SHA-256 (32)
 * too:
 *
 *     epoch of the key (u32) ‖ public key of the writer (32) ‖ signature of the pack's id (64)
 *
 * The id is the SHA-256 of the file's path and of all before the blocks but the signature.
 *
 * The ids of commits and the digests of pieces follow from their bytes. Versions of a tree node are nearly equal, so
 * they lie beside each other. Small pieces are in small blocks, because each may be read alone.
 */
import { concatAll, equalBytes, fromHex, sha256, toHex } from "merostore/internal";
import { compress, decompress } from "../../platform/node.js";
import { KEY_BYTES, PieceTable } from "./piece-table.js";
import { MOST_BYTES, type SealedFiles } from "./sealed-files.js";

/** A piece to be packed. */
export interface PackedPiece {
  /** SHA-256 of its length and content. */
  readonly hash: Uint8Array;
  readonly content: Uint8Array;
}

/** The content of a pack. */
export interface PackContent {
  /** Names of packs whose records are in this one. */
  readonly replaces: readonly string[];
  readonly commits: readonly Uint8Array[];
  readonly pieces: readonly PackedPiece[];
}

/** The kind of the records of a block. */
type BlockKind = "commits" | "pieces";

/** A block, as the index describes it. */
export interface PackBlock {
  readonly kind: BlockKind;
  /** The place in the file, and the sealed bytes there. */
  readonly at: number;
  readonly size: number;
  /** The bytes of all records. */
  readonly raw: number;
  /** The bytes of each record. */
  readonly lengths: Uint32Array;
  /** With devices: the SHA-256 of the sealed bytes. */
  readonly hash?: Uint8Array | undefined;
}

/** The index of a pack. */
export interface PackIndex {
  readonly replaces: readonly string[];
  readonly blocks: readonly PackBlock[];
  /** The places of all pieces. */
  readonly table: PieceTable;
  /** The epoch of its key: 1 without devices. */
  readonly epoch: number;
}

/** The beginning of a pack of a device. */
export interface PackProof {
  readonly epoch: number;
  readonly writer: Uint8Array;
  readonly signature: Uint8Array;
  /** The id of the pack, 32 bytes. */
  readonly id: Uint8Array;
}

/** The state of a file by its first bytes. */
export type PackHeader =
  | { readonly state: "whole"; readonly indexSize: number }
  | { readonly state: "incomplete" | "damaged" };

/** The most records and bytes of a pack, before they are compressed. */
export const MOST_RECORDS = 1 << 19;
export const MOST_PACKED = 64 << 20;
/** The most packs that one pack can replace. */
export const MOST_REPLACED = 0xffff;
export const HEADER_SIZE = 13;
/** Larger indexes are refused before they are read. */
const MOST_INDEX = 16 << 20;
const encoder = new TextEncoder();
const MAGIC = encoder.encode("MLP1");
const NAME_SIZE = 20;
const BLOCK_SIZE = 13;
const HASH_SIZE = 32;
/** Bytes of a proof. */
export const PROOF_SIZE = 100;
const KINDS: readonly BlockKind[] = ["commits", "pieces"];
/** Bytes of the records of a block. The last record may go beyond. */
const LARGE_BLOCK = 1 << 22;
const SMALL_BLOCK = 1 << 16;
/** Larger pieces are in large blocks. */
const SMALL_PIECE = 2048;
/** Pieces are sorted by this number of last bytes, which are the same in all versions of a tree node. */
const TAIL = 64;

interface NewBlock {
  readonly kind: BlockKind;
  readonly contents: readonly Uint8Array[];
}

/** Makes the bytes of a pack. */
export async function packBytes(
  sealed: SealedFiles,
  name: string,
  { replaces, commits, pieces }: PackContent,
): Promise<Uint8Array> {
  const ordered = inOrder(pieces);
  const blocks: NewBlock[] = [
    ...blocksOf("commits", commits, LARGE_BLOCK),
    ...blocksOf("pieces", contentsOf(ordered.small), SMALL_BLOCK),
    ...blocksOf("pieces", contentsOf(ordered.large), LARGE_BLOCK),
  ];
  const bodies: Uint8Array[] = [];
  for (const [number, { contents }] of blocks.entries())
    bodies.push(await sealed.sealPart(partOf(name, number), await compress(concatAll(contents))));
  const hashes = [...ordered.small, ...ordered.large].map(({ hash }) => hash);
  const { rights } = sealed;
  const plain = encodeIndex(replaces, blocks, bodies, hashes, rights !== undefined);
  const index = await sealed.sealPart(partOf(name, "index"), plain);
  const proof = new Uint8Array(rights === undefined ? 0 : PROOF_SIZE);
  const header = new Uint8Array(HEADER_SIZE);
  header.set(MAGIC);
  header[MAGIC.length] = sealed.form;
  const view = new DataView(header.buffer);
  const size = bodies.reduce((sum, { length }) => sum + length, HEADER_SIZE + proof.length + index.length);
  view.setUint32(MAGIC.length + 1, size, true);
  view.setUint32(MAGIC.length + 5, proof.length + index.length, true);
  if (rights !== undefined) {
    new DataView(proof.buffer).setUint32(0, sealed.epoch, true);
    proof.set(rights.writer, 4);
    const { id } = readProof(`${sealed.folder}/packs/${name}`, concatAll([header, proof, index]));
    proof.set(rights.sign(id), 4 + HASH_SIZE);
  }
  return concatAll([header, proof, index, ...bodies]);
}

/** Reads the proof of a pack of a device. `start` is the header, the proof and the index. */
export function readProof(path: string, start: Uint8Array): PackProof {
  const proof = start.subarray(HEADER_SIZE, HEADER_SIZE + PROOF_SIZE);
  const signed = 4 + HASH_SIZE;
  const id = sha256(
    encoder.encode(path),
    start.subarray(0, HEADER_SIZE + signed),
    start.subarray(HEADER_SIZE + PROOF_SIZE),
  );
  const epoch = new DataView(proof.buffer, proof.byteOffset).getUint32(0, true);
  return { epoch, writer: proof.slice(4, signed), signature: proof.slice(signed), id };
}

/** Reads the header of a file. `bytes` may be fewer than the header has, `fileSize` is the length of the file. */
export function readHeader(
  sealed: Pick<SealedFiles, "form" | "rights">,
  bytes: Uint8Array,
  fileSize: number,
): PackHeader {
  const known = Math.min(bytes.length, MAGIC.length);
  for (let at = 0; at < known; at++) if (bytes[at] !== MAGIC[at]) return { state: "damaged" };
  if (bytes.length < HEADER_SIZE) return { state: "incomplete" };
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const size = view.getUint32(MAGIC.length + 1, true);
  const indexSize = view.getUint32(MAGIC.length + 5, true);
  const least = sealed.rights === undefined ? 0 : PROOF_SIZE;
  const isIndex = indexSize >= least && indexSize <= MOST_INDEX && indexSize <= size - HEADER_SIZE;
  if (bytes[MAGIC.length] !== sealed.form || !isIndex) return { state: "damaged" };
  if (fileSize < size) return { state: "incomplete" };
  return fileSize === size ? { state: "whole", indexSize } : { state: "damaged" };
}

/**
 * Opens the index of a file. `start` is all before the blocks.
 * @returns the index, or the reason why it cannot be used: it is damaged, its device had no right to write it, or its
 * key is not known yet
 */
export async function openIndex(
  sealed: SealedFiles,
  name: string,
  start: Uint8Array,
  fileSize: number,
): Promise<PackIndex | "damaged" | "refused" | "early"> {
  const { rights } = sealed;
  let epoch = 1;
  if (rights !== undefined) {
    const proof = readProof(`${sealed.folder}/packs/${name}`, start);
    if (!rights.accepts(proof.writer, proof.id, proof.signature)) return "refused";
    epoch = proof.epoch;
    if (epoch > sealed.epoch) return "early";
  }
  const body = start.subarray(HEADER_SIZE + (rights === undefined ? 0 : PROOF_SIZE));
  const bytes = epoch === 0 ? undefined : await sealed.openPart(partOf(name, "index"), body, epoch);
  if (bytes === undefined) return "damaged";
  try {
    return { ...decodeIndex(bytes, start.length, fileSize, rights !== undefined), epoch };
  } catch (error) {
    if (error instanceof RangeError) return "damaged";
    throw error;
  }
}

/** Returns the records of a block; undefined if it is damaged. */
export async function openBlock(
  sealed: SealedFiles,
  name: string,
  number: number,
  { raw, lengths, hash }: PackBlock,
  body: Uint8Array,
  epoch: number,
): Promise<Uint8Array[] | undefined> {
  if (hash !== undefined && !equalBytes(hash, sha256(body))) return undefined;
  const packed = await sealed.openPart(partOf(name, number), body, epoch);
  if (packed === undefined) return undefined;
  let bytes: Uint8Array;
  try {
    bytes = await decompress(packed, raw);
  } catch {
    return undefined;
  }
  if (bytes.length !== raw) return undefined;
  let at = 0;
  return Array.from(lengths, (length) => {
    at += length;
    return bytes.subarray(at - length, at);
  });
}

function partOf(name: string, part: number | "index"): string {
  return `packs/${name}/${part}`;
}

/** Puts pieces beside similar ones. A version of a node with more entries is longer. */
function inOrder(pieces: readonly PackedPiece[]): Record<"small" | "large", readonly PackedPiece[]> {
  const sorted = pieces
    .map((piece) => ({ piece, tail: toHex(piece.content.subarray(-TAIL)), size: piece.content.length }))
    .sort((a, b) => (a.tail < b.tail ? -1 : a.tail > b.tail ? 1 : a.size - b.size))
    .map(({ piece }) => piece);
  const isSmall = ({ content }: PackedPiece): boolean => content.length <= SMALL_PIECE;
  return { small: sorted.filter(isSmall), large: sorted.filter((piece) => !isSmall(piece)) };
}

function contentsOf(pieces: readonly PackedPiece[]): Uint8Array[] {
  return pieces.map(({ content }) => content);
}

function* blocksOf(kind: BlockKind, records: readonly Uint8Array[], most: number): Generator<NewBlock> {
  let contents: Uint8Array[] = [];
  let bytes = 0;
  for (const record of records) {
    contents.push(record);
    bytes += record.length;
    if (bytes < most) continue;
    yield { kind, contents };
    contents = [];
    bytes = 0;
  }
  if (contents.length > 0) yield { kind, contents };
}

function encodeIndex(
  replaces: readonly string[],
  blocks: readonly NewBlock[],
  bodies: readonly Uint8Array[],
  hashes: readonly Uint8Array[],
  isSigned: boolean,
): Uint8Array {
  const records = blocks.reduce((sum, { contents }) => sum + contents.length, 0);
  const blockSize = BLOCK_SIZE + (isSigned ? HASH_SIZE : 0);
  const fixed = 4 + NAME_SIZE * replaces.length + blockSize * blocks.length;
  const bytes = new Uint8Array(fixed + 3 * records + KEY_BYTES * hashes.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, replaces.length, true);
  let at = 2;
  for (const name of replaces) {
    bytes.set(fromHex(name), at);
    at += NAME_SIZE;
  }
  view.setUint16(at, blocks.length, true);
  at += 2;
  for (const [number, { kind, contents }] of blocks.entries()) {
    view.setUint8(at, KINDS.indexOf(kind));
    view.setUint32(at + 1, bodies[number]?.length ?? 0, true);
    const raw = contents.reduce((sum, { length }) => sum + length, 0);
    view.setUint32(at + 5, raw, true);
    view.setUint32(at + 9, contents.length, true);
    if (isSigned) bytes.set(sha256(bodies[number] as Uint8Array), at + BLOCK_SIZE);
    at += blockSize;
  }
  let piece = 0;
  for (const { kind, contents } of blocks)
    for (const { length } of contents) {
      if (kind === "pieces") {
        bytes.set((hashes[piece++] as Uint8Array).subarray(0, KEY_BYTES), at);
        at += KEY_BYTES;
      }
      view.setUint16(at, length & 0xffff, true);
      view.setUint8(at + 2, length >> 16);
      at += 3;
    }
  return bytes;
}

/** @throws RangeError for an index that no pack has */
function decodeIndex(
  bytes: Uint8Array,
  start: number,
  fileSize: number,
  isSigned: boolean,
): Omit<PackIndex, "epoch"> {
  const blockSize = BLOCK_SIZE + (isSigned ? HASH_SIZE : 0);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 2;
  const replaces: string[] = [];
  for (let left = view.getUint16(0, true); left > 0; left--) {
    check(at + NAME_SIZE <= bytes.length);
    replaces.push(toHex(bytes.subarray(at, at + NAME_SIZE)));
    at += NAME_SIZE;
  }
  const count = view.getUint16(at, true);
  at += 2;
  const described = Array.from({ length: count }, (_, number) => at + blockSize * number);
  at += blockSize * count;
  const keys: Uint8Array[] = [];
  let place = start;
  const blocks = described.map((from): PackBlock => {
    const kind = KINDS[view.getUint8(from)];
    const [size, raw, records] = [1, 5, 9].map((offset) => view.getUint32(from + offset, true)) as [
      number,
      number,
      number,
    ];
    const keyBytes = kind === "pieces" ? KEY_BYTES : 0;
    check(kind !== undefined && raw <= LARGE_BLOCK + MOST_BYTES);
    check(records > 0 && at + records * (keyBytes + 3) <= bytes.length);
    const lengths = new Uint32Array(records);
    let sum = 0;
    for (let record = 0; record < records; record++) {
      if (keyBytes > 0) keys.push(bytes.subarray(at, at + KEY_BYTES));
      at += keyBytes;
      lengths[record] = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
      sum += lengths[record] as number;
      at += 3;
    }
    check(sum === raw);
    place += size;
    const hash = isSigned ? bytes.slice(from + BLOCK_SIZE, from + blockSize) : undefined;
    return { kind: kind as BlockKind, at: place - size, size, raw, lengths, hash };
  });
  check(at === bytes.length && place === fileSize);
  return { replaces, blocks, table: new PieceTable(keys, blocks) };
}

function check(isRight: boolean): void {
  if (!isRight) throw new RangeError("the index of a pack is damaged");
}
