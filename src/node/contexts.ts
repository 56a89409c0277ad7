/** Contexts: the facts in their rows, and their sizes. */

import { copyBytes } from "../bytes/bytes.js";
import { fromHex, toHex } from "../bytes/hex.js";
import { millisOfNtp64 } from "../bytes/ntp64.js";
import type { Schema } from "../schemas/index.js";
import type { Named, Names } from "./names.js";
import type { ContextRecord } from "./tables/contexts.js";
import { allRowsOf, firstValue, type NodeReader, rowsOf } from "./tables/rows.js";
import type { Tables } from "./tables/tables.js";
import { unreadOf } from "./tables/unread.js";
import { isoTime } from "./text.js";

/** The facts in the rows of a context. Ids are 64 hex digits. */
export interface ContextFacts {
  /** The context, with its name if it has one. */
  readonly context: Named;
  /** The group of the context; undefined if no row names one. */
  readonly group: Named | undefined;
  /** True if the row that this node keeps of the context does not decode: its application, root hash and heads are unknown. */
  readonly isUnread: boolean;
  /** The application; undefined if this node never joined the context, or the context's row does not decode. */
  readonly application: Named | undefined;
  /** The service of a bundle that the context runs; undefined if it runs none by name. */
  readonly service: string | undefined;
  /**
   * Full hash of the state's root entity; undefined if this node never joined the context, or the context's row does
   * not decode.
   */
  readonly rootHash: string | undefined;
  /** Ids of the applied deltas that no applied delta follows. */
  readonly heads: readonly string[];
  /** When the newest head was made, in milliseconds since 1970 by its author's clock; undefined without deltas. */
  readonly changedAt: number | undefined;
}

/** A context in a list, with its sizes. */
export interface ContextSummary extends ContextFacts {
  /** Number of deltas and checkpoints; undefined, like the other numbers, if rows to be counted cannot be read. */
  readonly deltas: number | undefined;
  /** Number of rows of state. */
  readonly rows: number | undefined;
  /** Bytes of keys and values of the rows of state. */
  readonly bytes: number | undefined;
}

/** Rows of one context in a column family. */
export interface ContextRows {
  /** Number of rows. */
  rows: number;
  /** Bytes of their keys and values. */
  bytes: number;
}

/** The number of rows of a kind in each context, and their bytes. Reads the whole column family once. */
export async function countByContext(
  reader: NodeReader,
  kind: "ContextState" | "ContextDagDelta",
): Promise<ReadonlyMap<string, ContextRows>> {
  const counts = new Map<string, ContextRows>();
  const column = kind === "ContextState" ? "State" : "Delta";
  if (!reader.columns.includes(column)) return counts;
  let current: { readonly id: Uint8Array; readonly rows: ContextRows } | undefined;
  const { SIZE, VARIABLE } = (reader.schema as unknown as Schema).row(kind).key;
  for await (const chunk of reader.raw.scan(column, {}, { keysOnly: kind === "ContextDagDelta" }).chunks())
    for (const { key, value } of chunk) {
      if (VARIABLE ? key.length < SIZE : key.length !== SIZE) continue;
      if (current === undefined || !startsWith(key, current.id)) {
        const id = copyBytes(key.subarray(0, 32));
        current = { id, rows: { rows: 0, bytes: 0 } };
        counts.set(toHex(id), current.rows);
      }
      current.rows.rows++;
      current.rows.bytes += key.length + value.length;
    }
  return counts;
}

function startsWith(key: Uint8Array, id: Uint8Array): boolean {
  for (let at = 31; at >= 0; at--) if (key[at] !== id[at]) return false;
  return true;
}

/** Counts the rows of one context alone; undefined if rows to be counted cannot be read. */
async function countOf(
  reader: NodeReader,
  kind: "ContextState" | "ContextDagDelta" | "ContextPrivateState",
  context: string,
): Promise<ContextRows | undefined> {
  const counts = { rows: 0, bytes: 0 };
  // Those that do not decode count too.
  for await (const rows of allRowsOf(reader, kind, { contextId: fromHex(context) }))
    for (const { key, bytes } of rows) {
      counts.rows++;
      counts.bytes += key.bytes.length + bytes.length;
    }
  const { column } = (reader.schema as unknown as Schema).row(kind);
  return unreadOf(reader).isDamaged(column, context) ? undefined : counts;
}

/** The time of the newest head. */
async function changedAt(reader: NodeReader, { id, heads }: ContextRecord): Promise<number | undefined> {
  let newest: number | undefined;
  for (const head of heads) {
    const value = await firstValue(reader, "ContextDagDelta", {
      contextId: fromHex(id),
      deltaId: fromHex(head),
    });
    // A checkpoint has the time 0.
    if (value !== undefined && value.hlc.time !== 0n)
      newest = Math.max(newest ?? 0, millisOfNtp64(value.hlc.time));
  }
  return newest;
}

/** Everything about one context except its deltas and state. */
export interface ContextDetails extends ContextSummary {
  /** Public keys that take part, with this node's marked. */
  readonly identities: readonly {
    /** The member whose key it is. */
    readonly member: Named;
    /** The Ed25519 public key, 64 hex digits. */
    readonly publicKey: string;
    /** True if it is a key of this node; undefined if this node's own keys are left out. */
    readonly isOwn: boolean | undefined;
  }[];
  /** Members with capabilities of their own in this context: bit masks of `ContextCapability`. */
  readonly capabilities: readonly {
    /** The member. */
    readonly member: Named;
    /** Bits of `ContextCapability`. */
    readonly mask: number;
  }[];
  /** Private rows of the application: their number and bytes; undefined if some cannot be read. */
  readonly privateState: ContextRows | undefined;
  /** Marks that this node keeps, such as: it left the context, a migration failed, it activated this code. */
  readonly markers: readonly {
    /** The meaning of the mark, in words. */
    readonly marker: string;
    /** The id, number or text of the mark; undefined if it has none. */
    readonly value: string | undefined;
  }[];
  /** Counters of changes of the application and of the members. */
  readonly revisions:
    | {
        /** Counts changes of the application. */
        readonly application: bigint;
        /** Counts changes of the members. */
        readonly members: bigint;
      }
    | undefined;
}

/** The identities of a context. */
async function identitiesOf(
  reader: NodeReader,
  names: Names,
  context: string,
  group: string | undefined,
  isOwn: (publicKey: string) => boolean | undefined,
): Promise<ContextDetails["identities"]> {
  const identities: { member: Named; publicKey: string; isOwn: boolean | undefined }[] = [];
  for await (const rows of rowsOf(reader, "ContextIdentity", { contextId: fromHex(context) }))
    for (const { key } of rows) {
      if (!("publicKey" in key)) continue;
      const publicKey = toHex(key.publicKey);
      const member = names.signer(publicKey, ...(group === undefined ? [] : [group]));
      identities.push({ member, publicKey, isOwn: isOwn(publicKey) });
    }
  return identities;
}

/** The capabilities that members have in a context. */
async function contextCapabilities(
  reader: NodeReader,
  names: Names,
  context: string,
  group: string,
): Promise<ContextDetails["capabilities"]> {
  const found: { member: Named; mask: number }[] = [];
  const leading = { groupId: fromHex(group), contextId: fromHex(context) };
  for await (const rows of rowsOf(reader, "GroupContextMemberCap", leading))
    for (const { key, value } of rows)
      found.push({ member: names.member(toHex(key.member), group), mask: value });
  return found;
}

/** The marks of a context. */
export async function markersOf(reader: NodeReader, context: string): Promise<ContextDetails["markers"]> {
  const contextId = fromHex(context);
  const markers: { marker: string; value: string | undefined }[] = [];
  const add = (marker: string, value?: string): void => void markers.push({ marker, value });
  const left = await firstValue(reader, "ContextLeftMarker", { contextId });
  if (left !== undefined) add("left", isoTime(left.leftAtMs));
  for await (const rows of rowsOf(reader, "ContextResyncRequested", { contextId }))
    if (rows.length > 0) add("resync requested");
  const failed = await firstValue(reader, "ContextMigrationFailed", { contextId });
  if (failed !== undefined)
    add("migration failed", failed.kind === 1 ? "its check aborted it" : "it could not be applied");
  const executing = await firstValue(reader, "ContextExecutingBlob", { contextId });
  if (executing !== undefined) add("executing code", toHex(executing.blob));
  const activated = await firstValue(reader, "ContextActivatedBlob", { contextId });
  if (activated !== undefined) add("activated code", toHex(activated.blob));
  const version = await firstValue(reader, "ContextActivatedStateVersion", { contextId });
  if (version !== undefined) add("activated state version", String(version.stateVersion));
  return markers;
}

/** All contexts without their sizes. Reads a few rows of each. */
export async function contextFacts(tables: Tables, names: Names): Promise<readonly ContextFacts[]> {
  const facts: ContextFacts[] = [];
  for (const record of (await tables.contexts()).values())
    facts.push(await factsOf(tables.reader, names, record));
  return facts;
}

/** All contexts with their sizes. Reads the state and the keys of all deltas once. */
export async function contextSummaries(tables: Tables, names: Names): Promise<readonly ContextSummary[]> {
  const deltas = await countByContext(tables.reader, "ContextDagDelta");
  const state = await countByContext(tables.reader, "ContextState");
  const unread = unreadOf(tables.reader);
  const summaries: ContextSummary[] = [];
  for (const record of (await tables.contexts()).values()) {
    const [ofDeltas, ofState] = (["Delta", "State"] as const).map((column) =>
      unread.isDamaged(column, record.id)
        ? undefined
        : ((column === "Delta" ? deltas : state).get(record.id) ?? NONE),
    );
    summaries.push(await summaryOf(tables.reader, names, record, ofDeltas, ofState));
  }
  return summaries;
}

/** Everything about one context except its deltas and state. */
export async function contextDetails(
  tables: Tables,
  names: Names,
  record: ContextRecord,
): Promise<ContextDetails> {
  const { reader } = tables;
  const { id, group } = record;
  const own = await tables.own();
  const lacksOwn = unreadOf(reader).lacksOwn();
  const state = await countOf(reader, "ContextState", id);
  const deltas = await countOf(reader, "ContextDagDelta", id);
  const config = await firstValue(reader, "ContextConfig", { contextId: fromHex(id) });
  return {
    ...(await summaryOf(reader, names, record, deltas, state)),
    identities: await identitiesOf(reader, names, id, group, (key) =>
      lacksOwn ? undefined : own.publicKeys.has(key),
    ),
    capabilities: group === undefined ? [] : await contextCapabilities(reader, names, id, group),
    privateState: await countOf(reader, "ContextPrivateState", id),
    markers: await markersOf(reader, id),
    revisions: config && { application: config.applicationRevision, members: config.membersRevision },
  };
}

const NONE: ContextRows = { rows: 0, bytes: 0 };

async function summaryOf(
  reader: NodeReader,
  names: Names,
  record: ContextRecord,
  deltas: ContextRows | undefined,
  state: ContextRows | undefined,
): Promise<ContextSummary> {
  const facts = await factsOf(reader, names, record);
  return { ...facts, deltas: deltas?.rows, rows: state?.rows, bytes: state?.bytes };
}

async function factsOf(reader: NodeReader, names: Names, record: ContextRecord): Promise<ContextFacts> {
  const { id, isUnread, group, application, service, rootHash, heads } = record;
  const activated = await firstValue(reader, "ContextActivatedBlob", { contextId: fromHex(id) });
  return {
    context: names.context(id),
    isUnread,
    group: group === undefined ? undefined : names.group(group),
    application:
      application === undefined
        ? undefined
        : names.application(application, activated && toHex(activated.blob)),
    service,
    rootHash,
    heads,
    changedAt: await changedAt(reader, record),
  };
}
