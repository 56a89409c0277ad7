/** Keys and logs of groups: each of these changes leads to findings of its own rule alone. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { equalBytes } from "../../src/bytes/order.js";
import { Payload } from "../../src/codec/index.js";
import * as key from "../../src/keys/index.js";
import { SignedGroupOp010, SignedGroupOp011 } from "../../src/payloads/index.js";
import { core010, core011 } from "../../src/schemas/index.js";
import { ruleOf } from "../../src/verify/index.js";
import {
  type Expected,
  expectNews,
  flipped,
  inMemory,
  itCounts,
  itFinds,
  itFindsIn,
  nobody,
  rowsOf,
} from "./altered.js";

const written = () => inMemory("core-0.11/log", core011);
const written010 = () => inMemory("core-0.10/tables", core010);

/** Rows by a text. */
function grouped<T>(rows: readonly T[], by: (row: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(by(row), [...(groups.get(by(row)) ?? []), row]);
  return groups;
}

describe("keys", () => {
  itFinds("signing-key", written010, async (store) => {
    const [signing] = await rowsOf(store, key.GroupSigningKey);
    await store.put(signing.key, { privateKey: nobody });
    const [identity] = await rowsOf(store, key.NamespaceIdentity);
    await store.put(identity.key, { ...identity.value, publicKey: flipped(identity.value.publicKey) });
    return [
      ["error", "signing-key", signing.key],
      ["error", "signing-key", identity.key],
      ["warning", "identity-member", identity.key],
    ];
  });

  itFindsIn(
    ["warning", "member-key"],
    written010,
    key.GroupMember010,
    () => ({ privateKey: nobody }),
    ({ value }) => value.privateKey === null,
  );

  itFinds("group-key-id", written, async (store) => {
    const used = new Set<string>();
    for (const { value } of await rowsOf(store, key.NamespaceGovOp)) {
      const entry = value.skeletonBytes.decode();
      if (entry.kind === "Signed" && entry.value.op.kind === "Group") used.add(toHex(entry.value.op.keyId));
    }
    const [{ key: at, value }] = await rowsOf(
      store,
      key.GroupKeyEntry,
      (row) => !used.has(toHex(row.key.keyId)),
    );
    await store.put(at, { ...value, groupKey: nobody });
    return [["error", "group-key-id", at]];
  });
});

describe("the log of a group", () => {
  /** The longest log of a group. */
  async function longest(store: Awaited<ReturnType<typeof written010>>) {
    const all = await rowsOf(store, key.GroupOpLog);
    const groups = grouped(all, (row) => toHex(row.key.groupId));
    const log = [...groups.values()].sort((a, b) => b.length - a.length)[0] ?? [];
    const last = log.at(-1);
    const first = log[0];
    if (first === undefined || last === undefined) throw new Error("the fixture has no log");
    const head = new key.GroupOpHead({ groupId: last.key.groupId });
    const value = await store.get(head);
    if (value === undefined) throw new Error("the fixture's log has no head");
    return { log, first, last, head: { key: head, value } };
  }

  itCounts("group-log-sequence: behind", written010, async (store, count, severity) => {
    const { last, head } = await longest(store);
    await store.put(head.key, { ...head.value, sequence: head.value.sequence - BigInt(count) });
    return [[severity, "group-log-sequence", last.key]];
  });

  itFinds("group-log-sequence: a gap, and a head that is ahead", written010, async (store) => {
    const { log, head } = await longest(store);
    const [, second, third] = log;
    if (second === undefined || third === undefined) return [];
    const id = second.value.decode();
    expect(id.groupId).toEqual(second.key.groupId);
    await store.delete(second.key);
    await store.put(head.key, { ...head.value, sequence: head.value.sequence + 5n });
    const last = log.at(-1)?.key ?? third.key;
    return [
      ["error", "group-log-sequence", third.key],
      ["error", "group-log-sequence", last],
      ["error", "group-log-sequence", head.key],
    ];
  });

  it("group-log-heads", async () => {
    await expectNews(await written010(), async (store) => {
      const { head } = await longest(store);
      await store.put(head.key, { ...head.value, dagHeads: [...head.value.dagHeads, nobody] });
      return [["error", "group-log-heads", head.key]];
    });
    await expectNews(await written010(), async (store) => {
      const { head } = await longest(store);
      const many = Array.from({ length: 65 }, () => head.value.dagHeads[0] ?? nobody);
      await store.put(head.key, { ...head.value, dagHeads: many });
      return [["error", "group-log-heads", head.key]];
    });
  });

  it("group-operation-version and group-operation-signature", async () => {
    await expectNews(await written010(), async (store) => {
      const { first } = await longest(store);
      await store.put(first.key, Payload.of(SignedGroupOp010, { ...first.value.decode(), version: 4 }));
      return [
        ["error", "group-operation-version", first.key],
        ["error", "group-operation-signature", first.key],
      ];
    });
    await expectNews(await written010(), async (store) => {
      const { first } = await longest(store);
      const operation = first.value.decode();
      const signature = flipped(operation.signature, 40);
      await store.put(first.key, Payload.of(SignedGroupOp010, { ...operation, signature }));
      return [["error", "group-operation-signature", first.key]];
    });
  });

  it("group-operation-signature: what a namespace operation brought is what it decrypts to", async () => {
    const replica = () => inMemory("core-0.11/node-b", core011);
    const change = async (to: (operation: SignedGroupOp011) => Partial<SignedGroupOp011>) => {
      await expectNews(
        await replica(),
        async (store) => {
          const [{ key: at, value }] = await rowsOf(store, key.GroupOpLog);
          const operation = value.decode();
          await store.put(at, Payload.of(SignedGroupOp011, { ...operation, ...to(operation) }));
          return [["warning", "group-operation-signature", at]];
        },
        { rules: [ruleOf("group-operation-signature")] },
      );
    };
    await change(() => ({ op: { kind: "Noop" } }));
    await change(({ parentOpHashes }) => ({ parentOpHashes: parentOpHashes.map((id) => flipped(id)) }));
    await change(({ nonce }) => ({ nonce: nonce + 1n }));
    // More elements than a call can take as arguments.
    await change(({ signer }) => ({ parentOpHashes: Array<Uint8Array>(200_000).fill(signer) }));
    await expectNews(
      await replica(),
      async (store) => {
        // Without the key nobody can read the operation.
        const [{ key: at, value }] = await rowsOf(store, key.GroupOpLog);
        for (const { key: entry } of await rowsOf(store, key.GroupKeyEntry)) await store.delete(entry);
        await store.put(at, Payload.of(SignedGroupOp011, { ...value.decode(), op: { kind: "Noop" } }));
        return [];
      },
      { rules: [ruleOf("group-operation-signature")] },
    );
  });

  itCounts(
    "signer-nonce: of one signer a warning, of several errors",
    written010,
    async (store, count, severity) => {
      const expected: Expected[] = [];
      const all = await rowsOf(store, key.GroupOpLog);
      const bySigner = grouped(all, (row) => toHex(row.key.groupId) + toHex(row.value.decode().signer));
      for (const rows of [...bySigner.values()].slice(0, count)) {
        const highest = rows.reduce((a, b) => (b.value.decode().nonce > a.value.decode().nonce ? b : a));
        const { groupId } = highest.key;
        await store.delete(new key.GroupLocalGovNonce({ groupId, signer: highest.value.decode().signer }));
        expected.push([severity, "signer-nonce", highest.key]);
      }
      return expected;
    },
  );

  it("signer-nonce and nonce-window, of core-0.11", async () => {
    await expectNews(await written(), async (store) => {
      const [window] = await rowsOf(store, key.GroupLocalGovNonceWindow);
      await store.put(window.key, { floor: window.value.floor, above: [window.value.floor, 1n] });
      return [["error", "nonce-window", window.key]];
    });
    await expectNews(await written(), async (store) => {
      const [operation] = await rowsOf(store, key.GroupOpLog);
      const { signer } = operation.value.decode();
      const { groupId } = operation.key;
      const same = await rowsOf(
        store,
        key.GroupOpLog,
        (row) => equalBytes(row.key.groupId, groupId) && equalBytes(row.value.decode().signer, signer),
      );
      await store.put(new key.GroupLocalGovNonceWindow({ groupId, signer }), { floor: 0n, above: [] });
      return same.map((row) => ["warning", "signer-nonce", row.key]);
    });
  });
});
