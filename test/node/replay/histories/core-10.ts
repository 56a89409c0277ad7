/** Random operations of core-1.0: operations of core-0.11 in the layouts of core-1.0, some inside others. */
import { fromHex } from "../../../../src/bytes/hex.js";
import type { Codec } from "../../../../src/codec/index.js";
import { groupOpId, namespaceOpId } from "../../../../src/digests/index.js";
import {
  GroupOp,
  type GroupOp011,
  RootOp,
  type RootOp011,
  SignedGroupOp,
  type SignedNamespaceOp,
  StoredNamespaceEntry,
} from "../../../../src/payloads/index.js";
import { core10, type Schema } from "../../../../src/schemas/index.js";
import type { Actor } from "./actors.js";
import { revision011 } from "./core-011.js";
import type { AnyOp, Revision } from "./writer.js";

const zeros = new Uint8Array(32);
const signature = new Uint8Array(64);
const release = { packageName: "package", version: "1.0.0" };

export const revision10: Revision = {
  ...revision011,
  schema: core10 as unknown as Schema,
  entry: StoredNamespaceEntry as unknown as Codec<unknown>,
  groupOp: GroupOp as unknown as Codec<unknown>,
  signedGroupOp: SignedGroupOp as unknown as Codec<unknown>,
  namespaceOpId: (signed) => namespaceOpId(signed as SignedNamespaceOp),
  groupOpId: (signed) => groupOpId(signed as SignedGroupOp),
  later: {
    namespaceFields: { kind: "today", version: 23, admitterEndorsement: null },
    groupFields: { kind: "today", version: 16 },
    written,
    sealed: (op, author) =>
      SEALED.includes(op.kind) ? RootOp.encode(written(op, author) as RootOp) : undefined,
    row(kind, value) {
      if (kind === "GroupDeviceBinding") return { ...(value as object), scopeEpoch: 0 };
      if (kind !== "GroupUpgradeLadder") return value;
      const { rungs } = value as { readonly rungs: readonly object[] };
      return { rungs: rungs.map((rung) => ({ ...rung, package: "package", version: "1.0.0" })) };
    },
  },
};

const SEALED = ["GroupCreated", "GroupReparented", "AdminChanged", "PolicyUpdated"];

/** Operations that another account's device signs for the author. */
const ON_BEHALF = ["MemberRoleSet", "GroupMetadataSet", "DefaultCapabilitiesSet"];

function written(op: AnyOp, author: Actor): unknown {
  const plain = today(op as GroupOp011 | RootOp011, author);
  const proof = { genesis: author.genesis, chain: [], statement: author.cert };
  if (ON_BEHALF.includes(op.kind)) {
    const key = fromHex(author.publicKey);
    const warrant = {
      scope: zeros,
      kind: "Group",
      authorAccount: fromHex(author.id),
      authorDeviceKey: key,
      executor: zeros,
      executorKey: key,
      opHash: zeros,
      accountHeads: [],
      governanceFloor: [],
      nonce: 1n,
      notAfter: 1n,
      signature,
    };
    const delegation = { warrant, authorProof: proof, executorProof: proof, executorKey: key };
    return { kind: "OnBehalf", op: plain, delegation };
  }
  if (op.kind !== "TransferOwnership" && op.kind !== "AdminChanged") return plain;
  const statement = {
    account: fromHex(author.id),
    namespace: zeros,
    group: zeros,
    kind: op.kind,
    opDigest: zeros,
    counter: 1n,
    keyEpoch: 0,
    signature,
  };
  return { kind: "RootGuarded", op: plain, proof: { genesis: author.genesis, chain: [], statement } };
}

/** An operation with the fields of core-1.0. */
function today(op: GroupOp011 | RootOp011, { genesis }: Actor): object {
  switch (op.kind) {
    case "NamespaceCreated":
      return { ...op, kind: "NamespaceCreatedV2", salt: zeros };
    case "GroupCreated":
      return { ...op, salt: zeros };
    case "MemberJoinedAt": {
      const { invitation } = op.signedInvitation;
      const signedInvitation = {
        ...op.signedInvitation,
        invitation: { ...invitation, admitters: [] },
        admitterAddrs: [],
      };
      return { ...op, signedInvitation };
    }
    case "TargetApplicationSet":
    case "ContextRegistered":
    case "CascadeUpgrade":
      return { ...op, ...release };
    case "AccountDeviceLinked": {
      const { account, device } = op.cert;
      const statement = { account, device, applications: [], scopeEpoch: 0, keyEpoch: 0, signature };
      return { ...op, scope: { genesis, chain: [], statement } };
    }
    default:
      return op;
  }
}
