/**
 * Version 1 of the rows of deltas: flags say which fields follow, and lengths are varints. The key has the delta's id.
 */
import {
  b32,
  b64,
  bool,
  type Codec,
  type Decoded,
  describe,
  option,
  payload,
  type Reader,
  Recoded,
  struct,
  textual,
  varint,
  varintBytes,
  vec,
  WriteFailure,
  type Writer,
} from "../codec/index.js";
import { ActionList } from "./action-list.js";
import { GovernanceParentEdge } from "./delta.js";
import { HybridTimestamp } from "./hybrid-timestamp.js";

/** The bytes that a row of version 1 begins with. */
export const MAGIC: Uint8Array = Uint8Array.of(0xcd, 0x01);

const RESERVED = 0x80;
const APPLIED = 0x01;
/** The flags of the fields that a row may lack, in the order of their bytes. */
const OPTIONAL = {
  checkpointRootHash: 0x02,
  events: 0x04,
  authorId: 0x08,
  governancePositionBlob: 0x10,
  deltaSignature: 0x20,
  delegation: 0x40,
} as const;
type Optional = keyof typeof OPTIONAL;
const optional = Object.entries(OPTIONAL) as readonly (readonly [Optional, number])[];

const ID = 32;
const ids = vec(b32);

/** Ids of 32 bytes after a count as varint. */
class Ids extends Recoded<readonly Uint8Array[]> {
  read(reader: Reader): readonly Uint8Array[] {
    const start = reader.at;
    const count = varint.read(reader);
    if (count * BigInt(ID) > BigInt(reader.left))
      throw reader.fail(`${count} ids of ${ID} bytes`, `${reader.left} bytes`, start);
    reader.trace?.note("count", "varint", start, reader.at, `${count}`);
    return Array.from({ length: Number(count) }, (_, at) => reader.field(`[${at}]`, b32));
  }

  write(writer: Writer, value: readonly Uint8Array[]): void {
    if (!Array.isArray(value)) throw new WriteFailure("a list", describe(value));
    varint.write(writer, BigInt(value.length));
    for (const id of value) b32.write(writer, id);
  }
}

const parents = new Ids(ids, { min: 1, max: undefined });
const actions = payload(varintBytes, ActionList);
const events = textual(varintBytes);
const position = payload(varintBytes, GovernanceParentEdge);

function fieldsOf<T>(delegation: Codec<T>) {
  return struct("ContextDagDelta", {
    /** Ids of the deltas that it follows, 32 bytes each; 32 zeros stand for the beginning. */
    parents,
    /** The changes. */
    actions,
    /** When the delta was made. */
    hlc: HybridTimestamp,
    /** False while the delta is pending. */
    applied: bool,
    /** Of a checkpoint: the root hash of the state, 32 bytes. Null in all other deltas. */
    checkpointRootHash: option(b32),
    /** The events that the application emitted; null in own deltas, and mostly once handled. */
    events: option(events),
    /** The author's Ed25519 public key, 32 bytes; null without a signature. */
    authorId: option(b32),
    /** The position of governance when the delta was made, or null. */
    governancePositionBlob: option(position),
    /** Ed25519 signature over the delta's envelope, 64 bytes; null for the first delta and checkpoints. */
    deltaSignature: option(b64),
    /** The permission of another account to make the delta, or null. */
    delegation: option(delegation),
  });
}

/** A delta of version 1. */
export type CompactDelta<T> = Decoded<ReturnType<typeof fieldsOf<T>>>;

type Values = Readonly<Record<string, unknown>>;

class CompactDeltaCodec<T> extends Recoded<CompactDelta<T>> {
  readonly #optional: Readonly<Record<Optional, Codec<unknown>>>;
  /** The codec of the fields of a row by its flags. */
  readonly #present = new Map<number, Codec<Values>>();

  constructor(delegation: Codec<T>) {
    super(fieldsOf(delegation), { min: 21, max: undefined });
    this.#optional = {
      checkpointRootHash: b32,
      events,
      authorId: b32,
      governancePositionBlob: position,
      deltaSignature: b64,
      delegation,
    };
  }

  override get layout(): string {
    const fields = optional.map(
      ([name, flag]) => `${name} ${this.#optional[name].signature} if ${flag.toString(16).padStart(2, "0")}`,
    );
    return `{cd 01, flags u8 (01 applied), parents [b32], actions ${actions.signature}, hlc HybridTimestamp, ${fields.join(", ")}; lengths and counts are varints}`;
  }

  read(reader: Reader): CompactDelta<T> {
    for (const byte of MAGIC) if (reader.u8() !== byte) throw reader.fail("cd 01", "another byte");
    const flags = reader.u8();
    if ((flags & RESERVED) !== 0) throw reader.failLater("flags of a delta, at most 7f", "flag 80");
    reader.trace?.note("flags", "u8", reader.at - 1, reader.at, flags.toString(16).padStart(2, "0"));
    const present = this.#codecOf(flags).read(reader);
    const { parents: before, actions: changes, hlc, ...others } = present;
    const fields: Record<string, unknown> = {
      parents: before,
      actions: changes,
      hlc,
      applied: (flags & APPLIED) !== 0,
    };
    for (const [name] of optional) fields[name] = others[name] ?? null;
    return fields as CompactDelta<T>;
  }

  write(writer: Writer, value: CompactDelta<T>): void {
    const { applied, ...fields } = value as Values;
    if (typeof applied !== "boolean") throw new WriteFailure("true or false", describe(applied));
    let flags = applied ? APPLIED : 0;
    for (const [name, flag] of optional) if (fields[name] !== null) flags |= flag;
    const present = Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== null));
    writer.bytes(MAGIC);
    writer.u8(flags);
    this.#codecOf(flags).write(writer, present);
  }

  /** Returns the codec of the first fields and the fields that the flags name. */
  #codecOf(flags: number): Codec<Values> {
    const known = this.#present.get(flags);
    if (known !== undefined) return known;
    const chosen = optional.filter(([, flag]) => (flags & flag) !== 0);
    const made = struct(this.signature, {
      parents,
      actions,
      hlc: HybridTimestamp,
      ...Object.fromEntries(chosen.map(([name]) => [name, this.#optional[name]])),
    });
    this.#present.set(flags, made);
    return made;
  }
}

/** The codec of a row of version 1, with the codec of the delegation at its end. */
export function compactDelta<T>(delegation: Codec<T>): Codec<CompactDelta<T>> {
  return new CompactDeltaCodec(delegation);
}
