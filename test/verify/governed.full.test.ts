/** A namespace of core-1.0, its members and its log: the rule that names each change. */
import { beforeEach, describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { equalBytes } from "../../src/bytes/order.js";
import { Payload } from "../../src/codec/index.js";
import { sign } from "../../src/crypto/index.js";
import * as digest from "../../src/digests/index.js";
import * as key from "../../src/keys/index.js";
import { CalimeroNode, sentenceText } from "../../src/node/index.js";
import { Op, SignedGroupOp, SignedNamespaceOp, StoredNamespaceEntry } from "../../src/payloads/index.js";
import { allRules, type VerifyOptions, verifyStore } from "../../src/verify/index.js";
import { governanceRules } from "../../src/verify/rules/governance.js";
import { decrypt, encrypt } from "../node/replay/histories/actors.js";
import { listOf } from "../support/lists.js";
import { type Expected, edit, expectNews, flipped, nobody, rowsOf } from "./altered.js";
import { type Governed, governed } from "./governed/namespace.js";

let made: Governed;
beforeEach(async () => {
  made = await governed();
});

const text = async (): Promise<readonly string[]> => {
  const { store, alice, bob, carol, groupId, namespaceId } = made;
  const labels = new Map([
    [alice.id, "alice"],
    [bob.id, "bob"],
    [carol.id, "carol"],
    [toHex(groupId), "group"],
    [toHex(namespaceId), "namespace"],
  ]);
  const lines: string[] = [];
  for await (const { sentence } of new CalimeroNode(store).history(toHex(namespaceId)))
    lines.push(sentenceText(sentence, ({ id }) => labels.get(id) ?? "somebody"));
  return lines;
};

describe("a namespace of core-1.0", () => {
  it("has no finding, and verify says what it did not check", async () => {
    const verification = verifyStore(made.store);
    expect(await listOf(verification)).toEqual([]);
    const { rules, notChecked } = await verification.summary();
    const checked = new Map(rules.map((rule) => [rule.rule, rule]));
    for (const name of [
      "namespace-operation-id",
      "namespace-operation-signature",
      "group-operation-signature",
      "encrypted-operation",
      "invitation-signature",
      "operation-proof",
      "founded-id",
      "member-index",
    ])
      expect([name, checked.get(name)?.checked]).not.toContain(0);
    expect(checked.get("group-state-hash")?.skipped).toContain("not checked in core-1.0");
    for (const { name } of governanceRules)
      expect([name, checked.get(name)?.skipped === undefined]).toEqual([name, name !== "group-state-hash"]);
    expect(checked.get("row-without-operation")?.checked).toBeGreaterThan(30);
    // The check does not list a kind of row that core-1.0 lacks.
    expect(checked.has("signing-key")).toBe(false);
    expect(notChecked.map(({ what }) => what)).toContain(
      "envelopes of group keys for the key of a member, not for a device",
    );
  });

  it("runs or names every rule of core-0.11 there", async () => {
    const { rules } = await verifyStore(made.store).summary();
    const named = new Set(rules.map(({ rule }) => rule));
    const kinds = new Set<unknown>(made.store.schema.rows.map((row) => row.key));
    const lost = allRules.filter(
      ({ name, checks }) =>
        !named.has(name) &&
        checks.some(
          (one) =>
            one.kind === undefined ||
            (kinds.has(one.kind) && one.revisions.some((revision) => revision.name === "core-0.11")),
        ),
    );
    expect(lost.map(({ name }) => name)).toEqual([]);
  });

  it("has a sentence for each operation, also for sealed ones", async () => {
    const lines = await text();
    expect(lines).toHaveLength(10);
    expect(lines.some((line) => line.includes("carol") && line.includes("removed"))).toBe(true);
    expect(lines.filter((line) => line.includes("cannot be read"))).toEqual([]);
  });

  it("has its members and groups", async () => {
    const { store, alice, bob, dave, groupId, namespaceId } = made;
    const node = new CalimeroNode(store);
    const members = await node.members(toHex(namespaceId));
    expect(members.map(({ member, role }) => [member.id, role]).sort()).toEqual(
      [
        [alice.id, "Admin"],
        [bob.id, "Admin"],
        [dave.id, "Member"],
      ].sort(),
    );
    const [root] = await node.namespaces();
    expect(root?.group.id).toBe(toHex(namespaceId));
    expect(root?.children.map(({ group }) => group.id)).toEqual([toHex(groupId)]);
  });
});

type Today = Extract<SignedNamespaceOp, { readonly kind: "today" }>;

/** The operation of a name, with its row. */
async function stored(name: string) {
  const at = new key.NamespaceGovOp({ namespaceId: made.namespaceId, deltaId: made.ids[name] as Uint8Array });
  const value = await made.store.get(at);
  const entry = value?.skeletonBytes.value;
  if (entry?.kind !== "Signed") throw new Error("no such operation");
  return { at, operation: entry.value as Today };
}

/** Puts an operation in place of another one. */
async function replace(name: string, change: (operation: Today) => Today): Promise<key.NamespaceGovOp> {
  const { at, operation } = await stored(name);
  const entry = Payload.of(StoredNamespaceEntry, { kind: "Signed", value: change(operation) });
  await made.store.put(at, { skeletonBytes: entry });
  return at;
}

/** All rules but those about the results of operations. */
const all = { rules: allRules.filter((rule) => !governanceRules.includes(rule)) };

const inNamespace = (row: { readonly key: key.GroupKeyEntry }) =>
  equalBytes(row.key.groupId, made.namespaceId);

/** A test: a change leads to these findings. */
const itFinds = (what: string, change: () => Promise<readonly Expected[]>, options: VerifyOptions = all) =>
  it(what, () => expectNews(made.store, change, options));

describe("a change of", () => {
  itFinds("a signature of an operation is named", async () => {
    const at = await replace("created", (one) => ({ ...one, signature: flipped(one.signature) }));
    return [["error", "namespace-operation-signature", at]];
  });

  itFinds("what is signed is named by id and signature", async () => {
    const at = await replace("created", (one) => ({ ...one, nonce: one.nonce + 100n }));
    return [
      ["error", "namespace-operation-id", at],
      ["error", "namespace-operation-signature", at],
    ];
  });

  itFinds("an endorsement after the signature is named", async () => {
    const at = await replace("joined", (one) => ({
      ...one,
      admitterEndorsement: {
        signer: one.admitterEndorsement?.signer ?? nobody,
        signature: flipped(one.admitterEndorsement?.signature ?? nobody),
      },
    }));
    return [["error", "operation-proof", at]];
  });

  itFinds("a salt is named by the id that follows from it", async () => {
    const at = await replace("created", (one) => {
      const { op } = one;
      if (op.kind !== "Root" || op.value.kind !== "GroupCreated") throw new Error("another operation");
      return { ...one, op: { kind: "Root", value: { ...op.value, salt: nobody } } as Today["op"] };
    });
    return [
      ["error", "founded-id", at],
      ["error", "namespace-operation-id", at],
      ["error", "namespace-operation-signature", at],
    ];
  });

  for (const name of ["added", "sealed", "sealedForGroup", "relayed"])
    itFinds(`the ciphertext of ${name} is named`, async () => {
      const at = await replace(name, (one) => {
        const { op } = one;
        if (!("encrypted" in op)) throw new Error("another operation");
        const encrypted = { ...op.encrypted, ciphertext: flipped(op.encrypted.ciphertext) };
        const changed = { ...one, op: { ...op, encrypted } };
        return { ...changed, signature: sign(made.alice.seed, digest.namespaceOpSigningBytes(changed)) };
      });
      return [
        ["error", "encrypted-operation", at],
        ["error", "namespace-operation-id", at],
      ];
    });

  itFinds("the signature of an operation that a relay passed on is named", async () => {
    const entries = await rowsOf(made.store, key.GroupKeyEntry);
    const secrets = new Map(entries.map((row) => [toHex(row.key.keyId), row.value.groupKey]));
    const at = await replace("relayed", (one) => {
      const { op } = one;
      if (op.kind !== "RootRelaySealed") throw new Error("another operation");
      const secret = secrets.get(toHex(op.keyId)) as Uint8Array;
      const inner = SignedNamespaceOp.decode(decrypt(secret, op.encrypted));
      const changed = SignedNamespaceOp.encode({ ...inner, signature: flipped(inner.signature) });
      const encrypted = encrypt(secret, op.encrypted.nonce, changed);
      const signed = { ...one, op: { ...op, encrypted } };
      return { ...signed, signature: sign(made.alice.seed, digest.namespaceOpSigningBytes(signed)) };
    });
    return [
      ["error", "namespace-operation-id", at],
      ["error", "operation-proof", at],
    ];
  });

  for (const [what, sequence] of [
    ["a warrant", 3n],
    ["an owner's consent", 4n],
  ] as const)
    itFinds(`${what} in the group's log is named`, async () => {
      const at = new key.GroupOpLog({ groupId: made.namespaceId, sequence });
      const value = (await made.store.get(at))?.value;
      if (value === undefined) throw new Error("no such operation");
      const { op } = value;
      const changed =
        op.kind === "OnBehalf"
          ? {
              ...op,
              delegation: {
                ...op.delegation,
                warrant: { ...op.delegation.warrant, nonce: op.delegation.warrant.nonce + 1n },
              },
            }
          : op.kind === "RootGuarded"
            ? { ...op, proof: { ...op.proof, statement: { ...op.proof.statement, counter: 9n } } }
            : op;
      await made.store.put(at, Payload.of(SignedGroupOp, { ...value, op: changed } as SignedGroupOp));
      const head = new key.GroupOpHead({ groupId: made.namespaceId });
      return [
        ["error", "operation-proof", at],
        ["warning", "group-operation-signature", at],
        ...(sequence === 4n ? ([["error", "group-log-heads", head]] as const) : []),
      ];
    });

  itFinds("the heads is named", async () => {
    const head = new key.NamespaceGovHead({ namespaceId: made.namespaceId });
    await edit(made.store, head, () => ({ dagHeads: [nobody] }));
    return [["warning", "namespace-heads", head]];
  });

  itFinds("the second form of an operation is named", async () => {
    const at = new key.ScopeUnifiedOp({
      scope: made.namespaceId,
      opId: made.ids.created as Uint8Array,
    });
    const value = (await made.store.get(at))?.value;
    if (value === undefined) throw new Error("no such form");
    await made.store.put(at, Payload.of(Op, { ...value, parents: [] }));
    return [["error", "unified-operation", at]];
  });

  itFinds("a key of the group is named", async () => {
    const [{ key: first }] = await rowsOf(made.store, key.GroupKeyEntry, inNamespace);
    await made.store.delete(first);
    const operations = ["added", "removed", "onBehalf", "guarded", "sealed", "relayed"];
    const lost: Expected[] = [];
    for (const name of operations) {
      const { at, operation } = await stored(name);
      const { op } = operation;
      if (op.kind === "Group" && toHex(op.keyId) === toHex(first.keyId))
        lost.push(["warning", "operation-key", at]);
      if (
        op.kind === "Group" &&
        op.keyRotation !== null &&
        toHex(op.keyRotation.newKeyId) === toHex(first.keyId)
      )
        lost.push(["warning", "operation-key", at]);
    }
    expect(lost.length).toBeGreaterThan(0);
    return lost;
  });

  itFinds("the row by which an account is found is named", async () => {
    const { namespaceId: groupId, bob } = made;
    const account = fromHex(bob.id);
    await made.store.delete(new key.GroupMemberByAccount({ account, groupId }));
    return [["warning", "member-index", new key.GroupMember({ groupId, account })]];
  });

  itFinds("a device's key is named", async () => {
    const { namespaceId: groupId, bob } = made;
    const at = new key.GroupDeviceBinding({ groupId, deviceId: bob.cert.device });
    await edit(made.store, at, () => ({ signPk: nobody }));
    return [
      ["info", "member-index", at],
      ["info", "member-index", at],
    ];
  });

  itFinds("a device's account is named", async () => {
    const { namespaceId: groupId, bob } = made;
    const at = new key.GroupDeviceBinding({ groupId, deviceId: bob.cert.device });
    await edit(made.store, at, () => ({ account: nobody }));
    const op = new key.ScopeUnifiedOp({ scope: groupId, opId: made.ids.joined as Uint8Array });
    return [
      ["error", "operation-device", op],
      ["info", "member-index", at],
      ["warning", "device-account", at],
    ];
  });
});

describe("rows that are not what the operations lead to", () => {
  const itFindsReplayed = (what: string, change: () => Promise<readonly Expected[]>) =>
    itFinds(what, change, { rules: governanceRules });
  const member = ({ id }: { readonly id: string }) =>
    new key.GroupMember({ groupId: made.namespaceId, account: fromHex(id) });

  itFindsReplayed("the role that was set on behalf of another account", async () => {
    const at = member(made.bob);
    await edit(made.store, at, () => ({ role: "RelayTee" as const }));
    return [["error", "row-differs-from-operation", at]];
  });

  itFindsReplayed("the owner to whom the root key consented", async () => {
    const at = new key.GroupMeta({ groupId: made.namespaceId });
    await edit(made.store, at, () => ({ ownerIdentity: fromHex(made.bob.id) }));
    return [["error", "row-differs-from-operation", at]];
  });

  itFindsReplayed("who joined through a relay, in a sealed operation", async () => {
    const at = member(made.dave);
    await made.store.delete(at);
    return [["error", "operation-without-row", at]];
  });

  itFindsReplayed("a relay that nobody admitted", async () => {
    const value = await made.store.get(member(made.dave));
    if (value === undefined) throw new Error("no such member");
    const at = new key.GroupMember({ groupId: made.groupId, account: nobody });
    await made.store.put(at, { ...value, role: "RelayTee" });
    return [["error", "row-without-operation", at]];
  });

  itFindsReplayed("a member whom an operation removed", async () => {
    const value = await made.store.get(member(made.dave));
    if (value === undefined) throw new Error("no such member");
    await made.store.put(member(made.carol), { ...value, role: "ReadOnly" });
    return [["error", "row-without-operation", member(made.carol)]];
  });

  itFindsReplayed("the key that a removal brought", async () => {
    const isBrought = (row: {
      readonly key: key.GroupKeyEntry;
      readonly value: { readonly epoch: bigint };
    }) => inNamespace(row) && row.value.epoch !== 0n;
    const [{ key: at }] = await rowsOf(made.store, key.GroupKeyEntry, isBrought);
    await edit(made.store, at, ({ epoch }) => ({ epoch: epoch + 1n }));
    return [["error", "row-differs-from-operation", at]];
  });

  it("are explained for a member by the operations that set them", async () => {
    const { store, namespaceId, bob } = made;
    const node = new CalimeroNode(store);
    const explained = await node.explain(toHex(namespaceId), bob.id);
    expect(explained.map(({ operation }) => operation?.kind)).toEqual(["MemberJoinedAt", "OnBehalf"]);
  });

  it("are known for the time after each operation", async () => {
    const { store, namespaceId, alice, bob, ids } = made;
    const past = await new CalimeroNode(store).at(toHex(ids.created as Uint8Array));
    const members = await past.members(toHex(namespaceId));
    expect(new Map(members.map(({ member, role }) => [member.id, role]))).toEqual(
      new Map([
        [alice.id, "Admin"],
        [bob.id, "Member"],
      ]),
    );
  });
});
