/** Rows of logs as they are stored, before they are put into words. */
import { toHex } from "../../bytes/hex.js";
import { anyGroupOp } from "../../digests/index.js";
import {
  type OperationLayouts,
  operations010,
  type SignedGroupOp,
  type SignedGroupOp010,
  type SignedGroupOp011,
  type SignedNamespaceOp,
  type SignedNamespaceOp010,
  type SignedNamespaceOp011,
} from "../../payloads/index.js";
import type { AnyRow } from "../../schemas/index.js";
import { insideOf, type NodeReader, type RowOf, rowsAt, rowsOf } from "../tables/rows.js";
import type { Placed } from "./order.js";

/** A signed operation on a namespace, of any revision. */
export type AnySignedNamespaceOp = SignedNamespaceOp | SignedNamespaceOp011 | SignedNamespaceOp010;
/** The content of a signed operation on a namespace: in clear, about a group, or sealed. */
export type SignedPart = AnySignedNamespaceOp["op"];
/** The content of an operation about a group, encrypted. */
export type GroupPart = Extract<SignedPart, { readonly kind: "Group" }>;
/** A signed operation on a group, of any revision. */
export type AnySignedGroupOp = SignedGroupOp | SignedGroupOp011 | SignedGroupOp010;

/** An operation of a namespace's log: whole, or only its skeleton. */
export interface StoredOperation extends Placed {
  readonly signer: Uint8Array;
  /** Undefined for a skeleton. */
  readonly signed: AnySignedNamespaceOp | undefined;
  /** The group of a skeleton. */
  readonly skeletonOf: Uint8Array | undefined;
}

/** An operation of a group's own log. */
export interface LoggedOperation {
  readonly sequence: bigint;
  readonly signed: AnySignedGroupOp;
}

/** The rank of a skeleton, which has no number. It comes as soon as all its descendants have come. */
const SKELETON_RANK = 2n ** 64n;

/** The layouts of the operations that a database has. */
export function operationsOf(reader: NodeReader): OperationLayouts {
  const rows = reader.schema.rows as readonly Pick<AnyRow, "kind" | "operations">[];
  return rows.find(({ kind }) => kind === "NamespaceGovOp")?.operations ?? operations010;
}

/** The operations of a namespace's log, in the order of their ids, in arrays. */
export async function* storedOperations(
  reader: NodeReader,
  namespaceId: Uint8Array,
): AsyncGenerator<readonly StoredOperation[], void, undefined> {
  for await (const rows of rowsOf(reader, "NamespaceGovOp", { namespaceId }))
    yield rows.flatMap((row) => storedOperation(reader, row) ?? []);
}

/** The operations of these ids; undefined for an operation that cannot be read. */
export async function operationsById(
  reader: NodeReader,
  namespaceId: Uint8Array,
  ids: readonly Uint8Array[],
): Promise<readonly (StoredOperation | undefined)[]> {
  const rows = await rowsAt(
    reader,
    "NamespaceGovOp",
    ids.map((deltaId) => ({ namespaceId, deltaId })),
  );
  return rows.map((row) => row && storedOperation(reader, row));
}

/** The operation of a row; undefined if it does not decode. */
export function storedOperation(
  reader: NodeReader,
  { key, value }: RowOf<"NamespaceGovOp">,
): StoredOperation | undefined {
  const entry = insideOf(reader, key, value.skeletonBytes);
  if (entry === undefined) return undefined;
  const { parentOpHashes: parents, signer } = entry.value;
  const signed = entry.kind === "Signed" ? entry.value : undefined;
  const skeletonOf = entry.kind === "Signed" ? undefined : entry.value.groupId;
  return { id: key.deltaId, rank: signed?.nonce ?? SKELETON_RANK, parents, signer, signed, skeletonOf };
}

/** The operations of a group's own log, newest first, in arrays. */
export async function* loggedOperations(
  reader: NodeReader,
  groupId: Uint8Array,
  limit?: number,
): AsyncGenerator<readonly LoggedOperation[], void, undefined> {
  for await (const rows of rowsOf(reader, "GroupOpLog", { groupId }, { reverse: true, limit }))
    yield rows.flatMap(({ key, value }) => {
      const signed = insideOf(reader, key, value);
      return signed === undefined ? [] : [{ sequence: key.sequence, signed }];
    });
}

/** The id of an operation of a group's own log, 32 bytes. */
export function groupOperationId(signed: AnySignedGroupOp): Uint8Array {
  return anyGroupOp.id(signed);
}

/** The number of operations of all namespaces. */
export async function lengthOfLogs(reader: NodeReader): Promise<number> {
  let length = 0;
  for await (const rows of rowsOf(reader, "NamespaceGovHead"))
    for (const { value } of rows) length += Number(value.sequence);
  return length;
}

/** Ids as hex. */
export function hexes(ids: readonly Uint8Array[]): readonly string[] {
  return ids.map(toHex);
}
