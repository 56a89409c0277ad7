/** Rows of Group: members, contexts, keys, names and, most of them, the operation logs. */
import { Payload } from "../../src/codec/index.js";
import {
  ContextGroupRef,
  GroupAlias,
  GroupContextIndex,
  GroupDefaultCaps,
  GroupKeyEntry,
  GroupLocalGovNonce,
  GroupMember,
  GroupMeta,
  GroupOpHead,
  GroupOpLog,
  NamespaceGovHead,
  NamespaceGovOp,
  NamespaceIdentity,
} from "../../src/index.js";
import { SignedGroupOp, StoredNamespaceEntry } from "../../src/payloads/index.js";
import type { GroupMetaValue } from "../../src/values/index.js";
import type { Random } from "../random.js";
import type { Filler, Put } from "./put.js";

const MEMBERS = 24;

/** The group of one context. Two thirds of its log are the group's own operations, a third the namespace's. */
export function* fillGroup(put: Put, random: Random, contextId: Uint8Array, rows: number): Filler {
  const groupId = random.id();
  putGroup(put, random, groupId, contextId);
  yield;
  const operations = Math.max(3, rows - 2 * MEMBERS - 10);
  const own = Math.floor((2 * operations) / 3);
  for (let sequence = 1; sequence <= own; sequence++) {
    put(
      new GroupOpLog({ groupId, sequence: BigInt(sequence) }),
      new Payload(SignedGroupOp, makeOperation(random)),
    );
    yield;
  }
  for (let count = own; count < operations; count++) {
    const skeletonBytes = random.bytes(random.between(208, 460));
    put(new NamespaceGovOp({ namespaceId: groupId, deltaId: random.id() }), {
      skeletonBytes: new Payload(StoredNamespaceEntry, skeletonBytes),
    });
    yield;
  }
  put(new GroupOpHead({ groupId }), { sequence: BigInt(own), dagHeads: [random.id()] });
  const sequence = BigInt(operations - own);
  put(new NamespaceGovHead({ namespaceId: groupId }), { sequence, dagHeads: [random.id()] });
}

/** A signed operation as the log has it. */
export function makeOperation(random: Random): Uint8Array {
  const bytes = random.bytes(random.between(207, 330));
  bytes[0] = 3; // the version of the layout
  return bytes;
}

/** A group; in every fifth one upgrades are coordinated. */
export function makeGroupMeta(random: Random): GroupMetaValue {
  const coordinated = random.chance(20);
  return {
    appKey: random.id(),
    targetApplicationId: random.id(),
    upgradePolicy: coordinated
      ? { kind: "Coordinated", deadline: { secs: 60n, nanos: 0 } }
      : { kind: "LazyOnAccess" },
    createdAt: 1_795_242_407n + BigInt(random.below(86_400)),
    adminIdentity: random.id(),
    migration: null,
    autoJoin: true,
  };
}

function putGroup(put: Put, random: Random, groupId: Uint8Array, contextId: Uint8Array): void {
  const meta = makeGroupMeta(random);
  put(new GroupMeta({ groupId }), meta);
  for (let count = 0; count < MEMBERS; count++) {
    const identity = count === 0 ? meta.adminIdentity : random.id();
    const role = count === 0 ? "Admin" : "Member";
    put(new GroupMember({ groupId, identity }), { role, privateKey: null, senderKey: null });
    put(new GroupLocalGovNonce({ groupId, signer: identity }), BigInt(random.between(1, 500)));
  }
  put(new GroupContextIndex({ groupId, contextId }), null);
  put(new ContextGroupRef({ contextId }), groupId);
  put(new GroupDefaultCaps({ groupId }), { capabilities: 3 });
  put(new GroupAlias({ groupId }), `group ${random.below(10_000)}`);
  const createdAt = meta.createdAt;
  put(new GroupKeyEntry({ groupId, keyId: random.id() }), { groupKey: random.id(), createdAt });
  put(new NamespaceIdentity({ namespaceId: groupId }), {
    publicKey: random.id(),
    privateKey: random.id(),
    senderKey: random.id(),
  });
}
