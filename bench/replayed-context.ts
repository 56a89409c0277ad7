/** A database of core-0.11 with one context, whose deltas write the entries of a map. */
import { concat } from "../src/bytes/concat.js";
import { Payload } from "../src/codec/index.js";
import { applicationStateId, collectionId, deltaId011, mapEntryId } from "../src/digests/index.js";
import { core011, openStore } from "../src/index.js";
import { ContextConfig, ContextDagDelta, ContextMeta } from "../src/keys/index.js";
import { type Action011, ActionList011, type ChildInfo, type Metadata011 } from "../src/payloads/index.js";
import { keptDatabase } from "./kept-database.js";
import { Random } from "./random.js";

/** Increase it if the same seed produces other rows. */
const SHAPE = 1;
const SEED = 20_261_126;
const BATCH = 1000;

/** The context's id. */
export const CONTEXT = new Uint8Array(32).fill(0xc0);

/**
 * Returns the folder of a database whose context has `deltas` deltas: every second one adds an entry, the others change one.
 * Every tenth stands beside the one before it. Hashes are random.
 */
export async function makeReplayed(deltas: number, say: (sentence: string) => void): Promise<string> {
  const name = `core-0.11-replayed-${deltas}-seed-${SEED}-shape-${SHAPE}`;
  return (await keptDatabase({ name, columns: core011.columns, fill: (path) => fill(path, deltas) }, say))
    .path;
}

async function fill(path: string, deltas: number): Promise<number> {
  await using store = await openStore(path, { create: true, schema: core011 });
  const random = new Random(SEED);
  const authors = [random.id(), random.id(), random.id()];
  const map = collectionId("items");
  const entries: { readonly id: Uint8Array; readonly createdAt: bigint }[] = [];
  const begin = 1_795_242_408_000_000_000n;
  let heads: Uint8Array[] = [new Uint8Array(32)];
  let before = heads;
  let batch = store.batch();
  for (let count = 0; count < deltas; count++) {
    const now = begin + BigInt(count) * 1_000_000_000n;
    const above = (id: Uint8Array): ChildInfo => ({
      id,
      merkleHash: random.id(),
      metadata: plainMetadata(begin, now),
    });
    const actions: Action011[] = [];
    if (count === 0)
      actions.push({
        kind: "Add",
        id: map,
        data: map,
        ancestors: [above(CONTEXT)],
        metadata: plainMetadata(now, now),
      });
    const isNew = count % 2 === 0;
    const entry = isNew
      ? { id: mapEntryId(map, random.id()), createdAt: now }
      : (entries[random.below(entries.length)] as (typeof entries)[number]);
    if (isNew) entries.push(entry);
    const { id, createdAt } = entry;
    const state = applicationStateId();
    actions.push(
      {
        kind: isNew ? "Add" : "Update",
        id,
        data: concat(random.bytes(random.between(20, 80)), id),
        ancestors: [above(map), above(CONTEXT)],
        metadata: plainMetadata(createdAt, now),
      },
      {
        kind: "Update",
        id: state,
        data: concat(map, state),
        ancestors: [above(CONTEXT)],
        metadata: plainMetadata(begin, now),
      },
      { kind: "Update", id: CONTEXT, data: CONTEXT, ancestors: [], metadata: plainMetadata(begin, now) },
    );
    const isBeside = count % 10 === 9;
    const parents = isBeside ? before : heads;
    const deltaId = deltaId011(parents, actions);
    batch.put(new ContextDagDelta({ contextId: CONTEXT, deltaId }), {
      deltaId,
      parents,
      actions: new Payload(ActionList011, ActionList011.encode(actions)),
      hlc: { time: (1_795_242_408n + BigInt(count)) << 32n, id: 7n },
      applied: true,
      checkpointRootHash: null,
      events: null,
      authorId: random.pick(authors),
      governancePositionBlob: null,
      deltaSignature: null,
    });
    [before, heads] = [heads, isBeside ? [...heads, deltaId] : [deltaId]];
    if (batch.length < BATCH && count + 1 < deltas) continue;
    await batch.write();
    batch = store.batch();
  }
  batch.put(new ContextConfig({ contextId: CONTEXT }), { applicationRevision: 1n, membersRevision: 1n });
  batch.put(new ContextMeta({ contextId: CONTEXT }), {
    application: random.id(),
    rootHash: random.id(),
    dagHeads: heads,
    serviceName: null,
  });
  await batch.write();
  return deltas + 2;
}

/** The metadata of an entity that anybody may change. */
export function plainMetadata(createdAt: bigint, updatedAt: bigint): Metadata011 {
  return {
    createdAt,
    updatedAt,
    storageType: { kind: "Public" },
    crdtType: null,
    fieldName: null,
    schemaVersion: null,
  };
}
