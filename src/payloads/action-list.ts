/** The changes of a delta since core-1.0, with the metadata of rows of State. */
import {
  b32,
  type Codec,
  type EnumOf,
  enumOf,
  nanoseconds,
  option,
  type Reader,
  Recoded,
  str,
  struct,
  type UntaggedOf,
  u8,
  u32,
  u64,
  untagged,
  vec,
  type Writer,
} from "../codec/index.js";
import { type Action010, type Action011, changesOf, MOST_ACTIONS } from "./action.js";
import { Metadata, MetadataWithoutOnBehalf } from "./compact-metadata.js";
import { CrdtType } from "./crdt-type.js";
import { StorageType, StorageTypeWithoutOnBehalf } from "./storage-type.js";

const longIds = vec(b32);

/** Ids after a count of one byte. */
class ShortIds extends Recoded<readonly Uint8Array[]> {
  read(reader: Reader): readonly Uint8Array[] {
    return Array.from({ length: reader.u8() }, (_, at) => reader.field(`[${at}]`, b32));
  }

  write(writer: Writer, ids: readonly Uint8Array[]): void {
    u8.write(writer, ids.length);
    for (const id of ids) b32.write(writer, id);
  }
}

/** A change of one entity. */
export type Action = EnumOf<ReturnType<typeof changesOf<readonly Uint8Array[], Metadata>>>;

function actionOf(ids: Codec<readonly Uint8Array[]>, metadata: Codec<Metadata>): Codec<Action> {
  return enumOf("Action", changesOf(ids, metadata), [0, 2, 3]);
}

/** Metadata with all its fields in Borsh. */
function plainMetadata(storageType: typeof StorageType): Codec<Metadata> {
  const time = nanoseconds(u64);
  return struct("Metadata", {
    createdAt: time,
    updatedAt: time,
    storageType,
    crdtType: option(CrdtType),
    fieldName: option(str),
    schemaVersion: option(u32),
    order: u64,
  });
}

/** A change of one entity. The tag 1 is not used. From 48 bytes. */
export const Action = actionOf(new ShortIds(longIds, { min: 1, max: undefined }), Metadata);

const listOf = (ids: Codec<readonly Uint8Array[]>, metadata: Codec<Metadata>) =>
  struct("ActionList", {
    /** The changes, in order. */
    actions: vec(actionOf(ids, metadata), MOST_ACTIONS),
  });

const actionList = {
  /** Counts of one byte, metadata as in rows. */
  ShortIds: listOf(new ShortIds(longIds, { min: 1, max: undefined }), Metadata),
  /** Counts of four bytes, metadata as in rows. */
  LongIds: listOf(longIds, Metadata),
  /** Counts of one byte, metadata as in rows; signatures lack `onBehalf`. */
  ShortIdsOlder: listOf(new ShortIds(longIds, { min: 1, max: undefined }), MetadataWithoutOnBehalf),
  /** Counts of four bytes, metadata as in rows; signatures lack `onBehalf`. */
  LongIdsOlder: listOf(longIds, MetadataWithoutOnBehalf),
  /** Counts of one byte, metadata in Borsh. */
  ShortIdsPlain: listOf(new ShortIds(longIds, { min: 1, max: undefined }), plainMetadata(StorageType)),
  /** Counts of four bytes, metadata in Borsh. */
  LongIdsPlain: listOf(longIds, plainMetadata(StorageType)),
  /** Counts of one byte, metadata in Borsh; signatures lack `onBehalf`. */
  ShortIdsPlainOlder: listOf(
    new ShortIds(longIds, { min: 1, max: undefined }),
    plainMetadata(StorageTypeWithoutOnBehalf),
  ),
  /** Counts of four bytes, metadata in Borsh; signatures lack `onBehalf`. */
  LongIdsPlainOlder: listOf(longIds, plainMetadata(StorageTypeWithoutOnBehalf)),
};

/**
 * The actions of a delta. No bytes of a real node have shown the layout of ancestors (a count of one byte or of four)
 * and of metadata (as in rows, or all fields in Borsh, each with or without the signature's account). So all layouts
 * are tried, in this order. From 4 bytes.
 */
export const ActionList: Codec<ActionList> = untagged("ActionList", actionList);
export type ActionList = UntaggedOf<typeof actionList>;

/** A change of one entity in any revision. */
export type AnyAction = Action | Action011 | Action010;

/** The actions of a delta in any revision. */
export type AnyActionList = ActionList | readonly Action011[] | readonly Action010[];

/** The actions of a list, in their order. */
export function actionsIn(list: AnyActionList): readonly AnyAction[] {
  return "actions" in list ? list.actions : list;
}

/** Returns the id of the changed entity's parent; undefined if the action does not have it. */
export function parentIn(action: AnyAction): Uint8Array | undefined {
  const parent = "ancestors" in action ? action.ancestors[0] : undefined;
  return parent !== undefined && "id" in parent ? parent.id : parent;
}
