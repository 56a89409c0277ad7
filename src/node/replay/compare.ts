/** Compares the rows of a namespace with the replay of its operations. */

import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { type Codec, EncodeError } from "../../codec/index.js";
import { signalOf } from "../../engine/abortable.js";
import type { AnyKey } from "../../keys/index.js";
import { Pause } from "../../pause.js";
import { areThere, hasKind, type KindName, type NodeReader, type RowOf } from "../tables/rows.js";
import { groupHeads, type Heads, namespaceHeads } from "./heads.js";
import { GROUP_KINDS } from "./kinds.js";
import { explainDifference, explainExtra, explainMissing } from "./other-causes.js";
import type { Replay } from "./replay.js";
import { type Cause, type ReplayedKind, type ReplayedRow, UNKNOWN } from "./rows.js";
import { codecOf, idsOf, keyOf, partsOf, rowsOfContexts, storedRows } from "./stored.js";
import type { WriterName } from "./writers.js";

/** The verdict about a row. */
export type Verdict =
  /** The row is equal to the replayed row; `cause` set it last. */
  | { readonly status: "proven"; readonly cause: Cause }
  /**
   * The replay has no such row, or another one, and something else that the node does explains the row. `made` made it
   * before.
   */
  | { readonly status: "explained"; readonly cause: WriterName; readonly made?: Cause }
  /** No operation makes such a row, but a writer that leaves no trace may have made it. */
  | { readonly status: "unconfirmed"; readonly cause: WriterName }
  /** No operation makes such a row; `cause` removed it, if one did. */
  | { readonly status: "without operation"; readonly cause: Cause | undefined }
  /** The row is not there, and `cause` made it. */
  | { readonly status: "missing"; readonly cause: Cause }
  /** Fields of the row differ from what `cause` set. */
  | { readonly status: "differs"; readonly cause: Cause; readonly fields: readonly string[] };

/** A row, stored or missing, and how it stands to the operations. */
export type ComparedRow = Verdict & {
  readonly kind: KindName;
  readonly key: AnyKey;
  /** The group that the row belongs to, 64 hex digits. */
  readonly group: string;
};

/** Compares the stored rows of a namespace's groups with the replayed ones. A mark of a row is kept for each. */
export async function* compareRows(
  reader: NodeReader,
  replay: Replay,
): AsyncGenerator<ComparedRow, void, undefined> {
  const seen = new Set<ReplayedRow>();
  const indexed = new Set<string>();
  const pause = new Pause(signalOf(reader.raw));
  for (const kind of GROUP_KINDS)
    for await (const rows of storedRows(reader, kind, replay.groups))
      for (const row of rows) {
        if (pause.isLong) await pause.ifLong();
        if (kind === "GroupContextIndex") indexed.add(toHex(idsOf(row)[1] as Uint8Array));
        yield compareRow(reader, replay, kind, row, seen);
      }
  for await (const rows of storedRows(reader, "GroupSigningKey", replay.groups))
    for (const { key } of rows)
      yield {
        kind: "GroupSigningKey",
        key: key as AnyKey,
        group: toHex(key.groupId),
        status: "explained",
        cause: "node-local",
      };
  yield* compareContexts(reader, replay, indexed, seen);
  for (const row of replay.rows.all()) {
    if (seen.has(row) || !hasKind(reader, row.kind)) continue;
    const writer = explainMissing(replay, row);
    if (writer === undefined && (await isThere(reader, row.kind, row.ids))) continue;
    const verdict: Verdict =
      writer === undefined ? { status: "missing", cause: row.cause } : { status: "explained", cause: writer };
    yield { ...verdict, kind: row.kind, key: keyOf(reader, row), group: groupOf(row) };
  }
  yield* compareHeads(reader, replay);
}

/** Compares the stored members of one group with the replayed ones. */
export async function* compareMembers(
  reader: NodeReader,
  replay: Replay,
  group: string,
): AsyncGenerator<ComparedRow, void, undefined> {
  const pause = new Pause(signalOf(reader.raw));
  for await (const rows of storedRows(reader, "GroupMember", new Set([group])))
    for (const row of rows) {
      if (pause.isLong) await pause.ifLong();
      yield compareRow(reader, replay, "GroupMember", row, new Set());
    }
}

/** True if a row exists that the comparison did not see because it does not decode. */
async function isThere(reader: NodeReader, kind: KindName, ids: readonly string[]): Promise<boolean> {
  return (await areThere(reader, kind, [partsOf(reader, { kind, ids })]))[0] === true;
}

/** Compares the rows whose keys are ids of contexts. `indexed`: the contexts that the namespace's groups list. */
async function* compareContexts(
  reader: NodeReader,
  replay: Replay,
  indexed: ReadonlySet<string>,
  seen: Set<ReplayedRow>,
): AsyncGenerator<ComparedRow, void, undefined> {
  const { rows, groups } = replay;
  const replayed = new Set<string>();
  for (const { kind, ids } of rows.all())
    if (kind === "ContextGroupRef" || kind === "ContextServiceName") replayed.add(ids[0] as string);
  for await (const row of rowsOfContexts(reader, "ContextGroupRef", new Set([...indexed, ...replayed])))
    if (groups.has(toHex(row.value)) || rows.has("ContextGroupRef", toHex(row.key.contextId)))
      yield compareRow(reader, replay, "ContextGroupRef", row, seen);
  for await (const row of rowsOfContexts(reader, "ContextServiceName", replayed))
    yield compareRow(reader, replay, "ContextServiceName", row, seen);
}

function compareRow(
  reader: NodeReader,
  replay: Replay,
  kind: ReplayedKind,
  stored: RowOf<ReplayedKind>,
  seen: Set<ReplayedRow>,
): ComparedRow {
  const ids = idsOf(stored).map(toHex);
  const row = replay.rows.row(kind, ids);
  const common = {
    kind,
    key: stored.key as AnyKey,
    group: kind === "ContextGroupRef" ? toHex(stored.value as Uint8Array) : (ids[0] as string),
  };
  if (row === undefined) {
    const writer = explainExtra(replay, kind, ids, stored.value);
    if (writer === undefined)
      return { ...common, status: "without operation", cause: replay.rows.removedBy(kind, ids) };
    return { ...common, status: writer === "pre-registration" ? "unconfirmed" : "explained", cause: writer };
  }
  seen.add(row);
  const fields = differingFields(codecOf(reader, kind), row.value, stored.value);
  if (fields.length === 0)
    return typeof row.cause === "string"
      ? { ...common, status: "explained", cause: row.cause }
      : { ...common, status: "proven", cause: row.cause };
  const writer = explainDifference(replay, row, fields, stored.value);
  return writer === undefined
    ? { ...common, status: "differs", cause: row.cause, fields }
    : { ...common, status: "explained", cause: writer, made: row.cause };
}

/** The fields in which a stored value differs; a value without fields is called `value`. */
export function differingFields(
  codec: Codec<unknown>,
  replayed: unknown,
  stored: unknown,
): readonly string[] {
  if (replayed === UNKNOWN) return [];
  if (isFields(replayed) !== isFields(stored)) return ["value"];
  const bytes = codec.encode(stored);
  if (!isFields(replayed) || !isFields(stored))
    return equalBytes(codec.encode(replayed), bytes) ? [] : ["value"];
  return Object.keys(stored).filter((name) => {
    const value = replayed[name];
    // A row of an older layout has fields that the operations of today do not set.
    if (value === UNKNOWN || value === undefined) return false;
    return !isSame(codec, { ...stored, [name]: value }, bytes);
  });
}

/**
 * Returns true if a value has these bytes, or if it lacks fields of a newer layout, so that they cannot be compared.
 */
function isSame(codec: Codec<unknown>, value: unknown, bytes: Uint8Array): boolean {
  try {
    return equalBytes(codec.encode(value), bytes);
  } catch (error) {
    if (error instanceof EncodeError) return true;
    throw error;
  }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array);
}

async function* compareHeads(
  reader: NodeReader,
  replay: Replay,
): AsyncGenerator<ComparedRow, void, undefined> {
  const { accounts } = replay.operations;
  for (const group of replay.groups) {
    const isTop = group === replay.namespace;
    const namespaceEnd = isTop ? namespaceHeads(replay) : undefined;
    // Before core-0.11 an operation that comes again counts again.
    yield* compareHead(reader, "NamespaceGovHead", group, namespaceEnd, !accounts);
    yield* compareHead(reader, "GroupOpHead", group, await groupHeads(reader, replay, group), false);
  }
}

async function* compareHead(
  reader: NodeReader,
  kind: "NamespaceGovHead" | "GroupOpHead",
  group: string,
  end: Heads | undefined,
  maybeMore: boolean,
): AsyncGenerator<ComparedRow, void, undefined> {
  let isSeen = false;
  for await (const rows of storedRows(reader, kind, new Set([group])))
    for (const { key, value } of rows) {
      isSeen = true;
      const common = { kind, key: key as AnyKey, group };
      if (end === undefined) {
        yield { ...common, status: "without operation", cause: undefined };
        continue;
      }
      const isRight = maybeMore ? value.sequence >= end.sequence : value.sequence === end.sequence;
      const fields = [
        ...(isRight ? [] : ["sequence"]),
        ...(sameIds(value.dagHeads, end.heads) ? [] : ["dagHeads"]),
      ];
      yield { ...common, ...verdictOf(fields) };
    }
  if (end !== undefined && !isSeen && !(await isThere(reader, kind, [group])))
    yield { kind, key: keyOf(reader, { kind, ids: [group] }), group, status: "missing", cause: "node-local" };
}

function verdictOf(fields: readonly string[]): Verdict {
  return fields.length === 0
    ? { status: "proven", cause: "node-local" }
    : { status: "differs", cause: "node-local", fields };
}

function sameIds(ids: readonly Uint8Array[], sorted: readonly string[]): boolean {
  const found = [...new Set(ids.map(toHex))].toSorted();
  return found.length === sorted.length && found.every((id, at) => id === sorted[at]);
}

/** The group that a row belongs to. */
function groupOf({ kind, ids, value }: ReplayedRow): string {
  return kind === "ContextGroupRef" ? toHex(value as Uint8Array) : (ids[0] as string);
}
