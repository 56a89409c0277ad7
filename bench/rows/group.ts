/** Rows of Group: members, contexts, keys, names and, most of them, the operation logs. */
import { Payload } from "../../src/codec/index.js";
import { derivePublicKey, sign } from "../../src/crypto/index.js";
import {
  groupOpId010,
  groupOpSigningBytes010,
  keyId,
  namespaceOpId010,
  namespaceOpSigningBytes010,
} from "../../src/digests/index.js";
import {
  ContextGroupRef,
  GroupAlias,
  GroupContextIndex,
  GroupDefaultCaps,
  GroupKeyEntry,
  GroupLocalGovNonce,
  GroupMember010,
  GroupMeta,
  GroupOpHead,
  GroupOpLog,
  NamespaceGovHead,
  NamespaceGovOp,
  NamespaceIdentity,
} from "../../src/keys/index.js";
import {
  SignedGroupOp010,
  type SignedNamespaceOp010,
  StoredNamespaceEntry010,
} from "../../src/payloads/index.js";
import type { GroupMetaValue010 } from "../../src/values/index.js";
import type { Random } from "../random.js";
import type { Filler, Put } from "./put.js";

const MEMBERS = 24;

/** Who signs operations. */
interface Signer {
  readonly seed: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** The group of one context. Two thirds of its log are the group's own operations, a third the namespace's. */
export function* fillGroup(put: Put, random: Random, contextId: Uint8Array, rows: number): Filler {
  const groupId = random.id();
  const members = Array.from({ length: MEMBERS }, () => makeSigner(random));
  const operations = Math.max(3, rows - 2 * MEMBERS - 10);
  const own = Math.floor((2 * operations) / 3);
  putGroup(put, random, groupId, contextId, members, BigInt(operations));
  yield;
  let heads: readonly Uint8Array[] = [];
  for (let count = 1; count <= own; count++) {
    const sequence = BigInt(count);
    const operation = makeOperation(random, groupId, heads, random.pick(members), sequence);
    heads = [groupOpId010(operation)];
    put(new GroupOpLog({ groupId, sequence }), Payload.of(SignedGroupOp010, operation));
    yield;
  }
  put(new GroupOpHead({ groupId }), { sequence: BigInt(own), dagHeads: heads });
  heads = [];
  for (let count = own + 1; count <= operations; count++) {
    const operation = makeNamespaceOperation(random, groupId, heads, random.pick(members), BigInt(count));
    const deltaId = namespaceOpId010(operation);
    heads = [deltaId];
    put(new NamespaceGovOp({ namespaceId: groupId, deltaId }), {
      skeletonBytes: Payload.of(StoredNamespaceEntry010, { kind: "Signed", value: operation }),
    });
    yield;
  }
  const sequence = BigInt(operations - own);
  put(new NamespaceGovHead({ namespaceId: groupId }), { sequence, dagHeads: heads });
}

const ZEROS = new Uint8Array(32);

export function makeSigner(random: Random): Signer {
  const seed = random.id();
  return { seed, publicKey: derivePublicKey(seed) };
}

/** A signed operation as the log has it: 212 to 335 bytes. */
export function makeOperation(
  random: Random,
  groupId: Uint8Array,
  parentOpHashes: readonly Uint8Array[],
  { seed, publicKey: signer }: Signer,
  nonce: bigint,
): SignedGroupOp010 {
  const alias = "a".repeat(random.between(0, 123));
  const unsigned: SignedGroupOp010 = {
    version: 3,
    groupId,
    parentOpHashes,
    stateHash: ZEROS,
    signer,
    nonce,
    op: { kind: "GroupAliasSet", alias },
    signature: new Uint8Array(64),
  };
  return { ...unsigned, signature: sign(seed, groupOpSigningBytes010(unsigned)) };
}

/** A signed operation of a namespace: 216 to 460 bytes. */
function makeNamespaceOperation(
  random: Random,
  namespaceId: Uint8Array,
  parentOpHashes: readonly Uint8Array[],
  { seed, publicKey: signer }: Signer,
  nonce: bigint,
): SignedNamespaceOp010 {
  const policyBytes = random.bytes(random.between(0, 244));
  const unsigned: SignedNamespaceOp010 = {
    version: 1,
    namespaceId,
    parentOpHashes,
    stateHash: ZEROS,
    signer,
    nonce,
    op: { kind: "Root", value: { kind: "PolicyUpdated", policyBytes } },
    signature: new Uint8Array(64),
  };
  return { ...unsigned, signature: sign(seed, namespaceOpSigningBytes010(unsigned)) };
}

/** A group; in every fifth one upgrades are coordinated. */
export function makeGroupMeta(random: Random): GroupMetaValue010 {
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

function putGroup(
  put: Put,
  random: Random,
  groupId: Uint8Array,
  contextId: Uint8Array,
  members: readonly Signer[],
  nonce: bigint,
): void {
  const admin = members[0] as Signer;
  const meta = { ...makeGroupMeta(random), adminIdentity: admin.publicKey };
  put(new GroupMeta({ groupId }), meta);
  for (const member of members) {
    const identity = member.publicKey;
    const role = member === admin ? "Admin" : "Member";
    put(new GroupMember010({ groupId, identity }), { role, privateKey: null, senderKey: null });
    put(new GroupLocalGovNonce({ groupId, signer: identity }), nonce);
  }
  put(new GroupContextIndex({ groupId, contextId }), null);
  put(new ContextGroupRef({ contextId }), groupId);
  put(new GroupDefaultCaps({ groupId }), { capabilities: 3 });
  put(new GroupAlias({ groupId }), `group ${random.below(10_000)}`);
  const createdAt = meta.createdAt;
  const groupKey = random.id();
  put(new GroupKeyEntry({ groupId, keyId: keyId(groupKey) }), { groupKey, createdAt });
  const { seed, publicKey } = makeSigner(random);
  put(new NamespaceIdentity({ namespaceId: groupId }), {
    publicKey,
    privateKey: seed,
    senderKey: random.id(),
  });
}
