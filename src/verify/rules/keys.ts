/** Keys and key ids that follow from secrets. Findings show only public values. */
import { derivePublicKey } from "../../crypto/index.js";
import { keyId } from "../../digests/index.js";
import * as key from "../../keys/index.js";
import { NOTHING, RESTORE } from "../advice.js";
import { onEqual, type Rule } from "../rule.js";
import { only010, since010 } from "../since.js";
import { identityMember, signingMember } from "./references/namespaces.js";

export const OTHER_PUBLIC_KEY = "the private key has another public key";

const identityKey: Rule = {
  name: "identity-key",
  relations: [13],
  severity: "error",
  says: "The public key of an identity in a context belongs to its private key.",
  means: "The node cannot sign as this identity: the private key belongs to another one.",
  advice: RESTORE,
  checks: [
    onEqual(since010, key.ContextIdentity, OTHER_PUBLIC_KEY, ({ key, value: { privateKey } }) =>
      privateKey === null ? undefined : [key.publicKey, derivePublicKey(privateKey)],
    ),
  ],
};

const signingKey: Rule = {
  name: "signing-key",
  relations: [36],
  severity: "error",
  says: "The public keys of a group's signing key and of an identity in a namespace belong to their private keys.",
  means: "The node cannot sign as this identity: the private key belongs to another one.",
  advice: RESTORE,
  checks: [
    onEqual(only010, key.GroupSigningKey, OTHER_PUBLIC_KEY, ({ key, value }) => [
      key.publicKey,
      derivePublicKey(value.privateKey),
    ]),
    onEqual(only010, key.NamespaceIdentity, OTHER_PUBLIC_KEY, ({ value }) => [
      value.publicKey,
      derivePublicKey(value.privateKey),
    ]),
  ],
};

const memberKey: Rule = {
  name: "member-key",
  relations: [36],
  severity: "warning",
  says: "A member whose private key is there is named by its public key.",
  means: "The stored private key does not belong to the member. This revision does not use it.",
  advice: NOTHING,
  checks: [
    onEqual(only010, key.GroupMember010, OTHER_PUBLIC_KEY, ({ key, value: { privateKey } }) =>
      privateKey === null ? undefined : [key.identity, derivePublicKey(privateKey)],
    ),
  ],
};

const groupKeyId: Rule = {
  name: "group-key-id",
  relations: [38],
  severity: "error",
  says: "The id of a group's key is its hash.",
  means: "The node decrypts with a wrong key, or not at all.",
  advice: RESTORE,
  checks: [
    onEqual(since010, key.GroupKeyEntry, "the group's key has another id", ({ key, value }) => [
      key.keyId,
      keyId(value.groupKey),
    ]),
  ],
};

export const keyRules: readonly Rule[] = [
  identityKey,
  signingKey,
  identityMember,
  signingMember,
  memberKey,
  groupKeyId,
];
