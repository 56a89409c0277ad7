/** Rows of groups that contradict signed operations: the rule about each has exactly one finding. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { equalBytes } from "../../src/bytes/order.js";
import { bytes as byteString } from "../../src/codec/index.js";
import * as key from "../../src/keys/index.js";
import { SignedGroupOp010, SignedGroupOp011 } from "../../src/payloads/index.js";
import { type Core011, core010, core011, type Schema, type ValueFor } from "../../src/schemas/index.js";
import type { Store } from "../../src/store/index.js";
import { verifyStore } from "../../src/verify/index.js";
import { governanceRules } from "../../src/verify/rules/governance.js";
import { type Expected, expectNews, inMemory, itFinds, nobody, rowsOf } from "./altered.js";

const node = () => inMemory("core-0.11/node-a", core011);
const joiner = () => inMemory("core-0.11/node-c", core011);
const node010 = () => inMemory("core-0.10/node-a", core010);
const options = { rules: governanceRules };

/** Changes a store and expects these findings of the rules about operations. */
const expectGovernance = <S extends Schema>(
  store: Store<S>,
  change: (store: Store<S>) => Promise<readonly Expected[]>,
): Promise<void> => expectNews(store, change, options);

/** Adds a row and expects one finding, about this row. */
async function expectAdded(
  store: Store<Core011>,
  severity: Expected[0],
  added: key.GroupMember,
  value: ValueFor<Core011, key.GroupMember>,
): Promise<void> {
  await expectGovernance(store, async (store) => {
    await store.put(added, value);
    return [[severity, "row-without-operation", added]];
  });
}

const isFor = (id: Uint8Array) => (row: { readonly key: { readonly groupId: Uint8Array } }) =>
  equalBytes(row.key.groupId, id);

describe("row-without-operation", () => {
  it("an admin that nobody added", async () => {
    const store = await node();
    const [{ key: admin, value }] = await rowsOf(
      store,
      key.GroupMember,
      ({ value }) => value.role === "Admin",
    );
    const added = new key.GroupMember({ groupId: admin.groupId, account: nobody });
    await expectAdded(store, "error", added, value);
  });

  it("a plain member is a warning: this node may have answered a request to join", async () => {
    const store = await node();
    const [{ key: member, value }] = await rowsOf(store, key.GroupMember);
    const added = new key.GroupMember({ groupId: member.groupId, account: nobody });
    await expectAdded(store, "warning", added, { ...value, role: "Member" });
  });

  it("a member whom an operation removed", async () => {
    const store = await joiner();
    const [{ key: denied }] = await rowsOf(store, key.GroupDeniedMember);
    const [{ value }] = await rowsOf(store, key.GroupMember, ({ value }) => value.role === "Admin");
    const { groupId, account } = denied;
    const added = new key.GroupMember({ groupId, account });
    await expectAdded(store, "error", added, value);
  });

  it("a group that no operation names is one warning", async () => {
    const store = await node();
    const [{ value: meta }] = await rowsOf(store, key.GroupMeta);
    const [{ value: caps }] = await rowsOf(store, key.GroupDefaultCaps);
    await expectGovernance(store, async (store) => {
      const added = new key.GroupMeta({ groupId: nobody });
      await store.put(added, meta);
      await store.put(new key.GroupDefaultCaps({ groupId: nobody }), caps);
      return [["warning", "row-without-operation", added]];
    });
  });
});

describe("operation-without-row", () => {
  it("a member, a group and a device, in either revision", async () => {
    await expectGovernance(await node(), async (store) => {
      const [member] = await rowsOf(store, key.GroupMember);
      const [device] = await rowsOf(store, key.GroupDeviceBinding);
      await store.delete(member.key);
      await store.delete(device.key);
      return [
        ["error", "operation-without-row", member.key],
        ["error", "operation-without-row", device.key],
      ];
    });
    await expectGovernance(await node010(), async (store) => {
      const [context] = await rowsOf(store, key.GroupContextIndex);
      await store.delete(context.key);
      return [["error", "operation-without-row", context.key]];
    });
  });
});

it("operation-without-row does not call a row absent that does not decode", async () => {
  const expectNothing = async (kind: typeof key.GroupMember, change: (value: Uint8Array) => Uint8Array) =>
    expectGovernance(await node(), async (store) => {
      const [{ key: changed }] = await rowsOf(store, kind);
      const { COLUMN: column, bytes } = changed;
      const value = change((await store.raw.get(column, bytes)) as Uint8Array);
      await store.raw.write([{ type: "put", column, key: bytes, value }]);
      return [];
    });
  const cut = (value: Uint8Array) => value.slice(0, -1);
  await expectNothing(key.GroupMember, cut);
  await expectNothing(key.GroupMeta as unknown as typeof key.GroupMember, cut);
  await expectNothing(key.NamespaceGovHead as unknown as typeof key.GroupMember, cut);
  // A role of a later version.
  await expectNothing(key.GroupMember, (value) => Uint8Array.of(0x7f, ...value.slice(1)));
});

describe("row-differs-from-operation", () => {
  it("a role, capabilities and a name", async () => {
    await expectGovernance(await joiner(), async (store) => {
      const [member] = await rowsOf(store, key.GroupMember, ({ value }) => value.role === "Member");
      await store.put(member.key, { ...member.value, role: "Admin" });
      const [rights] = await rowsOf(store, key.GroupMemberCapability);
      await store.put(rights.key, { capabilities: 0x1ff });
      const [name] = await rowsOf(store, key.GroupMetadata);
      await store.put(name.key, { ...name.value, name: "another" });
      return [
        ["error", "row-differs-from-operation", member.key],
        ["error", "row-differs-from-operation", rights.key],
        ["error", "row-differs-from-operation", name.key],
      ];
    });
  });

  it("nothing that only this node says: times, its own group's application", async () => {
    await expectGovernance(await node(), async (store) => {
      for (const { key: name, value } of await rowsOf(store, key.GroupMetadata))
        await store.put(name, { ...value, updatedAt: value.updatedAt + 1n });
      return [];
    });
  });
});

describe("the logs", () => {
  it("logged-operation: what another member did not sign", async () => {
    const store = await joiner();
    const isForeign = (op: SignedGroupOp011 | undefined) => op?.op.kind === "MemberAdded";
    const [row] = await rowsOf(store, key.GroupOpLog, ({ value }) => isForeign(value.value));
    const { groupId } = row.key;
    const op = row.value.value as SignedGroupOp011;
    // The log has an operation of another kind under the same signature, and the added member stays.
    const forged = SignedGroupOp011.encode({ ...op, op: { kind: "Noop" } });
    await expectGovernance(store, async (store) => {
      await store.raw.write([
        { type: "put", column: "Group", key: row.key.bytes, value: byteString.encode(forged) },
      ]);
      const [head] = await rowsOf(store, key.GroupOpHead, isFor(groupId));
      expect(head.value.sequence).toBeGreaterThan(row.key.sequence);
      return [["error", "logged-operation", row.key]];
    });
  });

  it("operation-not-logged: one of this node is an error, one of another member a warning", async () => {
    for (const open of [node, joiner]) {
      const store = await open();
      const own = (await rowsOf(store, key.NodeIdentity))[0].value.publicKey;
      await expectNews(
        store,
        async (store) => {
          for (const { key: logged } of await rowsOf(store, key.GroupOpLog)) await store.delete(logged);
          const expected: Expected[] = [];
          for (const { key: operation, value } of await rowsOf(store, key.NamespaceGovOp)) {
            const entry = value.skeletonBytes.value;
            if (entry?.kind !== "Signed" || entry.value.op.kind !== "Group") continue;
            const severity = equalBytes(entry.value.signer, own) ? "error" : "warning";
            expected.push([severity, "operation-not-logged", operation]);
          }
          return expected;
        },
        { rules: governanceRules.filter(({ name }) => name === "operation-not-logged") },
      );
    }
  });

  it("operation-not-replayed: what operations without their keys may have changed is not accused", async () => {
    const store = await joiner();
    const [{ key: admin, value }] = await rowsOf(
      store,
      key.GroupMember,
      ({ value }) => value.role === "Admin",
    );
    for (const { key: logged } of await rowsOf(store, key.GroupOpLog)) await store.delete(logged);
    for (const { key: head } of await rowsOf(store, key.GroupOpHead)) await store.delete(head);
    for (const { key: entry } of await rowsOf(store, key.GroupKeyEntry)) await store.delete(entry);
    const added = new key.GroupMember({ groupId: admin.groupId, account: nobody });
    await store.put(added, value);
    const found: string[] = [];
    for await (const { rule, severity, key: row, message } of verifyStore(store, options)) {
      if (row === toHex(added.bytes)) found.push(`${severity} ${rule}`);
      if (rule === "operation-not-replayed")
        expect(message).toMatch(/^\d+ operations? on group .* cannot be read/);
    }
    expect(found).toEqual(["info row-without-operation"]);
  });
});

describe("hashes and keys", () => {
  itFinds(
    "group-state-hash: an operation that was made in another state",
    node010,
    async (store) => {
      const [row] = await rowsOf(store, key.GroupOpLog, ({ value }) => value.value !== undefined);
      const op = row.value.value as SignedGroupOp010;
      const other = SignedGroupOp010.encode({ ...op, stateHash: new Uint8Array(32).fill(3) });
      await store.raw.write([
        { type: "put", column: "Group", key: row.key.bytes, value: byteString.encode(other) },
      ]);
      // The first operation on the group is the one with the least number.
      const carriers = (await rowsOf(store, key.NamespaceGovOp)).flatMap(({ key: carrier, value }) => {
        const entry = value.skeletonBytes.value;
        const isAbout =
          entry?.kind === "Signed" &&
          entry.value.op.kind === "Group" &&
          equalBytes(entry.value.op.groupId, op.groupId);
        return isAbout ? [{ key: carrier, nonce: entry.value.nonce }] : [];
      });
      const [carrier] = carriers.sort((a, b) => (a.nonce < b.nonce ? -1 : 1));
      if (carrier === undefined) throw new Error("the fixture has no such operation");
      return [["warning", "group-state-hash", carrier.key]];
    },
    { rules: governanceRules.filter(({ name }) => name === "group-state-hash") },
  );

  it("group-key-envelope: a key that was sent to this node and is gone, or is another", async () => {
    const keys = { rules: governanceRules.filter(({ name }) => name === "group-key-envelope") };
    await expectNews(
      await node(),
      async (store) => {
        const [row] = await rowsOf(store, key.GroupKeyEntry, ({ value }) => value.epoch > 0n);
        await store.put(row.key, { ...row.value, groupKey: new Uint8Array(32).fill(5) });
        return [["error", "group-key-envelope", row.key]];
      },
      keys,
    );
  });
});
