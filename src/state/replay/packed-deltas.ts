/** Deltas in little memory: their bytes one after another, with numbers in place of ids. A delta is read when it is applied. */
import { toHex } from "../../bytes/hex.js";
import { IdTable } from "../../bytes/id-table.js";
import { equalBytes } from "../../bytes/order.js";
import {
  b32,
  bytes,
  type Codec,
  nanoseconds,
  option,
  Reader,
  u32,
  u64,
  u128,
  vec,
  Writer,
} from "../../codec/index.js";
import type { Pause } from "../../pause.js";
import type { AnyAction } from "../../payloads/index.js";
import type { EntityMetadata } from "../index-row.js";
import type { DeltaOfRow, Witness } from "./delta.js";
import type { Write } from "./merge.js";
import { Pieces } from "./pieces.js";

/** The number of places for the last data of entities, and the most bytes of such data. */
const [PLACES, SHORT] = [64, 1024];

/** Actions that are written in one step. */
const STEP = 256;

/** About the bytes of an action without its data. */
const REST = 64;

const numbers = vec(u32);
const hash = option(b32);
const time = nanoseconds(u64);
const KINDS = ["Add", "Update", "DeleteRef"] as const;

/** Offsets of the parts with fixed sizes, after the number of the id. */
const [FLAGS, AUTHOR, SIGNER, CLOCK, PARENTS] = [4, 5, 9, 13, 37];

const [IS_SIGNED, IS_FIRST, IS_APPLIED] = [1, 2, 4];

/** An entity above another as an action names it. */
type Ancestor = Write["ancestors"][number];

/** Keeps the deltas of a context, without checkpoints. */
export class PackedDeltas {
  /** The ids of entities. */
  readonly entities = new IdTable();
  /** The ids of deltas and of their parents. */
  readonly ids = new IdTable();
  /** The bytes of deltas. */
  readonly pieces = new Pieces();
  readonly #metadata: Codec<EntityMetadata>;
  /** The keys of authors and devices, and the same in hex: few, of many deltas. */
  readonly #keys = new IdTable();
  readonly #keyTexts: string[] = [];
  /** The description of an ancestor by the first delta that names it. Nodes use it if they do not have the entity. */
  readonly #claims = new Map<number, { readonly time: bigint; readonly ancestor: Ancestor }>();
  /**
   * The last data of some entities, by the remainders of their numbers. Each delta writes the entities at the top, and
   * these seldom change.
   */
  readonly #last: { readonly entity: number; data: Uint8Array }[] = [];
  /** Copies of them, until they are written again. */
  readonly #copies = new Uint8Array(PLACES * SHORT);
  readonly #writer = new Writer();

  /** @param metadata the layout of an entity's metadata */
  constructor(metadata: Codec<EntityMetadata>) {
    this.#metadata = metadata;
  }

  /** Keeps a delta. */
  add(delta: DeltaOfRow): ReplayedDelta {
    for (const _ of this.#writing(delta));
    return this.#written();
  }

  /** Keeps a delta, with pauses between its actions. */
  async addSlowly(delta: DeltaOfRow, pause: Pause): Promise<ReplayedDelta> {
    for (const _ of this.#writing(delta)) if (pause.isLong) await pause.ifLong();
    return this.#written();
  }

  #written(): ReplayedDelta {
    const packed = this.pieces.add(this.#writer.finish());
    return new ReplayedDelta(this, this.pieces.newest, packed.byteOffset);
  }

  /** Writes a delta, step by step. */
  *#writing(delta: DeltaOfRow): Generator<void, void, undefined> {
    const writer = this.#writer;
    const { deltaId, follows, clock, expected, witness, actions } = delta;
    writer.begin();
    if (actions !== undefined && actions.length > STEP) writer.room(roomFor(actions));
    u32.write(writer, this.ids.add(deltaId));
    const flags = [
      delta.isSigned && IS_SIGNED,
      follows.length === 0 && IS_FIRST,
      delta.isApplied && IS_APPLIED,
    ];
    writer.u8(flags.reduce((all: number, flag) => all | Number(flag), 0));
    for (const key of [delta.authorId, delta.signer])
      u32.write(writer, key === undefined ? 0 : this.#keep(key));
    u64.write(writer, clock.time);
    u128.write(writer, clock.id);
    numbers.write(
      writer,
      follows.map((parent) => this.ids.add(parent)),
    );
    hash.write(writer, expected ?? null);
    hash.write(writer, witness?.hash ?? null);
    u32.write(writer, witness?.at ?? 0);
    u32.write(writer, actions === undefined ? 0 : actions.length + 1);
    for (const [at, action] of actions?.entries() ?? []) {
      if (at % STEP === STEP - 1) yield;
      if (action.kind === "Compare") throw new TypeError("a delta that is kept compares nothing");
      writer.u8(KINDS.indexOf(action.kind));
      const entity = this.entities.add(action.id);
      u32.write(writer, entity);
      if (action.kind === "DeleteRef") time.write(writer, action.deletedAt);
      else {
        this.#writeData(entity, action.data);
        const { ancestors } = action;
        numbers.write(
          writer,
          ancestors.map((ancestor) => this.#claim(ancestor, clock.time)),
        );
      }
      this.#metadata.write(writer, action.metadata);
    }
  }

  /** Writes 0 and the data; or the place of the same data: the number of a piece plus 1, an offset and a length. */
  #writeData(entity: number, data: Uint8Array): void {
    const [writer, place] = [this.#writer, entity % PLACES];
    const last = this.#last[place];
    if (data.length > SHORT || last?.entity !== entity || !equalBytes(last.data, data)) {
      if (data.length <= SHORT) this.#last[place] = { entity, data: this.#copyAt(place, data) };
      u32.write(writer, 0);
      bytes.write(writer, data);
      return;
    }
    let piece = this.pieces.numberOf(last.data);
    if (piece === undefined) {
      last.data = this.pieces.add(data);
      piece = this.pieces.numberOf(last.data) as number;
    }
    for (const number of [piece + 1, last.data.byteOffset, data.length]) u32.write(writer, number);
  }

  #copyAt(place: number, data: Uint8Array): Uint8Array {
    const copy = this.#copies.subarray(place * SHORT, place * SHORT + data.length);
    copy.set(data);
    return copy;
  }

  #readData(reader: Reader): Uint8Array {
    const piece = u32.read(reader);
    if (piece === 0) return bytes.read(reader);
    return new Uint8Array(this.pieces.piece(piece - 1).buffer, u32.read(reader), u32.read(reader));
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

  /** Reads the actions at a place, one by one. */
  *actionsAt(reader: Reader, count: number): Generator<Write | Deletion, void, undefined> {
    for (let left = count; left > 0; left--) {
      const kind = KINDS[reader.u8()] as (typeof KINDS)[number];
      const id = this.entities.at(u32.read(reader));
      if (kind === "DeleteRef") {
        const deletedAt = time.read(reader);
        yield { kind, id, deletedAt, metadata: this.#metadata.read(reader) } as Deletion;
        continue;
      }
      const data = this.#readData(reader);
      const ancestors = numbers
        .read(reader)
        .map((above) => this.#claims.get(above)?.ancestor ?? this.entities.at(above));
      yield { kind, id, data, ancestors, metadata: this.#metadata.read(reader) } as Write;
    }
  }

  /** A key, 64 hex digits. */
  keyText(number: number): string | undefined {
    return this.#keyTexts[number - 1];
  }

  #keep(key: Uint8Array): number {
    const number = this.#keys.add(key);
    this.#keyTexts[number] ??= toHex(key);
    return number + 1;
  }
}

/** About the bytes of many actions. */
function roomFor(actions: readonly AnyAction[]): number {
  return actions.reduce((sum, action) => sum + REST + ("data" in action ? action.data.length : 0), 0);
}

/** An action that deletes an entity. */
/** A change that deletes an entity. */
export type Deletion = Extract<AnyAction, { readonly kind: "DeleteRef" }>;

/** A delta of a replay. Each access to a part reads it again. */
export class ReplayedDelta {
  readonly #all: PackedDeltas;
  readonly #piece: Uint8Array;
  readonly #at: number;

  constructor(all: PackedDeltas, piece: Uint8Array, at: number) {
    this.#all = all;
    this.#piece = piece;
    this.#at = at;
  }

  /** The author's Ed25519 public key, 64 hex digits; undefined if the row has none. */
  get author(): string | undefined {
    return this.#all.keyText(this.#reader(AUTHOR).u32());
  }

  /**
   * The device that signed one of the changes, 64 hex digits; undefined if no change is signed, or the signature does
   * not name it.
   */
  get signer(): string | undefined {
    return this.#all.keyText(this.#reader(SIGNER).u32());
  }

  /** True if a change is signed: then nodes check that its account may make it. */
  get isSigned(): boolean {
    return this.#hasFlag(IS_SIGNED);
  }

  /** True if it follows no delta, as the first one of a context. */
  get isFirst(): boolean {
    return this.#hasFlag(IS_FIRST);
  }

  /** False while the delta is pending. */
  get isApplied(): boolean {
    return this.#hasFlag(IS_APPLIED);
  }

  /** When it was made: an NTP64 timestamp, seconds since 1970 in the upper 32 bits, and the id of its node's clock. */
  get clock(): DeltaOfRow["clock"] {
    const reader = this.#reader(CLOCK);
    return { time: reader.u64(), id: u128.read(reader) };
  }

  /** When it was made, as in {@link clock}. */
  get time(): bigint {
    return this.#reader(CLOCK).u64();
  }

  /** The number of its id. */
  get number(): number {
    return this.#reader(0).u32();
  }

  /** The numbers of the ids of the deltas that it follows. */
  get follows(): readonly number[] {
    return numbers.read(this.#reader(PARENTS));
  }

  /** The delta's id, 64 hex digits. */
  get id(): string {
    return this.#nameOf(this.number);
  }

  /** The ids of its parents, 64 hex digits each; empty for the first delta. */
  get parents(): readonly string[] {
    return this.follows.map((number) => this.#nameOf(number));
  }

  /** The author's root hash after the delta, 32 bytes; undefined if the row does not have it. */
  get expected(): Uint8Array | undefined {
    return this.#hashes().expected ?? undefined;
  }

  /** The author's root hash that the changes carry; undefined if they carry none. */
  get witness(): Witness | undefined {
    return this.#hashes().witness;
  }

  /** True if its changes can be read. */
  get hasActions(): boolean {
    return this.#hashes().reader.u32() > 0;
  }

  /** The changes, which are read one by one; undefined if they do not decode. */
  get actions(): Iterable<Write | Deletion> | undefined {
    const { reader } = this.#hashes();
    const count = reader.u32();
    return count === 0 ? undefined : this.#all.actionsAt(reader, count - 1);
  }

  #nameOf(number: number): string {
    return toHex(this.#all.ids.at(number));
  }

  #hasFlag(flag: number): boolean {
    return ((this.#piece[this.#at + FLAGS] as number) & flag) !== 0;
  }

  #reader(offset: number): Reader {
    const reader = new Reader(this.#piece);
    reader.at = this.#at + offset;
    return reader;
  }

  #hashes() {
    const reader = this.#reader(PARENTS);
    reader.pass(4 * reader.u32());
    const [expected, known] = [hash.read(reader), hash.read(reader)];
    const at = u32.read(reader);
    return { reader, expected, witness: known === null ? undefined : { at, hash: known } };
  }
}
