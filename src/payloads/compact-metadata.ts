/** Metadata of an entity as nodes of today write it: flags say which parts follow. */
import {
  type Codec,
  type Decoded,
  nanoseconds,
  option,
  type Reader,
  Recoded,
  str,
  struct,
  u32,
  u64,
  varint,
  type Writer,
} from "../codec/index.js";
import { CrdtType } from "./crdt-type.js";
import { StorageType, StorageTypeWithoutOnBehalf } from "./storage-type.js";

const CREATED = 0x01;
const CRDT = 0x02;
const NAME = 0x04;
const VERSION = 0x08;
const ORDER = 0x10;
const KNOWN = CREATED | CRDT | NAME | VERSION | ORDER;

const time = nanoseconds(u64);

const fields = struct("Metadata", {
  /** When the entity was made, in nanoseconds since 1970. */
  createdAt: time,
  /** When the entity was changed last, in nanoseconds since 1970. */
  updatedAt: time,
  /** The accounts that may write the entity. */
  storageType: StorageType,
  /** The merge rule for concurrent changes, or null: most entries of a collection have none. */
  crdtType: option(CrdtType),
  /** The field of the application's state, as the storage library names it, or null. */
  fieldName: option(str),
  /** Version of the application's schema, or null. */
  schemaVersion: option(u32),
  /** The writer's position among the children of the parent; 0 for none. No hash covers it. */
  order: varint,
});
/** Times, owner and kind of an entity. */
export type Metadata = Decoded<typeof fields>;

class CompactMetadata extends Recoded<Metadata> {
  readonly #storageType: typeof StorageType;

  constructor(storageType: typeof StorageType) {
    super(fields, { min: 10, max: undefined });
    this.#storageType = storageType;
  }

  override get layout(): string {
    return "{flags u8, updatedAt u64, createdAt u64 if 01, storageType StorageType, crdtType CrdtType if 02, fieldName str if 04, schemaVersion u32 if 08, order varint if 10}";
  }

  read(reader: Reader): Metadata {
    const start = reader.at;
    const flags = reader.u8();
    if ((flags & ~KNOWN) !== 0)
      throw reader.failLater("flags of metadata, at most 1f", `flags ${hex(flags)}`);
    reader.trace?.note("flags", "u8", start, reader.at, hex(flags));
    const updatedAt = reader.field("updatedAt", time);
    const createdAt = (flags & CREATED) === 0 ? updatedAt : reader.field("createdAt", time);
    if ((flags & CREATED) !== 0 && createdAt === updatedAt)
      throw reader.fail("a time other than updatedAt", "the same", reader.at - 8);
    const storageType = reader.field("storageType", this.#storageType);
    const crdtType = (flags & CRDT) === 0 ? null : reader.field("crdtType", CrdtType);
    const fieldName = (flags & NAME) === 0 ? null : reader.field("fieldName", str);
    const schemaVersion = (flags & VERSION) === 0 ? null : reader.field("schemaVersion", u32);
    const order = (flags & ORDER) === 0 ? 0n : reader.field("order", varint);
    if ((flags & ORDER) !== 0 && order === 0n) throw reader.fail("an order above 0", "0");
    return { createdAt, updatedAt, storageType, crdtType, fieldName, schemaVersion, order };
  }

  write(writer: Writer, value: Metadata): void {
    const { createdAt, updatedAt, crdtType, fieldName, schemaVersion, order } = value;
    const isCreated = createdAt !== updatedAt;
    writer.u8(
      (isCreated ? CREATED : 0) |
        (crdtType === null ? 0 : CRDT) |
        (fieldName === null ? 0 : NAME) |
        (schemaVersion === null ? 0 : VERSION) |
        (order === 0n ? 0 : ORDER),
    );
    time.write(writer, updatedAt);
    if (isCreated) time.write(writer, createdAt);
    this.#storageType.write(writer, value.storageType);
    if (crdtType !== null) CrdtType.write(writer, crdtType);
    if (fieldName !== null) str.write(writer, fieldName);
    if (schemaVersion !== null) u32.write(writer, schemaVersion);
    if (order !== 0n) varint.write(writer, order);
  }
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

/** Times, owner and kind of an entity. From 10 bytes. */
export const Metadata: Codec<Metadata> = new CompactMetadata(StorageType);

/** The same from nodes before 0.11.0-rc.79: signatures lack `onBehalf`. From 10 bytes. */
export const MetadataWithoutOnBehalf: Codec<Metadata> = new CompactMetadata(StorageTypeWithoutOnBehalf);
