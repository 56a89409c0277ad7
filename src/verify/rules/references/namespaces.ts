/** The rows about the node's own part in a namespace. */
import * as key from "../../../keys/index.js";
import { NOTHING, RESTORE, SYNC } from "../../advice.js";
import { refer } from "../../reference.js";
import { referenceRule } from "../../reference-check.js";
import { onEach } from "../../rule.js";
import { only010, since011 } from "../../since.js";

interface OfNamespace {
  readonly key: { readonly namespaceId: Uint8Array };
}

const groupOf = ({ key: { namespaceId } }: OfNamespace) => ({ groupId: namespaceId });
const nothing = () => ({});

export const partThere = referenceRule({
  name: "part-there",
  relations: [34],
  severity: "warning",
  says: "A namespace that the node takes part in is there.",
  means: "The node is in a namespace of which it has no group and no operation: joining it was cut off.",
  advice: "Nothing for an info. For a warning, join the namespace again, or restore a copy that verifies.",
  references: [
    refer({
      revisions: only010,
      from: key.NamespaceIdentity,
      to: key.GroupMeta,
      key: groupOf,
      instead: (row) => [new key.NamespaceGovHead({ namespaceId: row.key.namespaceId })],
      message: "there is no such namespace: it was a group that is deleted",
      severity: "info",
      shows: nothing,
    }),
    refer({
      revisions: since011,
      from: key.NamespaceParticipation,
      to: key.GroupMeta,
      key: groupOf,
      instead: ({ key: { namespaceId } }) => [
        new key.NamespaceGovHead({ namespaceId }),
        new key.PendingSelfPurge({ namespaceId }),
      ],
      message: "the node takes part in a namespace that is not there",
      shows: nothing,
    }),
  ],
  checks: [
    onEach(since011, key.NamespaceParticipation, function* (row, tools) {
      tools.checked();
      const { reserved: found } = row.value;
      if (found !== 0)
        yield { key: row.key, message: "the row has a value that no node writes", found, expected: 0 };
    }),
  ],
});

export const namespaceInviter = referenceRule({
  name: "namespace-inviter",
  relations: [47],
  severity: "warning",
  says: "A node takes part in the namespace that it was invited to, and the namespace knows who invited it.",
  means: "The row names an account that is not in the namespace, or belongs to another namespace.",
  advice: SYNC,
  references: [
    refer({
      revisions: since011,
      from: key.NamespaceBootstrapInviter,
      to: key.NamespaceParticipation,
      key: ({ key: { namespaceId } }) => ({ namespaceId }),
      message: "the node was invited to a namespace that it takes no part in",
      shows: nothing,
    }),
    refer({
      revisions: since011,
      from: key.NamespaceBootstrapInviter,
      to: key.GroupAccountKey,
      key: (row) => ({ ...groupOf(row), accountId: row.value }),
      message: "the namespace does not know the account that invited the node",
      shows: (row) => ({ found: row.value }),
    }),
  ],
});

export const identityMember = referenceRule({
  name: "identity-member",
  relations: [36],
  severity: "error",
  says: "The identity by which a node takes part in a namespace is a member of it, and has a signing key there.",
  means: "The node has another identity than the members of the namespace know. They refuse what it signs.",
  advice: RESTORE,
  pairs: true,
  references: [
    // A node that was removed still has its signing key.
    refer({
      revisions: only010,
      from: key.NamespaceIdentity,
      to: key.GroupMember010,
      key: (row) => ({ ...groupOf(row), identity: row.value.publicKey }),
      given: (row) => new key.NamespaceGovHead({ namespaceId: row.key.namespaceId }),
      instead: (row) => [new key.GroupSigningKey({ ...groupOf(row), publicKey: row.value.publicKey })],
      message: "the identity is not a member of the namespace, and has no signing key there",
      shows: ({ key: { namespaceId: about }, value: { publicKey: found } }) => ({ found, about }),
    }),
    refer({
      revisions: only010,
      from: key.NamespaceIdentity,
      to: key.GroupSigningKey,
      key: (row) => ({ ...groupOf(row), publicKey: row.value.publicKey }),
      given: (row) => new key.GroupMember010({ ...groupOf(row), identity: row.value.publicKey }),
      message: "the identity has no signing key in the namespace",
      severity: "info",
      shows: nothing,
    }),
  ],
});

export const signingMember = referenceRule({
  name: "signing-member",
  relations: [36],
  severity: "info",
  says: "The signing keys that the node keeps for a group belong to its members.",
  means:
    "The node keeps a signing key of somebody who is not a member of the group. The member was removed, or the key belongs to another group.",
  advice: NOTHING,
  references: [
    refer({
      revisions: only010,
      from: key.GroupSigningKey,
      to: key.GroupMember010,
      key: ({ key: { groupId, publicKey: identity } }) => ({ groupId, identity }),
      message: "the key belongs to nobody who is a member now",
      shows: (row) => ({ found: row.key.publicKey }),
    }),
  ],
});
