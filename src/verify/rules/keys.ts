/** Keys and key ids that follow from secrets. Findings show only public values. */
import { equalBytes } from "../../bytes/order.js";
import { derivePublicKey } from "../../crypto/index.js";
import { keyId } from "../../digests/index.js";
import * as key from "../../keys/index.js";
import { NOTHING, RESTORE } from "../advice.js";
import type { RowFinding } from "../finding.js";
import { onEach, type Rule } from "../rule.js";
import { only010, since010 } from "../since.js";
import { identityMember, signingMember } from "./references/namespaces.js";

/** Reports a public key that does not belong to the seed. */
function* pair(of: RowFinding["key"], found: Uint8Array, seed: Uint8Array): Iterable<RowFinding> {
  const expected = derivePublicKey(seed);
  if (!equalBytes(found, expected))
    yield { key: of, message: "the private key has another public key", found, expected };
}

const identityKey: Rule = {
  name: "identity-key",
  relations: [13],
  severity: "error",
  says: "The public key of an identity in a context is that of its private key.",
  means: "The node cannot sign as this identity: the private key belongs to another one.",
  advice: RESTORE,
  checks: [
    onEach(since010, key.ContextIdentity, function* (row, tools) {
      if (row.value.privateKey === null) return;
      tools.checked();
      yield* pair(row.key, row.key.publicKey, row.value.privateKey);
    }),
  ],
};

const signingKey: Rule = {
  name: "signing-key",
  relations: [36],
  severity: "error",
  says: "The public keys of a group's signing key and of an identity in a namespace are those of their private keys.",
  means: "The node cannot sign as this identity: the private key belongs to another one.",
  advice: RESTORE,
  checks: [
    onEach(only010, key.GroupSigningKey, function* (row, tools) {
      tools.checked();
      yield* pair(row.key, row.key.publicKey, row.value.privateKey);
    }),
    onEach(only010, key.NamespaceIdentity, function* (row, tools) {
      tools.checked();
      yield* pair(row.key, row.value.publicKey, row.value.privateKey);
    }),
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
    onEach(only010, key.GroupMember010, function* (row, tools) {
      if (row.value.privateKey === null) return;
      tools.checked();
      yield* pair(row.key, row.key.identity, row.value.privateKey);
    }),
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
    onEach(since010, key.GroupKeyEntry, function* (row, tools) {
      tools.checked();
      const expected = keyId(row.value.groupKey);
      if (!equalBytes(row.key.keyId, expected))
        yield { key: row.key, message: "the group's key has another id", found: row.key.keyId, expected };
    }),
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
