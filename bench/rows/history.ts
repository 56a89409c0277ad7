/** A namespace as a node has it that got all operations from others: mostly operations on groups, encrypted. */
import { createCipheriv } from "node:crypto";
import { Payload } from "../../src/codec/index.js";
import { groupOpId011, keyId, namespaceOpId011 } from "../../src/digests/index.js";
import {
  GroupKeyEntry,
  GroupLocalGovNonceWindow,
  GroupMember,
  GroupMemberCapability,
  GroupMemberMetadata,
  GroupOpHead,
  GroupOpLog,
  NamespaceGovHead,
  NamespaceGovOp,
  NamespaceParticipation,
  NodeIdentity,
} from "../../src/keys/index.js";
import {
  GroupOp011,
  SignedGroupOp011,
  type SignedNamespaceOp011,
  StoredNamespaceEntry011,
} from "../../src/payloads/index.js";
import type { Core011, KeysOf, ValueFor } from "../../src/schemas/index.js";
import type { Random } from "../random.js";

/** Receives one row. */
type Put = <K extends KeysOf<Core011>>(key: K, value: ValueFor<Core011, K>) => void;

const SIGNERS = 20;
const GROUPS = 10;

/** Writes so many operations with the rows that they lead to. */
export function fillHistory(put: Put, random: Random, operations: number): void {
  const namespaceId = random.id();
  const groups = Array.from({ length: GROUPS }, () => {
    const groupKey = random.id();
    const groupId = random.id();
    put(new GroupKeyEntry({ groupId, keyId: keyId(groupKey) }), {
      groupKey,
      createdAt: 1n,
      epoch: 0n,
      insertionSeq: 0n,
    });
    return { groupId, groupKey, members: [] as Uint8Array[], sequence: 0n, head: [] as Uint8Array[] };
  });
  const signers = Array.from({ length: SIGNERS }, () => random.id());
  const used = new Map<string, bigint[]>();
  let heads: readonly Uint8Array[] = [];
  for (let count = 0; count < operations; count++) {
    const at = random.below(GROUPS);
    const group = groups[at] as (typeof groups)[number];
    const by = random.below(SIGNERS);
    const signer = signers[by] as Uint8Array;
    const op = makeOp(put, random, group, signer);
    const nonce = BigInt(count + 1);
    const { groupId } = group;
    const unsigned: SignedNamespaceOp011 = {
      version: 7,
      namespaceId,
      parentOpHashes: [...heads],
      signer,
      nonce,
      op: {
        kind: "Group",
        groupId,
        keyId: keyId(group.groupKey),
        encrypted: encrypt(random, group.groupKey, op),
        keyRotation: null,
      },
      signature: random.bytes(64),
    };
    const deltaId = namespaceOpId011(unsigned);
    put(new NamespaceGovOp({ namespaceId, deltaId }), {
      skeletonBytes: Payload.of(StoredNamespaceEntry011, { kind: "Signed", value: unsigned }),
    });
    const logged: SignedGroupOp011 = {
      version: 10,
      groupId,
      parentOpHashes: [...heads],
      signer,
      nonce,
      op,
      signature: unsigned.signature,
    };
    put(new GroupOpLog({ groupId, sequence: ++group.sequence }), Payload.of(SignedGroupOp011, logged));
    group.head = [groupOpId011(logged)];
    heads = [deltaId];
    const name = `${at} ${by}`;
    const nonces = used.get(name);
    if (nonces === undefined) used.set(name, [nonce]);
    else if (nonces.length < 4096) nonces.push(nonce);
  }
  for (const { groupId, sequence, head } of groups)
    put(new GroupOpHead({ groupId }), { sequence, dagHeads: head });
  for (const [name, nonces] of used) {
    const [at, by] = name.split(" ").map(Number) as [number, number];
    const { groupId } = groups[at] as (typeof groups)[number];
    put(new GroupLocalGovNonceWindow({ groupId, signer: signers[by] as Uint8Array }), windowOf(nonces));
  }
  put(new NamespaceGovHead({ namespaceId }), { sequence: BigInt(operations), dagHeads: [...heads] });
  put(new NamespaceParticipation({ namespaceId }), { reserved: 0 });
  put(new NodeIdentity({}), { publicKey: random.id(), privateKey: random.id() });
}

interface Group {
  readonly groupId: Uint8Array;
  readonly members: Uint8Array[];
}

function windowOf(nonces: readonly bigint[]) {
  let floor = 0n;
  for (const nonce of nonces) if (nonce === floor + 1n) floor = nonce;
  return { floor, above: nonces.filter((nonce) => nonce > floor) };
}

/** A member is added, gets capabilities, or a name. */
function makeOp(put: Put, random: Random, { groupId, members }: Group, signer: Uint8Array): GroupOp011 {
  const kind = random.below(5);
  if (members.length === 0 || kind < 2) {
    const member = random.id();
    members.push(member);
    put(new GroupMember({ groupId, account: member }), {
      role: "ReadOnly",
      privateKey: null,
      senderKey: null,
      autoFollow: { contexts: true, subgroups: false },
    });
    return { kind: "MemberAdded", member, role: "ReadOnly" };
  }
  const member = random.pick(members);
  if (kind < 4) {
    const capabilities = random.below(512);
    put(new GroupMemberCapability({ groupId, account: member }), { capabilities });
    return { kind: "MemberCapabilitySet", member, capabilities };
  }
  const fields = { name: `member ${random.below(10_000)}`, data: new Map<string, string>() };
  put(new GroupMemberMetadata({ groupId, member }), { ...fields, updatedAt: 1n, updatedBy: signer });
  return { kind: "MemberMetadataSet", member, ...fields };
}

function encrypt(random: Random, key: Uint8Array, op: GroupOp011) {
  const nonce = random.bytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const body = [cipher.update(GroupOp011.encode(op)), cipher.final()];
  return { nonce, ciphertext: new Uint8Array(Buffer.concat([...body, cipher.getAuthTag()])) };
}
