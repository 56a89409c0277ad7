/** All facts from the replay of a database: about its rows, its logs, and the operations that could not be replayed. */

import { toHex } from "../../bytes/hex.js";
import { digitsOf, type IdLike } from "../../bytes/id.js";
import { signalOf } from "../../engine/abortable.js";
import type { AnyKey } from "../../keys/index.js";
import { checkArgument, checkOptions, isReader } from "../../options.js";
import { Pause } from "../../pause.js";
import { followed, type ProgressOptions, progressOptions } from "../../progress.js";
import type { Schema } from "../../schemas/index.js";
import type { StoreReader } from "../../store/browser.js";
import { namespaceOf, readGroups } from "../tables/groups.js";
import { idsOfHistories } from "../tables/histories.js";
import { type KindName, type NodeReader, readerWith } from "../tables/rows.js";
import { type ComparedRow, compareMembers, compareRows } from "./compare.js";
import { dependingOnOrder } from "./depending.js";
import { EnvelopeOpener } from "./envelopes.js";
import type { OperationName, ReplayFact, RowFact } from "./fact.js";
import { GROUP_KINDS } from "./kinds.js";
import { isFor, type ReplayOperation } from "./operations.js";
import { prepare } from "./prepared.js";
import { type Replay, replay } from "./replay.js";
import type { Cause } from "./rows.js";
import { readSources } from "./sources.js";
import { storedKeys, storedRows } from "./stored.js";

/**
 * Replays the governance operations of a database, namespace by namespace, and compares its rows with the replay.
 * Memory is bounded by the largest namespace.
 *
 * @param store a store, a snapshot or an overlay of core-0.10 or core-0.11
 * @param options the progress counts facts
 */
export async function* replayFacts(
  store: StoreReader<Schema>,
  options: ProgressOptions = {},
): AsyncGenerator<ReplayFact, void, undefined> {
  checkArgument("replayFacts", store, isReader);
  checkOptions("replayFacts", options, progressOptions);
  yield* followed(factsOf(readerWith(store as unknown as NodeReader, options.signal)), options);
}

async function* factsOf(reader: NodeReader): AsyncGenerator<ReplayFact, void, undefined> {
  const sources = await readSources(reader);
  const opener = await EnvelopeOpener.read(reader);
  const named = new Set<string>();
  for (const namespace of await namespacesWithOperations(reader)) {
    const run = await replay(await prepare(sources, namespace));
    for (const group of run.groups) named.add(group);
    const logged = [...run.logs.values()].reduce((sum, log) => sum + log.length, 0);
    yield { fact: "replayed", namespace, operations: run.operations.size, logged };
    yield* rowFacts(reader, run);
    yield* logFacts(run);
    yield* keyFacts(reader, run, opener);
  }
  yield* unnamedGroups(reader, named);
}

/** Compares the stored members of one group with the replay of its operations, and no other rows. */
export async function* memberFacts(
  store: StoreReader<Schema>,
  of: IdLike,
): AsyncGenerator<ReplayFact, void, undefined> {
  checkArgument("memberFacts", store, isReader);
  const group = digitsOf(of);
  const reader = store as unknown as NodeReader;
  const namespace = namespaceOf(await readGroups(reader), group);
  const run = await replay(await prepare(await readSources(reader), namespace));
  if (run.operations.size > 0) yield* rowFacts(reader, run, compareMembers(reader, run, group));
}

/** The rows that a deleted namespace leaves behind (governance G.1). */
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
    for await (const { key, group } of storedKeys(reader, kind)) {
      if (named.has(group)) continue;
      const known = unnamed.get(group);
      if (known === undefined) unnamed.set(group, { kind, key: key(), rows: 1 });
      else known.rows++;
    }
  }
  for (const [group, rest] of unnamed) yield { fact: "unnamed group", group, ...rest };
}

/** The namespaces whose logs have operations, in the order of their ids. */
export function namespacesWithOperations(reader: NodeReader): Promise<readonly string[]> {
  return idsOfHistories(reader, "NamespaceGovOp");
}

/** The facts about the rows of a namespace, or only about the rows in `compared`. */
export async function* rowFacts(
  reader: NodeReader,
  run: Replay,
  compared: AsyncIterable<ComparedRow> = compareRows(reader, run),
): AsyncGenerator<ReplayFact, void, undefined> {
  const { unreadable, namespace } = run;
  const doubtful: ComparedRow[] = [];
  for await (const row of compared)
    if (row.status === "proven" || row.status === "explained") yield rowFact(run, row);
    else doubtful.push(row);
  const depending = await dependingOnOrder(reader, run, doubtful);
  for (const row of doubtful)
    if (depending.has(row)) yield rowFact(run, { ...row, status: "explained", cause: "order" });
    else if (row.status === "unconfirmed") yield rowFact(run, row);
    else yield rowFact(run, row, unreadableAbout(row));

  /** The operations that cannot be read and may explain a row. None removes the head of a log. */
  function unreadableAbout({ kind, group, status }: ComparedRow): number {
    if (status === "missing" && (kind === "NamespaceGovHead" || kind === "GroupOpHead")) return 0;
    const onGroup = unreadable.get(group) ?? 0;
    return group === namespace ? onGroup : onGroup + (unreadable.get(namespace) ?? 0);
  }
}

function rowFact(run: Replay, row: ComparedRow, unreadable = 0): RowFact {
  const { kind, key, group, status, cause } = row;
  const writer = typeof cause === "string" ? cause : undefined;
  const fields = "fields" in row ? row.fields : [];
  const operation = nameOf(run, "made" in row ? row.made : cause);
  return { fact: "row", kind, key, group, status, operation, writer, fields, unreadable };
}

function* logFacts(run: Replay): Generator<ReplayFact, void, undefined> {
  const { operations, logs, deleted, own, hashes, sequence, namespace } = run;
  const name = (operation: ReplayOperation): OperationName => nameOf(run, operation) as OperationName;
  for (const log of logs.values())
    for (const operation of log) {
      if (operation.logRow?.forged.includes("op"))
        yield { fact: "logged otherwise", operation: name(operation) };
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
  for (const [group, count] of run.unreadable) yield { fact: "unreadable", namespace, group, count };
}

async function* keyFacts(
  reader: NodeReader,
  run: Replay,
  opener: EnvelopeOpener,
): AsyncGenerator<ReplayFact, void, undefined> {
  const { operations, own, deleted } = run;
  const keys = new Map<string, Uint8Array>();
  for await (const rows of storedRows(reader, "GroupKeyEntry", run.groups))
    for (const { key, value } of rows)
      if (!(value instanceof Uint8Array)) keys.set(toHex(key.groupId) + toHex(key.keyId), value.groupKey);
  const pause = new Pause(signalOf(reader.raw));
  for (const operation of operations.list) {
    if (operation === undefined) continue;
    if (pause.isLong) await pause.ifLong();
    const { group, keyId, rotation, state, kind } = operation;
    const name = (): OperationName => nameOf(run, operation) as OperationName;
    if (kind === "KeyDelivery") {
      const op = operations.rootOp(operation);
      if (op.kind !== "KeyDelivery" || !isFor(op.envelope, own) || deleted.has(toHex(op.groupId))) continue;
      const delivered = await opener.keyIdIn(op.envelope);
      if (delivered === undefined) continue;
      const key = { operation: name(), group: toHex(op.groupId), keyId: delivered };
      // Its id is its hash: the row of that id has that key, or breaks another rule.
      if (keys.has(key.group + delivered)) yield { fact: "key", ...key, isEqual: true };
      else yield { fact: "key gone", ...key, isEqual: false };
    } else if (group !== undefined && !deleted.has(group)) {
      const isUsed = operation.logged !== undefined || own.publicKeys.has(operation.signer);
      if (state === "encrypted" && isUsed && keyId !== undefined)
        yield { fact: "key gone", operation: name(), group, keyId, isEqual: false };
      const key = rotation && keys.get(group + rotation.keyId);
      const isEqual = key && rotation?.envelope && (await opener.holds(rotation.envelope, key));
      if (isEqual !== undefined && rotation !== undefined)
        yield { fact: "key", operation: name(), group, keyId: rotation.keyId, isEqual };
    }
  }
}

/** The name of the operation that is the cause; undefined if something else is the cause. */
export function nameOf(
  { operations, namespace }: Replay,
  cause: Cause | undefined,
): OperationName | undefined {
  if (cause === undefined || typeof cause === "string") return undefined;
  const { number, state, group, logged, kind } = cause;
  const id = state === "local" ? undefined : operations.id(number);
  return { namespace, id, group, logged, kind };
}
