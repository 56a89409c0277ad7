/** A namespace of core-1.0 with an admin, members who come and go, a change of the key, and sealed operations. */
import { fromHex } from "../../../src/bytes/hex.js";
import { Payload } from "../../../src/codec/index.js";
import { sign } from "../../../src/crypto/index.js";
import * as digest from "../../../src/digests/index.js";
import * as key from "../../../src/keys/index.js";
import {
  GroupOp,
  type NamespaceOp,
  Op,
  RootOp,
  SignedGroupOp,
  SignedNamespaceOp,
  StoredNamespaceEntry,
  UnwrappedGroupOp,
} from "../../../src/payloads/index.js";
import { core10 } from "../../../src/schemas/index.js";
import type { Store } from "../../../src/store/index.js";
import { memoryStore } from "../../../src/testing/memory-store.js";
import { type Actor, Chance, encrypt, makeActor } from "../../node/replay/histories/actors.js";

export type Core10Store = Store<typeof core10>;

const ZEROS = new Uint8Array(32);
const NO_SIGNATURE = new Uint8Array(64);
const JOINED = 1_795_000_000n;
/** The capabilities of new members: to join open groups. */
const FOUNDERS_DEFAULT = 4;

const proofOf = ({ genesis, cert }: Actor) => ({ genesis, chain: [], statement: cert });

/** The actors and ids of the namespace. Dave joined through a relay. */
export interface Governed {
  readonly store: Core10Store;
  readonly alice: Actor;
  readonly bob: Actor;
  readonly carol: Actor;
  readonly dave: Actor;
  readonly namespaceId: Uint8Array;
  readonly groupId: Uint8Array;
  /** The ids of the operations, in order, by their effect. */
  readonly ids: Readonly<Record<string, Uint8Array>>;
}

/** Makes the namespace as the node of alice, its admin, has it. */
export async function governed(): Promise<Governed> {
  const chance = new Chance(10);
  const [alice, bob, carol, dave] = Array.from({ length: 4 }, () => makeActor(chance, true)) as [
    Actor,
    Actor,
    Actor,
    Actor,
  ];
  const store = memoryStore(core10);
  const idOf = ({ id }: Actor): Uint8Array => fromHex(id);
  const salt = chance.bytes(32);
  const namespaceId = digest.foundedNamespaceId(idOf(alice), salt);
  const created = { parentId: namespaceId, restricted: true, admin: idOf(alice), salt };
  const groupId = digest.createdGroupId(created);
  const [first, second, ofGroup] = [chance.bytes(32), chance.bytes(32), chance.bytes(32)];
  const ids: Record<string, Uint8Array> = {};
  let parents: readonly Uint8Array[] = [];
  let nonce = 0n;
  let logged = 0n;
  let lastLogged: Uint8Array | undefined;

  const signed = (actor: Actor, op: NamespaceOp, endorsed?: Uint8Array): SignedNamespaceOp => {
    const unsigned = {
      kind: "today" as const,
      version: 23,
      namespaceId,
      parentOpHashes: parents,
      signer: fromHex(actor.publicKey),
      nonce,
      op,
      signature: NO_SIGNATURE,
      admitterEndorsement:
        endorsed === undefined
          ? null
          : { signer: fromHex(alice.publicKey), signature: sign(alice.seed, endorsed) },
    };
    return { ...unsigned, signature: sign(actor.seed, digest.namespaceOpSigningBytes(unsigned)) };
  };
  const add = async (name: string, operation: SignedNamespaceOp, by: Actor): Promise<void> => {
    const id = digest.namespaceOpId(operation);
    ids[name] = id;
    parents = [id];
    const entry = Payload.of(StoredNamespaceEntry, { kind: "Signed", value: operation });
    await store.put(new key.NamespaceGovOp({ namespaceId, deltaId: id }), { skeletonBytes: entry });
    const { kind } = operation.op;
    if (kind !== "Root" && kind !== "Group") return;
    const authorship = { account: idOf(by), device: by.cert.device, deviceKey: fromHex(by.publicKey) };
    const form: Op = {
      kind: "today",
      id,
      scope: namespaceId,
      parents: operation.parentOpHashes,
      authorship,
      hlc: { time: 0n, id: 1n },
      payload: { kind: "Noop" },
      expectedScopeRoot: ZEROS,
      signature: NO_SIGNATURE,
    };
    await store.put(new key.ScopeUnifiedOp({ scope: namespaceId, opId: id }), Payload.of(Op, form));
  };
  const root = (name: string, by: Actor, value: RootOp, endorsed?: Uint8Array): Promise<void> => {
    nonce++;
    return add(name, signed(by, { kind: "Root", value }, endorsed), by);
  };
  const seal = (secret: Uint8Array, plain: Uint8Array) => ({
    keyId: digest.keyId(secret),
    encrypted: encrypt(secret, chance.bytes(12), plain),
  });
  /** An operation on the namespace's own group, which the node has applied and logged. */
  const onGroup = async (name: string, by: Actor, op: GroupOp, secret: Uint8Array, next?: Uint8Array) => {
    nonce++;
    const keyRotation = next === undefined ? null : { newKeyId: digest.keyId(next), envelopes: [] };
    const operation = signed(by, {
      kind: "Group",
      groupId: namespaceId,
      ...seal(secret, GroupOp.encode(op)),
      keyRotation,
    });
    const unsigned: SignedGroupOp = {
      kind: "today",
      version: 16,
      groupId: namespaceId,
      parentOpHashes: lastLogged === undefined ? [] : [lastLogged],
      signer: operation.signer,
      nonce: ++logged,
      op,
      signature: NO_SIGNATURE,
    };
    const log = { ...unsigned, signature: sign(by.seed, digest.groupOpSigningBytes(unsigned)) };
    lastLogged = digest.groupOpId(log);
    const at = new key.GroupOpLog({ groupId: namespaceId, sequence: logged });
    await store.put(at, Payload.of(SignedGroupOp, log));
    await add(name, operation, by);
  };

  await root("founded", alice, {
    kind: "NamespaceCreatedV2",
    founder: idOf(alice),
    account: proofOf(alice),
    salt,
  });
  const invitation = {
    inviterIdentity: fromHex(alice.publicKey),
    groupId: namespaceId,
    expirationTimestamp: 0n,
    invitationNonce: chance.bytes(32),
    invitedRole: 1,
    admitters: [idOf(alice)],
  };
  const joined = {
    kind: "MemberJoinedAt" as const,
    joinedAt: JOINED,
    signedInvitation: {
      invitation,
      inviterSignature: Buffer.from(sign(alice.seed, digest.invitationDigest(invitation))).toString("hex"),
      inviterAccount: idOf(alice),
      admitterAddrs: [],
      applicationId: null,
      appKey: null,
    },
  };
  await root(
    "joined",
    bob,
    { ...joined, member: idOf(bob), account: proofOf(bob) },
    digest.admitterSigningBytes(namespaceId, idOf(bob), invitation.invitationNonce),
  );
  await root("created", alice, { kind: "GroupCreated", groupId, ...created });
  await onGroup("added", alice, { kind: "MemberAdded", member: idOf(carol), role: "Member" }, first);
  await onGroup(
    "removed",
    alice,
    {
      kind: "MemberRemoved",
      member: idOf(carol),
      expectedGroupStateHash: ZEROS,
      expectedContextStateHashes: [],
    },
    first,
    second,
  );
  const rotated = nonce;
  nonce++;
  const admin = RootOp.encode({ kind: "AdminChanged", newAdmin: idOf(alice) });
  await add("sealed", signed(alice, { kind: "RootSealed", ...seal(second, admin) }), alice);
  nonce++;
  await add(
    "sealedForGroup",
    signed(alice, { kind: "RootSealedForGroup", groupId, ...seal(ofGroup, admin) }),
    alice,
  );
  nonce++;
  const relayed = signed(dave, {
    kind: "Root",
    value: { ...joined, member: idOf(dave), account: proofOf(dave) },
  });
  const whole = seal(second, SignedNamespaceOp.encode(relayed));
  await add("relayed", signed(alice, { kind: "RootRelaySealed", ...whole }), alice);

  const role: UnwrappedGroupOp = { kind: "MemberRoleSet", member: idOf(bob), role: "Admin" };
  const warrant = {
    scope: namespaceId,
    kind: "Group" as const,
    authorAccount: idOf(bob),
    authorDeviceKey: fromHex(bob.publicKey),
    executor: idOf(alice),
    executorKey: fromHex(alice.publicKey),
    opHash: digest.governanceOpHash("Group", UnwrappedGroupOp.encode(role)),
    accountHeads: [],
    governanceFloor: parents,
    nonce: 1n,
    notAfter: JOINED,
  };
  const delegation = {
    warrant: { ...warrant, signature: sign(bob.seed, digest.governanceWarrantDigest(warrant)) },
    authorProof: proofOf(bob),
    executorProof: proofOf(alice),
    executorKey: fromHex(alice.publicKey),
  };
  await onGroup("onBehalf", alice, { kind: "OnBehalf", op: role, delegation }, second);
  const transfer: UnwrappedGroupOp = { kind: "TransferOwnership", newOwner: idOf(alice) };
  const consent = {
    account: idOf(alice),
    namespace: namespaceId,
    group: namespaceId,
    kind: "TransferOwnership" as const,
    opDigest: digest.ownerOpDigest(UnwrappedGroupOp.encode(transfer)),
    counter: 1n,
    keyEpoch: 0,
  };
  const statement = { ...consent, signature: sign(alice.rootSeed, digest.ownerConsentDigest(consent)) };
  const proof = { genesis: alice.genesis, chain: [], statement };
  await onGroup("guarded", alice, { kind: "RootGuarded", op: transfer, proof }, second);

  await store.put(new key.NamespaceGovHead({ namespaceId }), {
    sequence: BigInt(Object.keys(ids).length),
    dagHeads: parents,
  });
  await store.put(new key.GroupOpHead({ groupId: namespaceId }), {
    sequence: logged,
    dagHeads: lastLogged === undefined ? [] : [lastLogged],
  });
  await ownRows(store, alice);
  await store.put(new key.NamespaceParticipation({ namespaceId }), { reserved: 0 });
  for (const [group, secrets] of [
    [
      namespaceId,
      [
        [first, 0n],
        [second, rotated],
      ],
    ],
    [groupId, [[ofGroup, 0n]]],
  ] as const)
    await groupRows(store, group, secrets, [
      [alice, "Admin"],
      ...(group === namespaceId
        ? ([
            [bob, "Admin"],
            [dave, "Member"],
          ] as const)
        : []),
    ]);
  for (const actor of [alice, bob, dave]) await bindingRows(store, namespaceId, actor);
  for (const actor of [bob, dave])
    await store.put(new key.GroupMemberCapability({ groupId: namespaceId, account: idOf(actor) }), {
      capabilities: FOUNDERS_DEFAULT,
    });
  const leaver = { groupId: namespaceId, account: idOf(carol) };
  await store.put(new key.GroupDeniedMember(leaver), null);
  await store.put(new key.GroupInheritedDeniedMember(leaver), null);
  await store.put(new key.GroupReentryBlock(leaver), { reason: "Removed" });
  await store.put(new key.GroupParentRef({ childGroupId: groupId }), namespaceId);
  await store.put(new key.GroupChildIndex({ parentGroupId: namespaceId, childGroupId: groupId }), null);
  await store.put(new key.GroupSubgroupVis({ groupId }), { mode: 1 });
  await store.put(new key.GroupMemberIndexBackfilled({ reserved: ZEROS }), null);
  const signer = fromHex(alice.publicKey);
  await store.put(new key.GroupLocalGovNonceWindow({ groupId: namespaceId, signer }), {
    floor: logged,
    above: [],
  });
  return { store, alice, bob, carol, dave, namespaceId, groupId, ids };
}

/** The rows of the node itself. */
async function ownRows(store: Core10Store, { seed, rootSeed, kemSecret, publicKey, cert, genesis }: Actor) {
  await store.put(new key.NodeIdentity({}), { publicKey: fromHex(publicKey), privateKey: seed });
  await store.put(new key.NodeAccountRoot({}), { rootSecret: rootSeed });
  await store.put(new key.NodeDeviceIdentity({}), {
    accountRootPk: genesis.rootSignPk,
    deviceId: cert.device,
    kemSecret,
  });
}

/** The rows of a group: its keys, and its members with their roles. */
async function groupRows(
  store: Core10Store,
  groupId: Uint8Array,
  secrets: readonly (readonly [secret: Uint8Array, epoch: bigint])[],
  members: readonly (readonly [Actor, "Admin" | "Member"])[],
) {
  const [[admin]] = members as [[Actor, string]];
  const leader = fromHex(admin.id);
  await store.put(new key.GroupMeta({ groupId }), {
    appKey: ZEROS,
    targetApplicationId: ZEROS,
    createdAt: JOINED,
    adminIdentity: leader,
    ownerIdentity: leader,
    migration: null,
    autoJoin: true,
  });
  await store.put(new key.GroupDefaultCaps({ groupId }), {
    capabilities: FOUNDERS_DEFAULT,
  });
  for (const [at, [groupKey, epoch]] of secrets.entries())
    await store.put(new key.GroupKeyEntry({ groupId, keyId: digest.keyId(groupKey) }), {
      groupKey,
      createdAt: JOINED,
      epoch,
      insertionSeq: BigInt(at),
    });
  for (const [{ id }, role] of members) {
    const account = fromHex(id);
    const value = {
      role,
      privateKey: null,
      senderKey: null,
      autoFollow: { contexts: true, subgroups: false },
    };
    await store.put(new key.GroupMember({ groupId, account }), value);
    await store.put(new key.GroupMemberByAccount({ account, groupId }), null);
  }
}

/** The rows of a member's device in a namespace. */
async function bindingRows(store: Core10Store, groupId: Uint8Array, actor: Actor) {
  const { account, signPk, kemPk, deviceEpoch, keyEpoch, device } = actor.cert;
  const value = { account, signPk, kemPk, deviceEpoch, keyEpoch, scopeEpoch: 0 };
  await store.put(new key.GroupDeviceBinding({ groupId, deviceId: device }), value);
  await store.put(new key.GroupSignerAccount({ groupId, signer: signPk, account }), null);
  await store.put(new key.GroupSignerDevice({ groupId, signer: signPk, deviceId: device }), null);
  await store.put(new key.GroupAccountKey({ groupId, accountId: account }), {
    epoch: 0,
    rootPk: actor.genesis.rootSignPk,
  });
  // A joining account vouches for itself.
  await store.put(new key.GroupAccountEndorser({ groupId, accountId: account, member: account }), null);
}
