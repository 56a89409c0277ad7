/** All that a replay of a database says: about its rows, its logs, and what could not be replayed. */
import { fromHex, toHex } from "../../bytes/hex.js";
import type { AnyKey } from "../../keys/index.js";
import type { Schema } from "../../schemas/index.js";
import type { StoreReader } from "../../store/browser.js";
import { type KindName, type NodeReader, rowsOf } from "../tables/rows.js";
import { type ComparedRow, compareRows, GROUP_KINDS } from "./compare.js";
import { EnvelopeOpener } from "./envelopes.js";
import type { OperationName, ReplayFact, RowFact } from "./fact.js";
import { isFor, type ReplayOperation } from "./operations.js";
import { readOwnSigners } from "./own.js";
import { type Replay, replay } from "./replay.js";
import type { Cause, ReplayedKind } from "./rows.js";
import { idsOf, storedRows } from "./stored.js";

/**
 * Replays the governance operations of a database, namespace by namespace, and compares its rows with what they lead to.
 * Memory is bounded by the largest namespace.
 *
 * @param store a store, a snapshot or an overlay of core-0.10 or core-0.11
 */
export async function* replayFacts(store: StoreReader<Schema>): AsyncGenerator<ReplayFact, void, undefined> {
  const reader = store as unknown as NodeReader;
  const own = await readOwnSigners(reader);
  const opener = await EnvelopeOpener.read(reader);
  const named = new Set<string>();
  for (const namespace of await namespacesWithOperations(reader)) {
    const run = await replay(reader, own, namespace);
    for (const group of run.groups) named.add(group);
    const logged = [...run.logs.values()].reduce((sum, log) => sum + log.length, 0);
    yield { fact: "replayed", namespace, operations: run.operations.size, logged };
    yield* rowFacts(reader, run);
    yield* logFacts(run);
    yield* keyFacts(reader, run, opener);
  }
  yield* unnamedGroups(reader, named);
}

/** What a namespace that was deleted leaves behind (governance G.1). */
const LEFT_BEHIND: readonly KindName[] = [
  "GroupContextMetadata",
  "GroupContextAlias",
  "GroupContextMemberCap",
  "GroupAccountEndorser",
  "GroupPendingDeviceRotation",
  "NamespaceParticipation",
  "NamespaceIdentity",
];

async function* unnamedGroups(
  reader: NodeReader,
  named: ReadonlySet<string>,
): AsyncGenerator<ReplayFact, void, undefined> {
  const unnamed = new Map<string, { readonly kind: KindName; readonly key: AnyKey; rows: number }>();
  for (const kind of GROUP_KINDS) {
    if (LEFT_BEHIND.includes(kind)) continue;
    for await (const rows of rowsOf(reader, kind))
      for (const row of rows) {
        const group = toHex(idsOf(row)[0] as Uint8Array);
        if (named.has(group)) continue;
        const known = unnamed.get(group);
        if (known === undefined) unnamed.set(group, { kind, key: row.key as AnyKey, rows: 1 });
        else known.rows++;
      }
  }
  for (const [group, rest] of unnamed) yield { fact: "unnamed group", group, ...rest };
}

/** The namespaces whose logs have operations, in the order of their ids. */
export async function namespacesWithOperations(reader: NodeReader): Promise<readonly string[]> {
  const namespaces = new Set<string>();
  for (const kind of ["NamespaceGovHead", "NamespaceParticipation", "NamespaceIdentity"] as const)
    for await (const rows of rowsOf(reader, kind))
      for (const { key } of rows) namespaces.add(toHex(key.namespaceId));
  for await (const rows of rowsOf(reader, "GroupMeta"))
    for (const { key } of rows) namespaces.add(toHex(key.groupId));
  const found: string[] = [];
  for (const namespace of [...namespaces].toSorted())
    for await (const rows of rowsOf(
      reader,
      "NamespaceGovOp",
      { namespaceId: fromHex(namespace) },
      { limit: 1 },
    ))
      if (rows.length > 0) found.push(namespace);
  return found;
}

async function* rowFacts(reader: NodeReader, run: Replay): AsyncGenerator<ReplayFact, void, undefined> {
  const unreadable = unreadableByGroup(run);
  const doubtful: ComparedRow[] = [];
  for await (const row of compareRows(reader, run))
    if (row.status === "proven" || row.status === "explained" || row.status === "unconfirmed")
      yield rowFact(run, row);
    else doubtful.push(row);
  const depending = doubtful.length === 0 ? new Set() : await dependingOnOrder(reader, run, doubtful);
  for (const row of doubtful)
    yield depending.has(row)
      ? rowFact(run, { ...row, status: "explained", cause: "order" })
      : rowFact(run, row, (unreadable.get(row.group) ?? 0) + (unreadable.get(run.namespace) ?? 0));
}

function rowFact(run: Replay, row: ComparedRow, unreadable = 0): RowFact {
  const { kind, key, group, status, cause } = row;
  const writer = typeof cause === "string" ? cause : undefined;
  const fields = "fields" in row ? row.fields : [];
  const operation = nameOf(run, "made" in row ? row.made : cause);
  return { fact: "row", kind, key, group, status, operation, writer, fields, unreadable };
}

/** So many orders of concurrent operations are tried. */
const ORDERS = 8;

/**
 * Those of some rows that another order of concurrent operations explains: which of them this node applied first, no row
 * says.
 */
async function dependingOnOrder(
  reader: NodeReader,
  run: Replay,
  doubtful: readonly ComparedRow[],
): Promise<ReadonlySet<ComparedRow>> {
  const depending = new Set<ComparedRow>();
  if (!run.sequence.hasChoice) return depending;
  const byKey = new Map(doubtful.map((row) => [toHex(row.key.bytes), row]));
  for (let turn = 1; turn < ORDERS && byKey.size > 0; turn++) {
    const other = await replay(reader, run.own, run.namespace, { turn });
    const found = new Set<string>();
    for await (const row of compareRows(reader, other)) {
      const key = row.status === "proven" ? toHex(row.key.bytes) : "";
      if (byKey.has(key)) found.add(key);
    }
    for (const [key, row] of byKey) {
      const isGone =
        row.status === "missing" &&
        typeof row.cause !== "string" &&
        !other.rows.has(row.kind as ReplayedKind, ...idsOf(row).map(toHex));
      if (!isGone && !found.has(key)) continue;
      depending.add(row);
      byKey.delete(key);
    }
  }
  return depending;
}

/** How many operations on each group cannot be read. */
function unreadableByGroup({ operations, namespace }: Replay): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const operation of operations.list)
    if (operation !== undefined && operation.body === undefined) {
      const group = operation.group ?? namespace;
      counts.set(group, (counts.get(group) ?? 0) + 1);
    }
  return counts;
}

function* logFacts(run: Replay): Generator<ReplayFact, void, undefined> {
  const { operations, logs, deleted, own, hashes, sequence, namespace } = run;
  const name = (operation: ReplayOperation): OperationName => nameOf(run, operation) as OperationName;
  for (const log of logs.values())
    for (const { operation, isForged } of log) {
      if (isForged) yield { fact: "logged otherwise", operation: name(operation) };
      if (operation.state === "local") yield { fact: "never sent", operation: name(operation) };
    }
  for (const operation of operations.list) {
    if (operation?.state !== "group" || operation.logged !== undefined) continue;
    const isOwn = own.publicKeys.has(operation.signer);
    // Before core-0.11 a node logs its own operations alone.
    if (deleted.has(operation.group as string) || (!isOwn && !operations.accounts)) continue;
    yield { fact: "not logged", operation: name(operation), isOwn };
  }
  for (const { operation, isEqual } of hashes) yield { fact: "hash", operation: name(operation), isEqual };
  for (const operation of sequence.late) yield { fact: "late", operation: name(operation) };
  for (const [group, count] of unreadableByGroup(run)) yield { fact: "unreadable", namespace, group, count };
}

async function* keyFacts(
  reader: NodeReader,
  run: Replay,
  opener: EnvelopeOpener,
): AsyncGenerator<ReplayFact, void, undefined> {
  const { operations, own, deleted } = run;
  const keys = new Map<string, Uint8Array>();
  for await (const { key, value } of storedRows(reader, "GroupKeyEntry", run.groups))
    if (!(value instanceof Uint8Array)) keys.set(toHex(key.groupId) + toHex(key.keyId), value.groupKey);
  for (const operation of operations.list) {
    if (operation === undefined) continue;
    const name = nameOf(run, operation) as OperationName;
    const { group, keyId, rotation, state } = operation;
    if (state === "root") {
      const op = operations.rootOp(operation);
      if (op.kind !== "KeyDelivery" || !isFor(op.envelope, own) || deleted.has(toHex(op.groupId))) continue;
      const delivered = await opener.keyIdIn(op.envelope);
      if (delivered === undefined) continue;
      const key = { operation: name, group: toHex(op.groupId), keyId: delivered };
      // Its id is its hash: the row of that id has that key, or breaks another rule.
      if (keys.has(key.group + delivered)) yield { fact: "key", ...key, isEqual: true };
      else yield { fact: "key gone", ...key, isEqual: false };
    } else if (group !== undefined && !deleted.has(group)) {
      const used = operation.logged !== undefined || own.publicKeys.has(operation.signer);
      if (state === "encrypted" && used && keyId !== undefined)
        yield { fact: "key gone", operation: name, group, keyId, isEqual: false };
      const key = rotation && keys.get(group + rotation.keyId);
      const isEqual = key && rotation?.envelope && (await opener.holds(rotation.envelope, key));
      if (isEqual !== undefined && rotation !== undefined)
        yield { fact: "key", operation: name, group, keyId: rotation.keyId, isEqual };
    }
  }
}

/** An operation by its name; undefined where something else is the cause. */
export function nameOf(
  { operations, namespace }: Replay,
  cause: Cause | undefined,
): OperationName | undefined {
  if (cause === undefined || typeof cause === "string") return undefined;
  const { number, state, group, logged, body } = cause;
  const op = body && (state === "root" ? operations.rootOp(cause) : operations.groupOp(cause));
  return {
    namespace,
    id: state === "local" ? undefined : operations.id(number),
    group,
    logged,
    kind: op?.kind,
  };
}
