/** The 1000 rows of one written batch: 600 of State, 270 of Delta, 130 of Group, as keys and values, and as bytes. */
import type { Codec } from "../src/codec/index.js";
import { core010 } from "../src/index.js";
import {
  ContextDagDelta,
  ContextState011,
  GroupMember010,
  GroupMeta,
  GroupOpLog,
} from "../src/keys/index.js";
import { SignedGroupOp010 } from "../src/payloads/index.js";
import type { ContextDagDeltaValue010, GroupMemberValue010, GroupMetaValue010 } from "../src/values/index.js";
import type { Random } from "./random.js";
import { makeDelta } from "./rows/delta.js";
import { makeGroupMeta, makeOperation, makeSigner } from "./rows/group.js";

interface Keyed<K, V> {
  readonly key: K;
  readonly value: V;
}

/** Rows by kind. */
export interface TypedRows {
  readonly deltas: readonly Keyed<ContextDagDelta, ContextDagDeltaValue010>[];
  readonly states: readonly Keyed<ContextState011, Uint8Array>[];
  readonly operations: readonly Keyed<GroupOpLog, Uint8Array>[];
  readonly members: readonly Keyed<GroupMember010, GroupMemberValue010>[];
  readonly groups: readonly Keyed<GroupMeta, GroupMetaValue010>[];
}

/** A row as the native binding takes it. */
export interface PlainRow {
  readonly column: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export function makeRows(random: Random): TypedRows {
  const contextId = random.id();
  const groupId = random.id();
  const signer = makeSigner(random);
  return {
    deltas: times(270, () => {
      const value = makeDelta(
        random,
        [random.id(), random.id()],
        random.bytes(600),
        random.id(),
        random.u64(),
      );
      return { key: new ContextDagDelta({ contextId, deltaId: value.deltaId }), value };
    }),
    states: times(600, () => ({
      key: new ContextState011({ contextId, stateKey: random.id() }),
      value: random.bytes(random.chance(50) ? 150 : random.between(50, 200)),
    })),
    operations: times(90, (index) => ({
      key: new GroupOpLog({ groupId, sequence: BigInt(index + 1) }),
      value: SignedGroupOp010.encode(
        makeOperation(random, groupId, [random.id()], signer, BigInt(index + 1)),
      ),
    })),
    members: times(30, () => ({
      key: new GroupMember010({ groupId, identity: random.id() }),
      value: { role: "Member", privateKey: null, senderKey: null },
    })),
    groups: times(10, () => ({ key: new GroupMeta({ groupId: random.id() }), value: makeGroupMeta(random) })),
  };
}

/** The same rows in the same order as bytes of their own. */
export function encodeRows(rows: TypedRows): PlainRow[] {
  const all = [...rows.deltas, ...rows.states, ...rows.operations, ...rows.members, ...rows.groups];
  return all.map(({ key, value }) => ({
    column: key.COLUMN,
    key: key.bytes.slice(),
    value: (core010.row(key.KIND).value as Codec<unknown>).encode(value).slice(),
  }));
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
