/** Each operation has a sentence, and each of its fields that matters changes it. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { type Codec, type Fields, type Json, struct } from "../../src/codec/index.js";
import type { Named } from "../../src/node/index.js";
import { sentenceText } from "../../src/node/index.js";
import { groupOperationKinds, groupSentence } from "../../src/node/sentences/group.js";
import { rootOperationKinds, rootSentence } from "../../src/node/sentences/root.js";
import type { Speaker } from "../../src/node/sentences/sentence.js";
import { GroupOp, GroupOp010, GroupOp011, RootOp, RootOp010, RootOp011 } from "../../src/payloads/index.js";
import { vectors } from "../support/fixtures.js";
import { randomNumbers, randomValue } from "../support/random-values.js";

/** Fields that a sentence leaves out: hashes, proofs and nonces that only programs compare, and copies of others. */
const unsaid = [
  /^expectedGroupStateHash$/,
  /^expectedContextStateHashes/,
  /^(mrtd|rtmr[0-3]|tcbStatus)$/,
  // The sentence has only the number of measurements, and the names of texts in the data without their content.
  /^allowed(Mrtd|Rtmr[0-3])\.\d+$/,
  /^data\./,
  // The sentence has the number of deleted rows.
  /^cascade(Group|Context)Ids\.\d+$/,
  /^cascadeHlc\./,
  /^policyBytes$/,
  // Credentials: the certificate names the device; the rest proves it.
  /^account\./,
  /^genesis\./,
  /^chain/,
  /^cert\.(signPk|kemPk|keyEpoch|deviceEpoch|signature)$/,
  /^endorsement\.(account|signature)$/,
  /^proof\./,
  /^handoff\.(newRootSignPk|signature)$/,
  /^signedInvitation\.(inviterSignature|applicationId|appKey)$/,
  /^signedInvitation\.invitation\.(expirationTimestamp|invitationNonce|secretSalt)$/,
  /^envelope\.(sender|nonce|ciphertext|signature|ephemeralPk)$/,
  /^envelope\.recipient\.ephemeralPk$/,
  // The sentence has a quote's length, and nothing that proves the quote.
  /^(quote|collateral|envelope)$/,
  /^credential\.(genesis|chain)/,
  /^credential\.statement\.(account|device|signPk|kemPk|keyEpoch|deviceEpoch|signature)$/,
  /^salt$/,
  /^signedInvitation\.(admitterAddrs|invitation\.admitters)/,
  // The sentence has the author of a warrant, the applications of a scope and the account of a consent.
  /^delegation\./,
  /^scope\.(genesis|chain)/,
  /^scope\.statement\.(account|device|scopeEpoch|keyEpoch|signature)$/,
  /^rootProof\./,
];

/** The sentence has the inviter's key only if the invitation does not name the account. */
const saidInstead: Readonly<Record<string, string>> = {
  "signedInvitation.invitation.inviterIdentity": "signedInvitation.inviterAccount",
};

const thing = (kind: Named["kind"], id: Uint8Array): Named => ({ kind, id: toHex(id), name: undefined });

function speaker(accounts: boolean): Speaker {
  return {
    actor: { kind: "member", id: "actor", name: undefined },
    group: { kind: "group", id: "group", name: undefined },
    accounts,
    groupOf: (id) => thing("group", id),
    contextOf: (id) => thing("context", id),
    memberOf: (id) => thing("member", id),
    signerOf: (id) => thing("key", id),
    applicationOf: (id) => thing("application", id),
    deviceOf: (id) => thing("device", id),
    ownerOf: (id) => thing("device", id),
    blobOf: (id) => thing("blob", id),
  };
}

/** Random operations: a few of each kind. No database has one of every kind of core-1.0. */
function randomOperations(codec: Codec<unknown>): readonly Json[] {
  const random = randomNumbers(1);
  const { shape } = codec;
  if (shape.is !== "enum") throw new Error("not an enum");
  return shape.variants.flatMap(([kind, fields]) => {
    const of = struct(kind, Object.fromEntries(fields) as Fields) as Codec<unknown>;
    return Array.from(
      { length: 4 },
      () => ({ kind, ...(of.toJson(randomValue(of, random)) as object) }) as Json,
    );
  });
}

interface Family {
  readonly samples?: readonly Json[];
  readonly revision: string;
  readonly type: string;
  readonly codec: Codec<unknown>;
  readonly sentence: (op: never, by: Speaker) => ReturnType<typeof groupSentence>;
}

const families: readonly Family[] = [
  { revision: "core-0.10", type: "GroupOp", codec: GroupOp010 as Codec<unknown>, sentence: groupSentence },
  { revision: "core-0.11", type: "GroupOp", codec: GroupOp011 as Codec<unknown>, sentence: groupSentence },
  { revision: "core-0.10", type: "RootOp", codec: RootOp010 as Codec<unknown>, sentence: rootSentence },
  { revision: "core-0.11", type: "RootOp", codec: RootOp011 as Codec<unknown>, sentence: rootSentence },
  {
    revision: "core-1.0",
    type: "GroupOp",
    codec: GroupOp as Codec<unknown>,
    sentence: groupSentence,
    samples: randomOperations(GroupOp),
  },
  {
    revision: "core-1.0",
    type: "RootOp",
    codec: RootOp as Codec<unknown>,
    sentence: rootSentence,
    samples: randomOperations(RootOp),
  },
];

/** The paths of a JSON value's leaves. */
function leaves(value: Json, path = ""): readonly string[] {
  if (value === null || typeof value !== "object") return [path];
  return Object.entries(value).flatMap(([name, one]) => leaves(one, path === "" ? name : `${path}.${name}`));
}

/** A copy with another value of its type in one leaf. */
function changed(value: Json, path: readonly string[]): Json {
  const [name, ...rest] = path;
  if (name === undefined) return other(value);
  const copy: Record<string, Json> | Json[] = Array.isArray(value) ? [...value] : { ...(value as object) };
  (copy as Record<string, Json>)[name] = changed((value as Record<string, Json>)[name] as Json, rest);
  return copy as Json;
}

function other(value: Json): Json {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value === 2 ? 0 : 2;
  if (typeof value !== "string") return value;
  if (/^[0-9a-f]{2,}$/.test(value)) return (value[0] === "0" ? "1" : "0") + value.slice(1);
  return value in roles ? (roles[value] as string) : `y${value}`;
}

const roles: Readonly<Record<string, string>> = {
  Admin: "Member",
  Member: "ReadOnly",
  ReadOnly: "Admin",
  ReadOnlyTee: "Admin",
  Open: "Restricted",
  Restricted: "Open",
};

describe.each(families)("$type of $revision", ({ revision, type, codec, sentence, samples: made }) => {
  const by = speaker(revision !== "core-0.10");
  const samples =
    made ??
    vectors(revision).flatMap((vector) =>
      vector.type === type && vector.accept && vector.decoded !== undefined ? [vector.decoded] : [],
    );
  const textOf = (json: Json): string =>
    sentenceText(sentence(codec.fromJson(json) as never, by), ({ kind, id }) => `${kind}:${id}`);
  const kindOf = (json: Json): string => (json as { readonly kind: string }).kind;

  it("has a sentence for every kind", () => {
    const kinds = new Set(samples.map(kindOf));
    const known = type === "GroupOp" ? groupOperationKinds : rootOperationKinds;
    expect(kinds.size).toBeGreaterThanOrEqual(type === "GroupOp" ? 20 : 8);
    for (const kind of kinds) expect(known).toContain(kind);
    for (const sample of samples) expect(textOf(sample)).not.toMatch(/undefined|\[object|NaN/);
  });

  it("says every field that matters", () => {
    const silent: string[] = [];
    for (const sample of samples) {
      const text = textOf(sample);
      for (const path of leaves(sample)) {
        if (
          path === "kind" ||
          path.endsWith(".kind") ||
          unsaid.some((pattern) => pattern.test(path.replace(/^op\./, "")))
        )
          continue;
        const instead = saidInstead[path];
        if (instead !== undefined && at(sample, instead) != null) continue;
        if (at(sample, path) === null) continue;
        let mutated: Json;
        try {
          mutated = changed(sample, path.split("."));
          codec.fromJson(mutated);
        } catch {
          continue; // the other value is not one of the type
        }
        if (textOf(mutated) === text) silent.push(`${kindOf(sample)}.${path}: ${text.slice(0, 200)}`);
      }
    }
    expect([...new Set(silent)]).toEqual([]);
  });
});

function at(value: Json, path: string): Json | undefined {
  return path
    .split(".")
    .reduce<Json | undefined>((one, name) => (one as Record<string, Json> | undefined)?.[name], value);
}
