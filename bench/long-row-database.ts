/** A database of core-0.11 with one context, one delta of which has as many actions as are decoded, all in one map. */
import { concat, concatAll } from "../src/bytes/concat.js";
import { toHex } from "../src/bytes/hex.js";
import { Payload, str } from "../src/codec/index.js";
import { applicationStateId, collectionId, deltaId011, mapEntryId } from "../src/digests/index.js";
import { core011, type Overlay, openStore } from "../src/index.js";
import { ContextConfig, ContextDagDelta, ContextMeta } from "../src/keys/index.js";
import { type Action011, ActionList011, MOST_ACTIONS } from "../src/payloads/index.js";
import { type ContextReplay, readerAt, readReplay } from "../src/state/index.js";
import { keptDatabase } from "./kept-database.js";
import { Random } from "./random.js";
import { CONTEXT, plainMetadata } from "./replayed-context.js";

/** Increase it if the same seed produces other rows. */
const SHAPE = 1;
const SEED = 20_261_128;
const FIELD = "items";
const BEGIN = 1_795_242_408_000_000_000n;

/** The manifest of the context's application. */
export const manifest = {
  schema_version: "wasm-abi/1",
  types: {
    State: {
      kind: "record",
      fields: [
        {
          name: FIELD,
          type: {
            kind: "map",
            key: { kind: "string" },
            value: { kind: "string" },
            crdt_type: "unordered_map",
          },
        },
      ],
    },
  },
  methods: [],
  events: [],
  state_root: "State",
};

/** The key of an entry. */
export function keyAt(entry: number): string {
  return `k${entry}`;
}

/** Returns the folder of the database. The last action has the root hash that the state has then. */
export async function makeLongRow(say: (sentence: string) => void): Promise<string> {
  const name = `core-0.11-long-row-seed-${SEED}-shape-${SHAPE}`;
  return (await keptDatabase({ name, columns: core011.columns, fill }, say)).path;
}

async function fill(path: string): Promise<number> {
  await using store = await openStore(path, { create: true, schema: core011 });
  const draft = await putContext(store.overlay(), new Uint8Array(32), new Uint8Array(32));
  const hashes: Uint8Array[] = [];
  for (const count of [1, 2]) {
    await draft.moveToFirst(count);
    hashes.push(draft.rootHash as Uint8Array);
  }
  const [first, last] = hashes as [Uint8Array, Uint8Array];
  const overlay = store.overlay();
  const replay = await putContext(overlay, first, last);
  await overlay.commit();
  await replay.moveToFirst();
  for await (const rows of (await readerAt(store, replay)).raw.scan("State").chunks())
    await store.raw.write(rows.map((row) => ({ type: "put", column: "State", ...row })));
  return 2 * MOST_ACTIONS + 8;
}

/** Puts a context whose two deltas say the root hashes that they lead to. */
async function putContext(
  overlay: Overlay<typeof core011>,
  first: Uint8Array,
  last: Uint8Array,
): Promise<ContextReplay> {
  const random = new Random(SEED);
  const [map, state, then] = [collectionId(FIELD), applicationStateId(), BEGIN + 1_000_000_000n];
  const root = (merkleHash: Uint8Array) => ({
    id: CONTEXT,
    merkleHash,
    metadata: plainMetadata(BEGIN, BEGIN),
  });
  const above = { ...root(random.id()), id: map };
  const metadata = plainMetadata(BEGIN, BEGIN);
  const lists: readonly (readonly Action011[])[] = [
    [
      { kind: "Add", id: map, data: map, ancestors: [root(random.id())], metadata },
      { kind: "Add", id: state, data: concat(map, state), ancestors: [root(first)], metadata },
    ],
    Array.from({ length: MOST_ACTIONS }, (_, entry) => {
      const key = keyAt(entry);
      const id = mapEntryId(map, new TextEncoder().encode(key));
      const data = concatAll([str.encode(key), str.encode(toHex(random.bytes(90))), id]);
      const hash = entry + 1 < MOST_ACTIONS ? random.id() : last;
      return { kind: "Add", id, data, ancestors: [above, root(hash)], metadata: plainMetadata(then, then) };
    }),
  ];
  let head: Uint8Array = new Uint8Array(32);
  for (const [number, actions] of lists.entries()) {
    const parents = [head];
    head = deltaId011(parents, actions);
    overlay.put(new ContextDagDelta({ contextId: CONTEXT, deltaId: head }), {
      deltaId: head,
      parents,
      actions: Payload.of(ActionList011, actions),
      hlc: { time: (1_795_242_408n + BigInt(number)) << 32n, id: 7n },
      applied: true,
      checkpointRootHash: null,
      events: null,
      authorId: random.id(),
      governancePositionBlob: null,
      deltaSignature: null,
    });
  }
  overlay.put(new ContextConfig({ contextId: CONTEXT }), { applicationRevision: 1n, membersRevision: 1n });
  overlay.put(new ContextMeta({ contextId: CONTEXT }), {
    ...{ application: random.id(), rootHash: last, dagHeads: [head], serviceName: null },
  });
  return readReplay(overlay, CONTEXT);
}
