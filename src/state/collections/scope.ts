/** The parts of a state that its collections need. */
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { applicationStateId } from "../../digests/index.js";
import type { EntityRows } from "../entity-rows.js";
import type { EntityMetadata, IndexRow } from "../index-row.js";
import { Damage, type Parent } from "../layouts/layout.js";
import type { StateProblem } from "../problem.js";
import type { Domains } from "../types/choices.js";
import type { TypeTable } from "../types/from-manifest.js";
import type { Type } from "../types/type.js";

/** The collections around a value, outermost first: their ids in hexadecimal. */
export type Owners = readonly string[];

/** The parts of a state that its collections need. */
export interface Scope {
  /** The rows of the context's entities. */
  readonly rows: EntityRows;
  /** The application's types. */
  readonly types: TypeTable;
  /**
   * The ids of a sorted collection's entries from a key on, in the order of the keys; undefined if the database has no
   * such order of the collection in its present state.
   */
  sortedIds(
    collection: IndexRow,
    from: Uint8Array | undefined,
  ): Promise<AsyncIterable<readonly Uint8Array[]> | undefined>;
  /**
   * Returns the types that the values of the application leave of the open types. The first call reads values. Undefined
   * while those values are read.
   */
  readonly domains: (() => Promise<Domains>) | undefined;
  /** Puts collections in the place of the handles in a value. */
  live(value: unknown, path: string, owners: Owners): unknown;
}

/** Somebody who may write an entity. */
export interface EntityWriter {
  /** The account's id, 64 hex digits. */
  readonly account: string;
  /** The rights of the account: bits of `WriterBit`. */
  readonly mask: number;
}

/** The details of an entity from its index row, for people: ids and hashes as 64 hex digits. */
export interface EntityDetails {
  /** The entity's id. */
  readonly id: string;
  /** The parent's id; undefined for the root. */
  readonly parent: string | undefined;
  /** The time of its creation, in nanoseconds since 1970. */
  readonly created: bigint;
  /** The time of its last change, in nanoseconds since 1970. */
  readonly updated: bigint;
  /** The time of its deletion, in nanoseconds since 1970; undefined while it lives. */
  readonly deleted: bigint | undefined;
  /** The kind of its owner: `Public`, `User`, `Frozen`, `Shared` or `SharedMember`. */
  readonly storage: EntityMetadata["storageType"]["kind"];
  /** The owner, for `User`: an account, or a public key in core-0.10. */
  readonly owner: string | undefined;
  /** The writers, for `Shared`: accounts with a mask of `WriterBit`. */
  readonly writers: readonly EntityWriter[] | undefined;
  /** SHA-256 of its data. */
  readonly ownHash: string;
  /** SHA-256 of its data and of all entities below it. */
  readonly fullHash: string;
  /** The stored name, with the prefix of its kind; undefined without a name. */
  readonly name: string | undefined;
  /** The number of children that are not deleted; 0 if the rows do not give it. */
  readonly children: number;
  /** The number of deleted children in the row; always 0 in core-0.10. */
  readonly deletedChildren: number;
}

/** The number of an entity's children that are not deleted; 0 if its rows do not give it. */
export async function childCount(rows: EntityRows, row: IndexRow): Promise<number> {
  const children = await rows.children(row);
  return children instanceof Damage ? 0 : children.size;
}

/** The children of the root, at most `most` of them, without the application's own state; empty without a root. */
export async function belowRoot(
  rows: EntityRows,
  most: number,
): Promise<{ readonly parent: Parent; readonly ids: readonly Uint8Array[] }> {
  const row = await rows.index(rows.contextId);
  const children = row && (await rows.children(row));
  if (children === undefined || children instanceof Damage) return { parent: { row }, ids: [] };
  const ids: Uint8Array[] = [];
  for (const id of children.ids())
    if (!equalBytes(id, applicationStateId()) && ids.length < most) ids.push(id);
  return { parent: { row, children }, ids };
}

/** The details in an index record, for people. */
export async function detailsOf(rows: EntityRows, row: IndexRow): Promise<EntityDetails> {
  const { metadata } = row;
  const { storageType } = metadata;
  return {
    id: toHex(row.id),
    parent: row.parentId === null ? undefined : toHex(row.parentId),
    created: metadata.createdAt,
    updated: metadata.updatedAt,
    deleted: row.deletedAt ?? undefined,
    storage: storageType.kind,
    owner: storageType.kind === "User" ? toHex(storageType.owner) : undefined,
    writers:
      storageType.kind === "Shared"
        ? [...storageType.writers].map(([account, mask]) => ({ account, mask }))
        : undefined,
    ownHash: toHex(row.ownHash),
    fullHash: toHex(row.fullHash),
    name: metadata.fieldName ?? undefined,
    children: await childCount(rows, row),
    deletedChildren: row.deletedChildren.length,
  };
}

/** An entry of a collection: an entity of its own. */
export interface StateEntry {
  /** The entity's id, 32 bytes. */
  readonly id: Uint8Array;
  /** The path: `items["alice"]`. */
  readonly path: string;
  /** The key of an entry of a map: text or bytes; undefined for other entries, and if the key was not understood. */
  readonly key: string | Uint8Array | undefined;
  /** The value, with lazy collections in it; undefined if there is a problem. */
  readonly value: unknown;
  /** The problem; undefined if there is none. */
  readonly problem: StateProblem | undefined;
  /** @internal The exact type of the value. */
  readonly type: Type | undefined;
  /** Its data as it is stored, without the id at the end; undefined if it is missing. */
  readonly raw: Uint8Array | undefined;
}
