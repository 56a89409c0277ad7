/** Kinds of rows, divided by whether another row proves that they exist. */
import { equalBytes } from "../../../src/bytes/order.js";
import { indexStateKey } from "../../../src/digests/index.js";
import * as key from "../../../src/keys/index.js";
import { EntityIndex011, type Op011 } from "../../../src/payloads/index.js";
import type * as values from "../../../src/values/index.js";
import type { StoredRow, Subject } from "../values/subject.js";
import type { Database, Decoded } from "./database.js";
import { provesKey } from "./group-keys.js";

type Bytes = Uint8Array;
type Meta = values.ContextMetaValue;

const same = (a: Bytes) => (b: Bytes) => equalBytes(a, b);

/** The scope of rows about contexts whose state is being fetched. */
const SYNC = key.scopeBytes("sync-in-progres") as Bytes;

/** Returns a text after the name of the kind if nothing proves the row, else undefined. */
type Unproven = (db: Database, at: never, value: never) => string | undefined;

/** By the kind's name. A kind without a function is not divided. */
const unproven: Readonly<Record<string, Unproven>> = {
  ContextIdentity(db, at: key.ContextIdentity) {
    const meta = db.get<Meta>(new key.ContextMeta({ contextId: at.contextId }));
    const own = ownIdentities(db, at.contextId);
    const isOwn = own.some(({ publicKey }) => same(publicKey)(at.publicKey));
    if (!isOwn || meta === undefined || meta.dagHeads.length === 0)
      return "of another node, or in a context without data";
    return own.length === 1 ? undefined : "of this node, one of several in the context";
  },
  ContextDagDelta(db, at: key.ContextDagDelta) {
    const { contextId, deltaId } = at;
    const heads = db.get<Meta>(new key.ContextMeta({ contextId }))?.dagHeads ?? [];
    const followed = db
      .all<key.ContextDagDelta, values.ContextDagDeltaValue010>("ContextDagDelta")
      .some(
        (row) =>
          same(contextId)(row.key.contextId) && row.value.applied && row.value.parents.some(same(deltaId)),
      );
    return heads.some(same(deltaId)) || followed
      ? undefined
      : "that is not a head, and that no applied delta follows";
  },
  BlobMeta(db, { blobId }: key.BlobMeta) {
    const isIt = same(blobId);
    const linked = db
      .all<key.BlobMeta, values.BlobMetaValue010>("BlobMeta")
      .some(({ value }) => value.links.some(isIt));
    const code = db
      .all<key.ApplicationMeta, values.ApplicationMetaValue010>("ApplicationMeta")
      // A node may lack the code of an application that it only heard of.
      .filter(({ value }) => value.size > 0n || value.package !== "")
      .flatMap(({ value }) => [value, ...value.services])
      .flatMap(({ bytecode, compiled }) => [bytecode, compiled]);
    const activated = db
      .all<key.ContextActivatedBlob, values.ContextActivatedBlobValue>("ContextActivatedBlob")
      .map(({ value }) => value.blob);
    return linked || [...code, ...activated].some(isIt)
      ? undefined
      : "that no other blob, application or context names";
  },
  ApplicationMeta(db, { applicationId }: key.ApplicationMeta) {
    const metas = db.all<key.ContextMeta, Meta>("ContextMeta");
    return metas.some(({ value }) => same(applicationId)(value.application)) ? undefined : "of no context";
  },
  GroupMeta(db, { groupId }: key.GroupMeta) {
    const isIt = same(groupId);
    const listed = db
      .all<key.GroupContextIndex, null>("GroupContextIndex")
      .some((row) => isIt(row.key.groupId));
    const nested = db
      .all<key.GroupParentRef, Bytes>("GroupParentRef")
      .some((row) => isIt(row.key.childGroupId) || isIt(row.value));
    const members =
      isLatest(db) && db.all<key.GroupMember, unknown>("GroupMember").some((row) => isIt(row.key.groupId));
    return listed || nested || members ? undefined : "of a group without contexts, parent and subgroups";
  },
  ContextActivatedBlob(db, { contextId }: key.ContextActivatedBlob) {
    const own = db.get<values.NodeIdentityValue>(new key.NodeIdentity({}))?.publicKey;
    const made = db
      .all<key.ContextDagDelta, values.ContextDagDeltaValue011>("ContextDagDelta")
      .some(
        (row) =>
          same(contextId)(row.key.contextId) &&
          own !== undefined &&
          row.value.authorId !== null &&
          same(own)(row.value.authorId),
      );
    return made ? undefined : "of a context in which the node made no change";
  },
  ApplicationPreviousBlob(db, { applicationId }: key.ApplicationPreviousBlob) {
    const isRun = db
      .all<key.ContextActivatedBlob, values.ContextActivatedBlobValue>("ContextActivatedBlob")
      .some((row) => {
        const meta = db.get<Meta>(new key.ContextMeta({ contextId: row.key.contextId }));
        const previous = db.get<values.ApplicationPreviousBlobValue>(
          new key.ApplicationPreviousBlob({ applicationId }),
        );
        const isOf = meta !== undefined && same(meta.application)(applicationId);
        return isOf && previous !== undefined && same(previous.bytecode)(row.value.blob);
      });
    return isRun ? undefined : "that no context runs";
  },
  PendingSelfPurge(db, { namespaceId }: key.PendingSelfPurge) {
    const isThere =
      db.has(new key.GroupMeta({ groupId: namespaceId })) ||
      db.has(new key.NamespaceGovHead({ namespaceId }));
    return db.has(new key.NamespaceParticipation({ namespaceId })) && !isThere
      ? undefined
      : "of no namespace that the node is in, or of one that is there";
  },
  GroupMember(db, at: key.GroupMember) {
    if (!isLatest(db)) return isOwnMember(db, at as unknown as key.GroupMember010);
    const { groupId, account } = at;
    const meta = db.get<values.GroupMetaValue>(new key.GroupMeta({ groupId }));
    const leads = [meta?.adminIdentity, meta?.ownerIdentity].some(
      (id) => id !== undefined && same(account)(id),
    );
    const capable = db.has(new key.GroupMemberCapability({ groupId, account }));
    const invited = db
      .all<key.GroupConsumedInvitation, null>("GroupConsumedInvitation")
      .some((row) => same(groupId)(row.key.groupId) && same(account)(row.key.account));
    return leads || capable || invited
      ? undefined
      : "who does not lead the group, has no capabilities and used no invitation";
  },
  GroupLocalGovNonce: (db, { groupId, signer }: key.GroupLocalGovNonce) =>
    hasLogged(db, groupId, signer) ? undefined : "of a signer without logged operations",
  GroupLocalGovNonceWindow: (db, { groupId, signer }: key.GroupLocalGovNonceWindow) =>
    hasLogged(db, groupId, signer) ? undefined : "of a signer without logged operations",
  NamespaceIdentity: (db, { namespaceId }: key.NamespaceIdentity) =>
    hasOperations(db, namespaceId) ? undefined : "without operations",
  NamespaceParticipation: (db, { namespaceId }: key.NamespaceParticipation) =>
    hasOperations(db, namespaceId) || db.has(new key.NamespaceBootstrapInviter({ namespaceId }))
      ? undefined
      : "without operations",
  GroupSubgroupVis: (db, { groupId }: key.GroupSubgroupVis) =>
    db.has(new key.GroupParentRef({ childGroupId: groupId })) ? undefined : "of a group without a parent",
  GroupDefaultCaps: (db, { groupId }: key.GroupDefaultCaps) =>
    isLatest(db) && !db.has(new key.NamespaceGovHead({ namespaceId: groupId })) ? "of a subgroup" : undefined,
  GroupInheritedDeniedMember: (db, { groupId }: key.GroupInheritedDeniedMember) =>
    hasOperations(db, groupId) ? undefined : "of a subgroup, or of a namespace without operations",
  GroupDeviceBinding(db, { groupId, deviceId }: key.GroupDeviceBinding) {
    const made = db
      .all<key.ScopeUnifiedOp, { decode(): Op011 }>("ScopeUnifiedOp")
      .some((row) => same(groupId)(row.key.scope) && same(deviceId)(row.value.decode().authorship.device));
    return made ? undefined : "of a device that made no operation";
  },
  NodeAccountRoot(db) {
    const device = db.get<values.NodeDeviceIdentityValue>(new key.NodeDeviceIdentity({}))?.deviceId;
    const bindings = db.all<key.GroupDeviceBinding, values.GroupDeviceBindingValue011>("GroupDeviceBinding");
    const isOwn = (row: (typeof bindings)[number]) => device !== undefined && same(device)(row.key.deviceId);
    const account = bindings.find(isOwn)?.value.account;
    const ofAccount = bindings.filter(({ value }) => account !== undefined && same(account)(value.account));
    const revoked = db
      .all<key.GroupRevokedDevice, null>("GroupRevokedDevice")
      .some((row) => ofAccount.some((binding) => same(binding.key.groupId)(row.key.groupId)));
    return revoked || !ofAccount.every(isOwn) ? "of an account that may have another device" : undefined;
  },
  GroupAccountEndorser(db, { groupId, accountId }: key.GroupAccountEndorser) {
    const all = db
      .all<key.GroupAccountEndorser, null>("GroupAccountEndorser")
      .filter((row) => same(groupId)(row.key.groupId) && same(accountId)(row.key.accountId));
    return all.length === 1 && db.has(new key.GroupAccountKey({ groupId, accountId }))
      ? undefined
      : "of an account that others vouched for too, or that is not known";
  },
  GroupKeyEntry: (db, at: key.GroupKeyEntry) =>
    provesKey(db, at) ? undefined : "that no operation names which this node made or applied",
  SortedIndex(db, { contextId, collectionId }: key.SortedIndex) {
    const mark = db.get<Bytes>(new key.SortedIndexMeta({ contextId, collectionId }));
    const index = db.get<Bytes>(
      new key.ContextState011({ contextId, stateKey: indexStateKey(collectionId) }),
    );
    const current =
      mark !== undefined && index !== undefined && same(mark)(EntityIndex011.decode(index).fullHash);
    return current ? undefined : "of a collection whose order is not marked as current";
  },
};

/** Returns the name of a row's kind, with the facts that decide whether verification notices its deletion. */
export function deletionKind(subject: Subject, db: Database, row: StoredRow): string {
  const { kind, key: kindKey } = db.rowOf(row);
  const name = subject.kindOf(row);
  const at = kindKey.fromBytes(row.key);
  if (
    kind === "ContextState" &&
    name !== "ContextState, data of no entity" &&
    isFetched(db, row.key.subarray(0, 32))
  )
    return "ContextState of a context whose state is being fetched";
  const said = unproven[kind]?.(db, at as never, undefined as never);
  return said === undefined ? name : `${name} ${said}`;
}

function isLatest(db: Database): boolean {
  return db.schema.name !== "core-0.10";
}

function isFetched(db: Database, contextId: Bytes): boolean {
  const meta = db.get<Meta>(new key.ContextMeta({ contextId }));
  return (
    db.has(new key.Generic({ scope: SYNC, fragment: contextId })) ||
    (meta?.rootHash.every((byte) => byte === 0) ?? false)
  );
}

/** The identities of this node in a context: those with a private key, and the node's own. */
function ownIdentities(db: Database, contextId: Bytes): readonly key.ContextIdentity[] {
  const own = db.get<values.NodeIdentityValue>(new key.NodeIdentity({}))?.publicKey;
  const all: readonly Decoded<key.ContextIdentity, values.ContextIdentityValue010>[] =
    db.all("ContextIdentity");
  return all
    .filter(({ key: at }) => same(contextId)(at.contextId))
    .filter(
      ({ key: at, value }) => value.privateKey !== null || (own !== undefined && same(own)(at.publicKey)),
    )
    .map(({ key: at }) => at);
}

/** In core-0.10 a node is known as a member of a namespace by its identity there, or by its signing key. */
function isOwnMember(db: Database, { groupId, identity }: key.GroupMember010): string | undefined {
  const own = db.get<values.NamespaceIdentityValue>(new key.NamespaceIdentity({ namespaceId: groupId }));
  const isOwn = own !== undefined && same(own.publicKey)(identity) && hasOperations(db, groupId);
  return isOwn && !db.has(new key.GroupSigningKey({ groupId, publicKey: identity }))
    ? undefined
    : "who is not this node, or has a signing key";
}

function hasLogged(db: Database, groupId: Bytes, signer: Bytes): boolean {
  return db
    .all<key.GroupOpLog, { decode(): { readonly signer: Bytes } }>("GroupOpLog")
    .some((row) => same(groupId)(row.key.groupId) && same(signer)(row.value.decode().signer));
}

function hasOperations(db: Database, namespaceId: Bytes): boolean {
  return db
    .all<key.NamespaceGovOp, unknown>("NamespaceGovOp")
    .some((row) => same(namespaceId)(row.key.namespaceId));
}
