/** A context as nodes of core-0.10 write it. The collections of its private struct are in State and Delta. */
import { copyBytes } from "../../src/bytes/bytes.js";
import { concat } from "../../src/bytes/concat.js";
import { toHex } from "../../src/bytes/hex.js";
import { Payload } from "../../src/codec/index.js";
import { applicationStateId, entryStateKey, indexStateKey } from "../../src/digests/index.js";
import { type Action010, ActionList010, EntityIndex010, type Metadata010 } from "../../src/payloads/index.js";
import { ContextDagDeltaValue010 } from "../../src/values/index.js";
import type { HexRow } from "./transfer.js";

/** A row with private entities. */
export interface PrivateRow extends HexRow {
  readonly kind: "ContextPrivateState" | "ContextState" | "ContextDagDelta";
  /** The secret parts of the row. Empty if only the id of a private collection is secret. */
  readonly canaries: readonly Uint8Array[];
  /** True if the row is shown without its private entities. */
  readonly partly: boolean;
}

/** The rows of such a context. */
export interface PrivateCollections {
  readonly contextId: Uint8Array;
  readonly secret: readonly PrivateRow[];
  /** Rows that are shown whole. */
  readonly open: readonly HexRow[];
  /** The private entities: all entities that the handle in PrivateState reaches. */
  readonly ids: readonly Uint8Array[];
}

type Bytes = (size: number) => Uint8Array;

const metadata = (fieldName: string | null = null): Metadata010 => ({
  createdAt: 1n,
  updatedAt: 2n,
  storageType: { kind: "Public" },
  crdtType: null,
  fieldName,
});

/**
 * A private map with four entries: a plain entry, a damaged one, one that was removed and is only in a delta, and one
 * whose value is another map with an entry. Beside it a public map with an entry, which private data names too.
 *
 * @param keysOf makes ids for keys: contexts, entities, deltas
 * @param secretOf makes secrets; each is a canary
 */
export function privateCollections(keysOf: Bytes, secretOf: Bytes): PrivateCollections {
  const ids = (
    ["context", "games", "game", "map", "entry", "damaged", "removed", "inner", "nested"] as const
  ).map((name) => [name, keysOf(32)] as const);
  const id = Object.fromEntries(ids) as Record<(typeof ids)[number][0], Uint8Array>;
  const contextId = id.context;
  const deltaIds = [keysOf(32), keysOf(32), keysOf(32)] as const;
  const structKey = keysOf(32);
  const application = applicationStateId();

  let planted: Uint8Array[] = [];
  const canary = (size = 32): Uint8Array => {
    const bytes = secretOf(size);
    planted.push(bytes);
    return bytes;
  };
  const rows: PrivateRow[] = [];
  const secret = (kind: PrivateRow["kind"], key: Uint8Array, value: Uint8Array, partly = false): void => {
    const column = { ContextPrivateState: "PrivateState", ContextState: "State", ContextDagDelta: "Delta" }[
      kind
    ];
    rows.push({
      column,
      kind,
      key: toHex(concat(contextId, key)),
      value: toHex(value),
      canaries: planted,
      partly,
    });
    planted = [];
  };
  const child = (of: Uint8Array, hash: Uint8Array, name: string | null = null) => ({
    id: of,
    merkleHash: hash,
    metadata: metadata(name),
  });
  const index = (
    of: Uint8Array,
    parentId: Uint8Array | null,
    children: readonly ReturnType<typeof child>[] | null,
    hash: () => Uint8Array,
    name: string | null = null,
  ): Uint8Array => {
    const hashes = { fullHash: hash(), ownHash: hash() };
    return copyBytes(
      EntityIndex010.encode({
        id: of,
        parentId,
        children,
        ...hashes,
        metadata: metadata(name),
        deletedAt: null,
      }),
    );
  };
  const text = (): string => {
    const letters = secretOf(24).map((byte) => 97 + (byte % 26));
    planted.push(letters);
    return new TextDecoder().decode(letters);
  };

  secret("ContextPrivateState", structKey, concat(canary(), id.map, id.games, contextId, canary(16)));
  // Private entities.
  const mapChildren = [id.entry, id.damaged].map((of) => child(of, canary(), text()));
  secret("ContextState", indexStateKey(id.map), index(id.map, contextId, mapChildren, canary, text()));
  secret("ContextState", indexStateKey(id.entry), index(id.entry, id.map, null, canary));
  secret("ContextState", entryStateKey(id.entry), concat(canary(20), id.inner, id.entry));
  secret("ContextState", entryStateKey(id.damaged), concat(canary(40), id.damaged.subarray(0, 9)));
  secret(
    "ContextState",
    indexStateKey(id.inner),
    index(id.inner, contextId, [child(id.nested, canary())], canary),
  );
  secret("ContextState", indexStateKey(id.damaged), index(id.damaged, id.map, null, canary));
  secret("ContextState", indexStateKey(id.nested), index(id.nested, id.inner, null, canary));
  secret("ContextState", entryStateKey(id.nested), concat(canary(33), id.nested));
  // Rows that name private entities beside others.
  const rootChildren = [
    child(id.games, keysOf(32), "games"),
    child(application, keysOf(32)),
    child(id.map, canary(), text()),
    child(id.inner, canary()),
  ];
  secret(
    "ContextState",
    indexStateKey(contextId),
    index(contextId, null, rootChildren, () => keysOf(32)),
    true,
  );
  const root = child(contextId, keysOf(32));
  const games = child(id.games, keysOf(32), "games");
  const update = (
    of: Uint8Array,
    data: Uint8Array,
    ancestors: readonly ReturnType<typeof child>[],
  ): Action010 => ({
    kind: "Update",
    id: of,
    data,
    ancestors,
    metadata: metadata(),
  });
  const delta = (deltaId: Uint8Array, actions: readonly Action010[], events: Uint8Array | null): Uint8Array =>
    copyBytes(
      ContextDagDeltaValue010.encode({
        deltaId,
        parents: [new Uint8Array(32)],
        actions: Payload.of(ActionList010, actions),
        hlc: { time: 77n, id: 78n },
        applied: true,
        expectedRootHash: root.merkleHash,
        events,
      }),
    );
  const publicAction = update(id.game, concat(keysOf(10), id.game), [games, root]);
  const genesis = update(application, concat(id.games, application), [root]);
  const below = (): ReturnType<typeof child>[] => [child(id.map, canary()), root];
  secret(
    "ContextDagDelta",
    deltaIds[0],
    delta(
      deltaIds[0],
      [
        update(id.entry, concat(canary(), id.inner, id.entry), below()),
        publicAction,
        update(id.removed, concat(canary(), id.removed), below()),
      ],
      canary(30),
    ),
    true,
  );
  secret(
    "ContextDagDelta",
    deltaIds[1],
    delta(
      deltaIds[1],
      [publicAction, { kind: "DeleteRef", id: id.removed, deletedAt: 9n, metadata: metadata(text()) }],
      null,
    ),
    true,
  );

  const open = (column: string, key: Uint8Array, value: Uint8Array): HexRow => ({
    column,
    key: toHex(concat(contextId, key)),
    value: toHex(value),
  });
  const games_ = index(id.games, contextId, [child(id.game, keysOf(32))], () => keysOf(32), "games");
  return {
    contextId,
    secret: rows,
    open: [
      open("State", indexStateKey(id.games), games_),
      open("State", entryStateKey(id.games), concat(id.games)),
      open(
        "State",
        indexStateKey(id.game),
        index(id.game, id.games, null, () => keysOf(32)),
      ),
      open("State", entryStateKey(id.game), concat(keysOf(20), id.game)),
      open(
        "State",
        indexStateKey(application),
        index(application, contextId, null, () => keysOf(32)),
      ),
      open("State", entryStateKey(application), concat(id.games, application)),
      open("Delta", deltaIds[2], delta(deltaIds[2], [genesis, publicAction], keysOf(30))),
    ],
    ids: [id.map, id.entry, id.damaged, id.removed, id.inner, id.nested],
  };
}
