/** Namespaces: each of these changes leads to findings of its own rule alone. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { equalBytes } from "../../src/bytes/order.js";
import { Payload } from "../../src/codec/index.js";
import { derivePublicKey, sign } from "../../src/crypto/index.js";
import { namespaceOpId010, namespaceOpSigningBytes010 } from "../../src/digests/index.js";
import * as key from "../../src/keys/index.js";
import {
  Op011,
  ReadableNamespaceEntry010,
  ReadableNamespaceEntry011,
  type SignedNamespaceOp010,
  type SignedNamespaceOp011,
} from "../../src/payloads/index.js";
import { type Core010, type Core011, core010, core011 } from "../../src/schemas/index.js";
import type { Store } from "../../src/store/index.js";
import { ruleOf } from "../../src/verify/index.js";
import { encrypt } from "../node/replay/histories/actors.js";
import {
  type Expected,
  edit,
  expectNews,
  flipped,
  inMemory,
  itCounts,
  itFinds,
  itFindsIn,
  nobody,
  rowsOf,
} from "./altered.js";

const node = () => inMemory("core-0.11/node-a", core011);
const written010 = () => inMemory("core-0.10/tables", core010);

const signed010 = (operation: SignedNamespaceOp010) => ({
  skeletonBytes: Payload.of(ReadableNamespaceEntry010, { kind: "Signed", value: operation }),
});
const signed = (operation: SignedNamespaceOp011) => ({
  skeletonBytes: Payload.of(ReadableNamespaceEntry011, { kind: "Signed", value: operation }),
});

/** The decoded operations of core-0.10. */
async function operations010(store: Store<Core010>) {
  const rows = await rowsOf(store, key.NamespaceGovOp);
  const all = rows.flatMap(({ key: at, value }) => {
    const entry = value.skeletonBytes.decode();
    return entry.kind === "Signed" ? [{ key: at, operation: entry.value }] : [];
  });
  return all as [(typeof all)[number], ...typeof all];
}

/** Adds an operation to a namespace, under its own id. */
async function add010(store: Store<Core010>, namespaceId: Uint8Array, operation: SignedNamespaceOp010) {
  const at = new key.NamespaceGovOp({ namespaceId, deltaId: namespaceOpId010(operation) });
  await store.put(at, signed010(operation));
  return at;
}

/** Raises the count of a namespace's operations. */
const count = (store: Store<Core010>, namespaceId: Uint8Array, more: bigint) =>
  edit(store, new key.NamespaceGovHead({ namespaceId }), ({ sequence }) => ({ sequence: sequence + more }));

/** The decoded operations of core-0.11. */
async function operations(store: Store<Core011>) {
  const rows = await rowsOf(store, key.NamespaceGovOp);
  return rows.flatMap(({ key: at, value }) => {
    const entry = value.skeletonBytes.decode();
    return entry.kind === "Signed" ? [{ key: at, operation: entry.value }] : [];
  });
}

/** A row whose operation lacks its last byte; the operation's length still fits. */
function cutInside(row: Uint8Array): Uint8Array {
  const bytes = row.slice(0, -1);
  new DataView(bytes.buffer).setUint32(0, bytes.length - 4, true);
  return bytes;
}

function first<T>(rows: readonly T[], where: (row: T) => boolean): T {
  const found = rows.find(where);
  if (found === undefined) throw new Error("the fixture has no such row");
  return found;
}

/** A new operation, signed with another key: it is right in itself. */
function signedBy(seed: Uint8Array, operation: SignedNamespaceOp010): SignedNamespaceOp010 {
  const unsigned = { ...operation, signer: derivePublicKey(seed) };
  return { ...unsigned, signature: sign(seed, namespaceOpSigningBytes010(unsigned)) };
}

describe("operations of a namespace", () => {
  itFinds("namespace-operation-id: the same operation under another id", written010, async (store) => {
    const [row] = await operations010(store);
    const other = new key.NamespaceGovOp({ namespaceId: row.key.namespaceId, deltaId: nobody });
    await store.put(other, signed010(row.operation));
    return [
      ["error", "namespace-operation-id", other],
      // The operation is one more than the head counts.
      ["warning", "namespace-sequence", new key.NamespaceGovHead({ namespaceId: row.key.namespaceId })],
      ...(await headsFollowed(store, row.operation, other)),
    ];
  });

  /** The finding that an operation follows heads; none if its parents are not heads. */
  async function headsFollowed(
    store: Store<Core010>,
    { parentOpHashes }: SignedNamespaceOp010,
    at: key.NamespaceGovOp,
  ) {
    const head = await store.get(new key.NamespaceGovHead({ namespaceId: at.namespaceId }));
    const heads = head?.dagHeads.map(toHex) ?? [];
    const followed = parentOpHashes.filter((parent) => heads.includes(toHex(parent)));
    return followed.map(() => ["warning", "namespace-heads", at] as const);
  }

  itFinds("namespace-operation-version: one that is right but for its version", written010, async (store) => {
    const [row] = await operations010(store);
    const operation = signedBy(nobody, {
      ...row.operation,
      version: 2,
      op: { kind: "Root", value: { kind: "PolicyUpdated", policyBytes: nobody } },
    });
    const { namespaceId } = row.key;
    const at = await add010(store, namespaceId, operation);
    await count(store, namespaceId, 1n);
    return [["error", "namespace-operation-version", at], ...(await headsFollowed(store, operation, at))];
  });

  itFinds("namespace-operation-signature", node, async (store) => {
    const row = first(await operations(store), ({ operation }) => operation.op.kind === "Root");
    const signature = flipped(row.operation.signature, 40);
    await store.put(row.key, signed({ ...row.operation, signature }));
    return [["error", "namespace-operation-signature", row.key]];
  });

  itFindsIn(
    ["warning", "namespace-heads", "one is not there"],
    node,
    key.NamespaceGovHead,
    ({ dagHeads }) => ({
      dagHeads: [...dagHeads, nobody],
    }),
  );

  itFinds("namespace-heads, of one that others follow", node, async (store) => {
    const all = await operations(store);
    const row = first(all, ({ operation }) => operation.parentOpHashes.length === 1);
    const parent = row.operation.parentOpHashes[0] ?? nobody;
    const followers = all.filter(({ operation }) =>
      operation.parentOpHashes.some((id) => equalBytes(id, parent)),
    );
    const head = new key.NamespaceGovHead({ namespaceId: row.key.namespaceId });
    await edit(store, head, ({ dagHeads }) => ({ dagHeads: [...dagHeads, parent] }));
    return followers.map((one) => ["warning", "namespace-heads", one.key]);
  });

  itFinds("namespace-parents: an operation that is gone, and the first one", written010, async (store) => {
    const all = await operations010(store);
    const start = first(all, ({ operation }) => operation.parentOpHashes.length === 0);
    const followers = all.filter(({ operation }) =>
      operation.parentOpHashes.some((id) => equalBytes(id, start.key.deltaId)),
    );
    expect(followers.length).toBeGreaterThan(0);
    await store.delete(start.key);
    const [left] = await rowsOf(store, key.NamespaceGovOp, (row) =>
      equalBytes(row.key.namespaceId, start.key.namespaceId),
    );
    return [
      ...followers.map((one) => ["warning", "namespace-parents", one.key] as const),
      ["warning", "namespace-parents", left.key],
    ];
  });

  it.each([
    ["row", (bytes: Uint8Array) => bytes.slice(0, -1)],
    ["operation in the row", cutInside],
  ] as const)("namespace-parents and -sequence: the first %s does not decode", async (_, cut) => {
    await expectNews(await node(), async (store) => {
      const all = await operations(store);
      const start = first(all, ({ operation }) => operation.parentOpHashes.length === 0);
      const { bytes: at, namespaceId } = start.key;
      const left = first(all, (row) => row !== start && equalBytes(row.key.namespaceId, namespaceId));
      const value = cut((await store.raw.get("Group", at)) as Uint8Array);
      await store.raw.write([{ type: "put", column: "Group", key: at, value }]);
      return [
        ["error", "row-decodes", start.key],
        ["info", "namespace-parents", left.key],
      ];
    });
  });

  itFinds("namespace-sequence", node, async (store) => {
    const [one, other] = await rowsOf(store, key.NamespaceGovHead);
    await store.put(one.key, { ...one.value, sequence: 0n });
    if (other !== undefined) await store.delete(other.key);
    return [one, other].flatMap((row) =>
      row === undefined ? [] : [["warning", "namespace-sequence", row.key] as const],
    );
  });

  itFinds(
    "invitation-signature: an operation that is right but for the invitation in it",
    written010,
    async (store) => {
      const row = first(await operations010(store), ({ operation: { op } }) => {
        return op.kind === "Root" && op.value.kind === "MemberJoined";
      });
      const { op } = row.operation;
      if (op.kind !== "Root" || op.value.kind !== "MemberJoined") return [];
      const { invitation } = op.value.signedInvitation;
      const expected: Expected[] = [];
      for (const inviterSignature of ["00".repeat(64), "no signature"]) {
        const signedInvitation = { invitation, inviterSignature };
        const operation = signedBy(nobody, {
          ...row.operation,
          op: { kind: "Root", value: { ...op.value, signedInvitation } },
        });
        const at = await add010(store, row.key.namespaceId, operation);
        expected.push(["warning", "invitation-signature", at]);
      }
      await count(store, row.key.namespaceId, 2n);
      return expected;
    },
  );
});

describe("operations in other forms", () => {
  itFinds("unified-operation: one without the other form is a warning", node, async (store) => {
    const [{ key: at }] = await rowsOf(store, key.ScopeUnifiedOp);
    await store.delete(at);
    return [
      ["warning", "unified-operation", new key.NamespaceGovOp({ namespaceId: at.scope, deltaId: at.opId })],
    ];
  });

  itCounts(
    "unified-operation: operations that the namespace lacks",
    node,
    async (store, count, severity) => {
      const rows = (await rowsOf(store, key.ScopeUnifiedOp)).slice(0, count);
      for (const { key: at } of rows)
        await store.delete(new key.NamespaceGovOp({ namespaceId: at.scope, deltaId: at.opId }));
      return rows.map((row) => [severity, "unified-operation", row.key]);
    },
    { rules: [ruleOf("unified-operation")] },
  );

  it("unified-operation: what the two forms do not agree on", async () => {
    const [{ value: whole }] = await rowsOf(await node(), key.ScopeUnifiedOp, ({ value }) => {
      return (value.value?.parents.length ?? 0) > 0;
    });
    const op = whole.value as Op011;
    const { authorship, parents, hlc, expectedScopeRoot, signature } = op;
    for (const change of [
      { parents: parents.slice(1) },
      { parents: parents.map((parent) => flipped(parent)) },
      { authorship: { ...authorship, deviceKey: flipped(authorship.deviceKey) } },
      { hlc: { ...hlc, time: 1n } },
      { hlc: { ...hlc, id: 2n } },
      { expectedScopeRoot: flipped(expectedScopeRoot) },
      { signature: flipped(signature, 63) },
    ]) {
      await expectNews(await node(), async (store) => {
        const at = new key.ScopeUnifiedOp({ scope: op.scope, opId: op.id });
        await store.put(at, Payload.of(Op011, { ...op, ...change }));
        return [["error", "unified-operation", at]];
      });
    }
  });

  itFinds(
    "encrypted-operation: a key that is another one, of which its id tells too",
    written010,
    async (store) => {
      const all = await operations010(store);
      const users = (row: { readonly key: key.GroupKeyEntry }) =>
        all.filter(
          ({ operation: { op } }) =>
            op.kind === "Group" &&
            equalBytes(op.groupId, row.key.groupId) &&
            equalBytes(op.keyId, row.key.keyId),
        );
      const entry = first(await rowsOf(store, key.GroupKeyEntry), (row) => users(row).length > 0);
      await store.put(entry.key, { ...entry.value, groupKey: nobody });
      return [
        ["error", "group-key-id", entry.key],
        ...users(entry).map((one) => ["error", "encrypted-operation", one.key] as const),
      ];
    },
  );

  itFinds(
    "encrypted-operation: decrypted bytes that are not an operation",
    written010,
    async (store) => {
      const [entry] = await rowsOf(store, key.GroupKeyEntry);
      const row = first(await operations010(store), ({ operation: { op } }) => op.kind === "Group");
      const { op } = row.operation;
      if (op.kind !== "Group") return [];
      const { groupId, keyId } = entry.key;
      const encrypted = encrypt(entry.value.groupKey, new Uint8Array(12), Uint8Array.of(0xff, 1, 2));
      const operation = signedBy(nobody, { ...row.operation, op: { ...op, groupId, keyId, encrypted } });
      const at = await add010(store, row.key.namespaceId, operation);
      return [["error", "encrypted-operation", at]];
    },
    { rules: [ruleOf("encrypted-operation")] },
  );
});
