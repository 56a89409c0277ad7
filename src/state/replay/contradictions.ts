/** The entities of a state that differ from the replay of its deltas. */
import { isZeros } from "../../bytes/bytes.js";
import { fromHex, toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { slices } from "../../collections/lists.js";
import { applicationStateId, ownHash } from "../../digests/index.js";
import { checkArgument, isReader } from "../../options.js";
import { Pause } from "../../pause.js";
import type { Schema } from "../../schemas/index.js";
import type { StoreReader } from "../../store/browser.js";
import { isReplay } from "../arguments.js";
import { EntityRows } from "../entity-rows.js";
import type { IndexRow } from "../index-row.js";
import { layoutOf } from "../layouts/layout-of.js";
import type { DeltaOfState } from "./certainty.js";
import type { ReplayedEntity } from "./entity.js";
import type { ContextReplay } from "./replay.js";

/** An entity whose row differs from the replay of the deltas. */
export interface Contradiction {
  /** The entity's id, 64 hex digits. */
  readonly entity: string;
  /**
   * The way in which it differs. `other data`, `not written by any delta`, `deleted by a delta`. `absent`: the entity
   * is not there. `damaged`: its data does not have the hash in its row, or is not there.
   */
  readonly how: "other data" | "not written by any delta" | "deleted by a delta" | "absent" | "damaged";
  /** SHA-256 of its data according to the deltas, 64 hex digits; undefined if they do not have it. */
  readonly wanted: string | undefined;
  /** SHA-256 of its data as it is, 64 hex digits; undefined if it, or its data, is not there. */
  readonly found: string | undefined;
  /** The delta that wrote or deleted it last; undefined if no delta did. */
  readonly delta: DeltaOfState | undefined;
  /**
   * The reason why a correct node can have the entity in this way; undefined if no correct node can. `merged`:
   * concurrent deltas changed the application's own fields, which only the application merges; one of them may be from
   * before the first delta. `dropped`: the node took over the state, and need not remember a deletion for more than a
   * day. `taken over`: no delta carries a hash, and no delta wrote the application's own fields, so the node may have
   * taken the entity over from another node. `unread`: the row of the entity does not decode.
   */
  readonly mayBe: "merged" | "dropped" | "taken over" | "unread" | undefined;
}

const APPLICATION = toHex(applicationStateId());

/** The number of entities whose data is read at a time. */
const BATCH = 256;

/**
 * Compares the rows of a context's state with the replay of its deltas. Entities with unknown data from before the
 * first delta are not compared. Moves the replay to its end.
 */
export async function* contradictions(
  reader: StoreReader<Schema>,
  replay: ContextReplay,
): AsyncGenerator<Contradiction, void, undefined> {
  checkArgument("contradictions", reader, isReader);
  checkArgument("contradictions", replay, isReplay);
  await replay.moveToFirst();
  const { tree } = replay;
  const rows = new EntityRows(reader.raw, fromHex(replay.contextId), layoutOf(reader.schema));
  const seen = new Set<string>();
  const pause = new Pause();
  const isBegun = await startsState(rows, replay);
  // A root hash that includes an entity contradicts a deletion of it.
  const isIncluded = await hasReplayedRoot(rows, replay);
  const mayBe = async (entity: string, how: Contradiction["how"]): Promise<Contradiction["mayBe"]> => {
    if (how === "absent")
      return !isIncluded && (replay.isJoined || replay.graph.isIncomplete) ? "dropped" : undefined;
    if (how === "not written by any delta" && !isBegun) return "taken over";
    if (entity !== APPLICATION || how !== "other data") return undefined;
    return (await isMerged(replay)) ? "merged" : undefined;
  };
  const hasEntry = ({ id, ownHash: hash }: IndexRow): boolean =>
    (replay.lastWriteOf(toHex(id)) !== undefined || !(equalBytes(id, rows.contextId) || isZeros(hash))) &&
    rows.layout.keysOf(id).some(({ what }) => what === "entry");
  for await (const chunk of rows.all())
    for (const some of slices(chunk, BATCH)) {
      await pause.ifLong();
      const data = await rows.stored(some.map(({ id }) => id));
      for (const [at, row] of some.entries()) {
        const entity = toHex(row.id);
        seen.add(entity);
        const difference = differenceOf(row, data[at], tree.get(entity), hasEntry);
        if (difference === undefined) continue;
        const delta = replay.lastWriteOf(entity);
        yield { entity, ...difference, delta, mayBe: await mayBe(entity, difference.how) };
      }
    }
  const hasRow = async (entity: string): Promise<boolean> => {
    const keys = rows.layout
      .keysOf(fromHex(entity))
      .flatMap(({ what, stateKey }) => (what === "entry" ? [] : [stateKey]));
    return (await rows.values(keys)).some((value) => value !== undefined);
  };
  for (const [entity, { ownHash: hash, deletedAt }] of tree.entities()) {
    if (pause.isLong) await pause.ifLong();
    if (!seen.has(entity) && deletedAt === undefined && hash !== undefined)
      yield {
        entity,
        how: "absent",
        wanted: toHex(hash),
        found: undefined,
        delta: replay.lastWriteOf(entity),
        mayBe: (await hasRow(entity)) ? "unread" : await mayBe(entity, "absent"),
      };
  }
}

/** The difference between the rows of an entity and the replay; undefined if they agree. */
function differenceOf(
  row: IndexRow,
  data: Uint8Array | undefined,
  replayed: ReplayedEntity | undefined,
  hasEntry: (row: IndexRow) => boolean,
): Pick<Contradiction, "how" | "wanted" | "found"> | undefined {
  const isDeleted = replayed?.deletedAt !== undefined;
  const hash = isDeleted ? undefined : replayed?.ownHash;
  if (replayed !== undefined && !isDeleted && hash === undefined) return undefined; // nothing says its data
  const isLive = row.deletedAt === null;
  const stored = data && ownHash(data);
  const wanted = hash && toHex(hash);
  // Before core-1.0 the data has a row of its own.
  const isWithout = stored === undefined && wanted === toHex(row.ownHash) && hasEntry(row);
  const found = isLive && !isWithout ? toHex(stored ?? row.ownHash) : undefined;
  if (isLive && (isWithout || (stored !== undefined && !equalBytes(stored, row.ownHash))))
    return { how: "damaged", wanted, found };
  if (wanted === found) return undefined;
  if (found === undefined) return { how: "absent", wanted, found };
  if (wanted !== undefined) return { how: "other data", wanted, found };
  return { how: isDeleted ? "deleted by a delta" : "not written by any delta", wanted, found };
}

/** Returns true if the root entity's row has the hash that the replay gives. */
async function hasReplayedRoot(rows: EntityRows, { rootHash }: ContextReplay): Promise<boolean> {
  const root = await rows.index(rows.contextId);
  return root !== undefined && rootHash !== undefined && equalBytes(root.fullHash, rootHash);
}

/**
 * Returns false if deltas without hashes do not begin the state: then the origin of entities that no delta wrote is
 * unknown.
 */
async function startsState(rows: EntityRows, { graph, tree }: ContextReplay): Promise<boolean> {
  if (graph.hasHashes || tree.get(APPLICATION)?.writer !== undefined) return true;
  return (await rows.index(applicationStateId())) === undefined;
}

/**
 * Returns true if the application's own fields are the merge of several deltas, one of which may be from before the
 * first delta: no later delta wrote the result.
 */
async function isMerged({ graph, followersOfBase }: ContextReplay): Promise<boolean> {
  const pause = new Pause();
  const id = applicationStateId();
  const writers: number[] = [];
  for (const [number, { actions }] of graph.deltas.entries())
    for (const action of actions ?? []) {
      if (pause.isLong) await pause.ifLong();
      if (!("data" in action) || !equalBytes(action.id, id)) continue;
      writers.push(number);
      break;
    }
  const heads = await graph.headsAmong(writers);
  const followers = await followersOfBase();
  return heads.length > 1 || heads.some((head) => followers?.has(head) === false);
}
