/** Deltas in little memory: their bytes one after another, with numbers in place of ids. A delta is read when it is applied. */
import { toHex } from "../../bytes/hex.js";
import { ID_BYTES, IdTable } from "../../bytes/id-table.js";
import {
  b32,
  bytes,
  type Codec,
  nanoseconds,
  option,
  Reader,
  u32,
  u64,
  vec,
  Writer,
} from "../../codec/index.js";
import type { AnyAction } from "../../payloads/index.js";
import type { EntityMetadata } from "../index-row.js";
import type { DeltaOfRow, Witness } from "./delta.js";
import type { Write } from "./merge.js";

/** Bytes of a piece of memory, unless a delta is larger. */
const PIECE = 1 << 20;

const numbers = vec(u32);
const hash = option(b32);
const time = nanoseconds(u64);
const KINDS = ["Add", "Update", "DeleteRef"] as const;

/** An entity above another as an action names it. */
type Ancestor = Write["ancestors"][number];

/** Keeps the deltas of a context. */
export class PackedDeltas {
  /** The ids of entities. */
  readonly entities = new IdTable();
  /** The ids of deltas, and of those that they follow. */
  readonly ids = new IdTable();
  readonly #metadata: Codec<EntityMetadata>;
  /** The keys of authors and devices, and the same in hex: few, of many deltas. */
  readonly #keys = new IdTable();
  readonly #keyTexts: string[] = [];
  /** The description of an ancestor by the first delta that names it. Nodes use it if they do not have the entity. */
  readonly #claims = new Map<number, { readonly time: bigint; readonly ancestor: Ancestor }>();
  readonly #writer = new Writer();
  #piece = new Uint8Array(PIECE);
  #used = 0;

  /** @param metadata the layout of an entity's metadata */
  constructor(metadata: Codec<EntityMetadata>) {
    this.#metadata = metadata;
  }

  /** Keeps a delta. */
  add(delta: DeltaOfRow): ReplayedDelta {
    const writer = this.#writer;
    writer.begin();
    this.#write(writer, delta);
    const packed = writer.finish();
    if (packed.length > this.#piece.length - this.#used) {
      this.#piece = new Uint8Array(Math.max(PIECE, packed.length));
      this.#used = 0;
    }
    this.#piece.set(packed, this.#used);
    const at = this.#used;
    this.#used += packed.length;
    const [author, signer] = [delta.authorId, delta.signer].map((key) => key && this.#textOf(key));
    return new ReplayedDelta(this, delta, this.#piece, at, author, signer);
  }

  #write(writer: Writer, delta: DeltaOfRow): void {
    const { deltaId, follows, expected, checkpoint, witness, actions, clock } = delta;
    u32.write(writer, this.ids.add(deltaId));
    const parents = follows.map((parent) => this.ids.add(parent));
    numbers.write(writer, parents);
    hash.write(writer, expected ?? null);
    hash.write(writer, checkpoint ?? null);
    hash.write(writer, witness?.hash ?? null);
    u32.write(writer, witness?.at ?? 0);
    u32.write(writer, actions === undefined ? 0 : actions.length + 1);
    for (const action of actions ?? []) {
      if (action.kind === "Compare") throw new TypeError("a delta that is kept compares nothing");
      writer.u8(KINDS.indexOf(action.kind));
      u32.write(writer, this.entities.add(action.id));
      if (action.kind === "DeleteRef") time.write(writer, action.deletedAt);
      else {
        bytes.write(writer, action.data);
        const { ancestors } = action;
        numbers.write(
          writer,
          ancestors.map((ancestor) => this.#claim(ancestor, clock.time)),
        );
      }
      this.#metadata.write(writer, action.metadata);
    }
  }

  #claim(ancestor: Ancestor, time: bigint): number {
    if (!("merkleHash" in ancestor)) return this.entities.add(ancestor);
    const number = this.entities.add(ancestor.id);
    const claim = this.#claims.get(number);
    if (claim !== undefined && claim.time <= time) return number;
    // The hash is a view of a larger buffer.
    const merkleHash = Uint8Array.from(ancestor.merkleHash);
    const id = Uint8Array.from(ancestor.id);
    this.#claims.set(number, { time, ancestor: { ...ancestor, id, merkleHash } });
    return number;
  }

  /** Reads the actions at a place. */
  actionsAt(reader: Reader): readonly AnyAction[] | undefined {
    const count = u32.read(reader);
    if (count === 0) return undefined;
    const ids = this.entities.bytes;
    const idAt = (number: number): Uint8Array => ids.subarray(number * ID_BYTES, (number + 1) * ID_BYTES);
    const actions: AnyAction[] = [];
    while (actions.length < count - 1) {
      const kind = KINDS[reader.u8()] as (typeof KINDS)[number];
      const id = idAt(u32.read(reader));
      if (kind === "DeleteRef") {
        const deletedAt = time.read(reader);
        actions.push({ kind, id, deletedAt, metadata: this.#metadata.read(reader) } as AnyAction);
        continue;
      }
      const data = bytes.read(reader);
      const ancestors = numbers.read(reader).map((above) => this.#claims.get(above)?.ancestor ?? idAt(above));
      actions.push({ kind, id, data, ancestors, metadata: this.#metadata.read(reader) } as AnyAction);
    }
    return actions;
  }

  #textOf(key: Uint8Array): string {
    const number = this.#keys.add(key);
    this.#keyTexts[number] ??= toHex(key);
    return this.#keyTexts[number];
  }
}

/** A delta of a replay. */
export class ReplayedDelta {
  /** The author's Ed25519 public key, 64 hex digits; undefined where the row has none. */
  readonly author: string | undefined;
  /** The device that signed one of the changes, 64 hex digits; undefined where none is signed, or the signature does not say. */
  readonly signer: string | undefined;
  /** True if a change is signed: then nodes check that its account may make it. */
  readonly isSigned: boolean;
  /** True if it follows no delta, as the first one of a context. */
  readonly isFirst: boolean;
  /** False while the delta is pending. */
  readonly isApplied: boolean;
  readonly #all: PackedDeltas;
  readonly #time: bigint;
  readonly #clock: bigint;
  readonly #piece: Uint8Array;
  readonly #at: number;

  constructor(
    all: PackedDeltas,
    { clock, follows, isSigned, isApplied }: DeltaOfRow,
    piece: Uint8Array,
    at: number,
    author: string | undefined,
    signer: string | undefined,
  ) {
    this.#all = all;
    this.#time = clock.time;
    this.#clock = clock.id;
    this.isSigned = isSigned;
    this.isFirst = follows.length === 0;
    this.isApplied = isApplied;
    this.#piece = piece;
    this.#at = at;
    this.author = author;
    this.signer = signer;
  }

  /** When it was made: an NTP64 timestamp, seconds since 1970 in the upper 32 bits, and the id of its node's clock. */
  get clock(): DeltaOfRow["clock"] {
    return { time: this.#time, id: this.#clock };
  }

  /** The number of its id. */
  get number(): number {
    return u32.read(this.#reader());
  }

  /** The numbers of the ids of the deltas that it follows. */
  get follows(): readonly number[] {
    const reader = this.#reader();
    u32.read(reader);
    return numbers.read(reader);
  }

  /** The delta's id, 64 hex digits. */
  get id(): string {
    return this.#nameOf(this.number);
  }

  /** The ids of the deltas that it follows, 64 hex digits each; none for the first. */
  get parents(): readonly string[] {
    return this.follows.map((number) => this.#nameOf(number));
  }

  /** The author's root hash after the delta, as the row says it, 32 bytes; undefined where it does not. */
  get expected(): Uint8Array | undefined {
    return this.#hashes().expected ?? undefined;
  }

  /** The root hash of the state that a checkpoint stands for, 32 bytes; undefined for other deltas. */
  get checkpoint(): Uint8Array | undefined {
    return this.#hashes().checkpoint ?? undefined;
  }

  /** The author's root hash that the changes carry; undefined where they carry none. */
  get witness(): Witness | undefined {
    return this.#hashes().witness;
  }

  /** The changes; undefined where they do not decode. Each call reads them again. */
  get actions(): readonly AnyAction[] | undefined {
    return this.#all.actionsAt(this.#hashes().reader);
  }

  #nameOf(number: number): string {
    return toHex(this.#all.ids.bytes.subarray(number * ID_BYTES, (number + 1) * ID_BYTES));
  }

  #reader(): Reader {
    const reader = new Reader(this.#piece);
    reader.at = this.#at;
    return reader;
  }

  #hashes() {
    const reader = this.#reader();
    u32.read(reader);
    numbers.read(reader);
    const [expected, checkpoint, known] = [hash.read(reader), hash.read(reader), hash.read(reader)];
    const at = u32.read(reader);
    return { reader, expected, checkpoint, witness: known === null ? undefined : { at, hash: known } };
  }
}
