/** Conversions of the rows of groups and namespaces. */
import {
  ContextGroupRef,
  GroupKeyEntry,
  GroupLocalGovNonceWindow,
  GroupUpgradeKey,
  NamespaceParticipation,
  NodeIdentity,
} from "../keys/index.js";
import {
  GroupKeyValue,
  GroupLocalGovNonceWindowValue,
  GroupMemberValue011,
  GroupMetaValue,
  GroupUpgradeValue011,
  MetadataRecord,
  NamespaceParticipationValue,
  NodeIdentityValue,
} from "../values/index.js";
import { type Conversions, copied, newRow, type Outcome, type StoredRow, unchanged } from "./conversion.js";

const GROUP = ContextGroupRef.COLUMN;
const ACCOUNT =
  "core-0.11 has an account in the place of a public key, and no row leads from one to the other";
const SIGNED =
  "signatures cover the layout: a rewritten operation has another id and no valid signature, and lacks accounts and certificates";

/** Rows that are always left behind. */
function leaves(unconverted: "reads" | "misses" | "never", means: string, left: string) {
  return { unconverted, means, convert: (): Outcome => ({ left }) } as const;
}

const NOBODY = new Uint8Array(32);

/** A name, which was an alias. */
function named(key: Uint8Array, name: string): Outcome {
  const record = { name, data: new Map<string, string>(), updatedAt: 0n, updatedBy: NOBODY };
  return { rows: [newRow(GROUP, key, MetadataRecord, record)] };
}

/** Heads of operations. All operations are left behind. */
function heads(means: string) {
  return {
    unconverted: "misses",
    means,
    convert: (row: StoredRow, { asBytes }: { readonly asBytes: boolean }): Outcome =>
      asBytes ? { rows: [unchanged(row)] } : { left: "names operations, which are left behind (--as-bytes)" },
  } as const;
}

/** The conversions of the rows of groups and namespaces. */
export const groupRows = {
  GroupContextIndex: copied("Contexts of groups are listed."),
  ContextGroupRef: copied("The group of a context is found."),
  GroupDefaultCaps: copied("Default capabilities of groups are read."),
  GroupDefaultVis: copied("Visibilities are read, as those of subgroups."),
  GroupParentRef: copied("The parent of a subgroup is found."),
  GroupChildIndex: copied("Subgroups are listed."),
  GroupMeta: {
    unconverted: "reads",
    means: "Groups are not found.",
    convert({ keyBytes, value, fields }, { asBytes }) {
      if (!asBytes) return { left: `${ACCOUNT} (--as-bytes)` };
      const { upgradePolicy: _, ...kept } = value;
      return {
        rows: [newRow(GROUP, keyBytes, GroupMetaValue, { ...kept, ownerIdentity: value.adminIdentity })],
        lost: { fields: fields("upgradePolicy"), why: "core-0.11 has no upgrade policy" },
      };
    },
  },
  GroupMember: {
    unconverted: "reads",
    means: "Members of groups are not found, so nobody has a role.",
    convert({ keyBytes, value }, { asBytes }) {
      if (!asBytes) return { left: `${ACCOUNT} (--as-bytes)` };
      const autoFollow = { contexts: true, subgroups: false };
      return { rows: [newRow(GROUP, keyBytes, GroupMemberValue011, { ...value, autoFollow })] };
    },
  },
  GroupUpgradeKey: {
    unconverted: "reads",
    means: "Upgrades of groups are not found, those under way included.",
    convert: ({ keyBytes, value }) => ({
      rows: [
        newRow(GroupUpgradeKey.COLUMN, keyBytes, GroupUpgradeValue011, {
          ...value,
          cascadeHlc: null,
          cascadeSeq: null,
          toStateVersion: 0,
        }),
      ],
    }),
  },
  GroupLocalGovNonce: {
    unconverted: "never",
    means: "Nothing reads them: nonces that were used count as unused.",
    convert: ({ key: { groupId, signer }, value }) => ({
      rows: [
        newRow(
          GROUP,
          new GroupLocalGovNonceWindow({ groupId, signer }).bytes,
          GroupLocalGovNonceWindowValue,
          {
            floor: value,
            above: [],
          },
        ),
      ],
    }),
  },
  GroupMemberAlias: {
    unconverted: "reads",
    means: "Names of members are not found.",
    convert({ keyBytes, value }, { asBytes }) {
      if (!asBytes) return { left: `${ACCOUNT} (--as-bytes)` };
      return named(keyBytes, value);
    },
  },
  GroupAlias: {
    unconverted: "reads",
    means: "Names of groups are not found.",
    convert: ({ keyBytes, value }) => named(keyBytes, value),
  },
  GroupContextAlias: {
    unconverted: "reads",
    means: "Names of contexts in groups are not found.",
    convert: ({ keyBytes, value }) => named(keyBytes, value),
  },
  GroupKeyEntry: {
    unconverted: "reads",
    means: "The keys of groups are read; the numbers that core-0.11 adds count as 0.",
    convert: ({ keyBytes, value }) => ({
      rows: [
        newRow(GroupKeyEntry.COLUMN, keyBytes, GroupKeyValue, { ...value, epoch: 0n, insertionSeq: 0n }),
      ],
    }),
  },
  NamespaceIdentity: {
    unconverted: "reads",
    means:
      "The node's keys in its namespaces are not found: it makes new ones and is a stranger to its own groups. When it joins or creates something in a namespace, it overwrites the row, which may be the only copy of the key.",
    convert({ keyBytes, value, fields }, tools) {
      if (!tools.asBytes)
        return { left: "core-0.11 has one key pair for the node and none for a namespace (--as-bytes)" };
      const { publicKey, privateKey } = value;
      const mark = newRow(NamespaceParticipation.COLUMN, keyBytes, NamespaceParticipationValue, {
        reserved: 0,
      });
      const isFirst = tools.takeNodeIdentity();
      const own = newRow(GROUP, new NodeIdentity({}).bytes, NodeIdentityValue, { publicKey, privateKey });
      return {
        rows: isFirst ? [mark, own] : [mark],
        lost: {
          fields: fields("publicKey", "privateKey", "senderKey"),
          why: isFirst
            ? "this key pair became the node's own; core-0.11 has none for a namespace, and no sender key"
            : "core-0.11 has one key pair for the node, and that of another namespace became it",
        },
      };
    },
  },
  GroupOpHead: heads("They name operations of groups that the node cannot read."),
  NamespaceGovHead: heads("They name operations of namespaces that the node cannot read."),
  GroupOpLog: leaves("reads", "The operations of groups cannot be read.", SIGNED),
  NamespaceGovOp: leaves(
    "reads",
    "The operations of namespaces cannot be read. A node that has only the skeleton of an encrypted operation reads the skeleton.",
    SIGNED,
  ),
  GroupSigningKey: leaves(
    "never",
    "Nothing reads them. The private keys stay in the database.",
    "core-0.11 has no signing keys for groups",
  ),
  GroupContextLastMigration: leaves(
    "never",
    "Nothing reads them.",
    "core-0.11 does not keep the last migration",
  ),
  GroupMemberCapability: leaves(
    "misses",
    "Capabilities of members are not found: the key has a public key where the node looks for an account.",
    ACCOUNT,
  ),
  GroupMemberContext: leaves(
    "misses",
    "Contexts of members are not found: the key has a public key where the node looks for an account.",
    ACCOUNT,
  ),
  GroupContextMemberCap: leaves(
    "misses",
    "Capabilities of members in contexts are not found: the key has a public key where the node looks for an account.",
    ACCOUNT,
  ),
} satisfies Partial<Conversions>;
