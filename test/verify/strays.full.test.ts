/** Rows about groups and contexts that do not exist, or that have nothing about the rows. */
import { describe, expect, it } from "vitest";
import { equalBytes } from "../../src/bytes/order.js";
import * as key from "../../src/keys/index.js";
import { core010, core011 } from "../../src/schemas/index.js";
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

const founder = () => inMemory("core-0.11/node-a", core011);
const joiner = () => inMemory("core-0.11/node-b", core011);
const founder010 = () => inMemory("core-0.10/node-a", core010);

type Founder = Awaited<ReturnType<typeof founder>>;

const other = flipped(nobody);

describe("group-there", () => {
  itCounts(
    "of groups whose rows a node of core-0.11 deletes first",
    founder,
    async (store, count, severity) => {
      const [{ value: metadata }] = await rowsOf(store, key.GroupMetadata);
      const expected: Expected[] = [];
      for (const groupId of [nobody, other].slice(0, count)) {
        const caps = new key.GroupDefaultCaps({ groupId });
        const named = new key.GroupMetadata({ groupId });
        await store.put(caps, { capabilities: 4 });
        await store.put(named, metadata);
        expected.push([severity, "group-there", caps], [severity, "group-there", named]);
      }
      return expected;
    },
  );

  itFinds("of a key that was handed over, and of rows that are left behind", founder, async (store) => {
    const [entry] = await rowsOf(store, key.GroupKeyEntry);
    const moved = new key.GroupKeyEntry({ groupId: nobody, keyId: entry.key.keyId });
    await store.put(moved, entry.value);
    const vouched = new key.GroupAccountEndorser({ groupId: nobody, accountId: nobody, member: nobody });
    await store.put(vouched, null);
    return [
      ["warning", "group-there", moved],
      ["info", "group-there", vouched],
    ];
  });

  itFinds("of the same rows in core-0.10, which a deletion leaves", founder010, async (store) => {
    const caps = new key.GroupDefaultCaps({ groupId: nobody });
    await store.put(caps, { capabilities: 1 });
    return [["info", "group-there", caps]];
  });
});

describe("context-there", () => {
  itCounts("of contexts with a state", founder, async (store, count, severity) => {
    const rows = [nobody, other]
      .slice(0, count)
      .map((contextId) => new key.ContextState011({ contextId, stateKey: nobody }));
    for (const at of rows) await store.put(at, Uint8Array.of(1));
    return rows.map((at) => [severity, "context-there", at]);
  });

  it("of identities, unless a group has the context", async () => {
    for (const joined of [false, true]) {
      await expectNews(await founder(), async (store) => {
        const [{ key: own }] = await rowsOf(store, key.ContextIdentity);
        const identity = new key.ContextIdentity({ contextId: nobody, publicKey: own.publicKey });
        await store.put(identity, { privateKey: null });
        if (!joined) return [["warning", "context-there", identity]];
        const [{ value: groupId }] = await rowsOf(store, key.ContextGroupRef, ({ key: { contextId } }) =>
          equalBytes(contextId, own.contextId),
        );
        await store.put(new key.ContextGroupRef({ contextId: nobody }), groupId);
        const listed = new key.GroupContextIndex({ groupId, contextId: nobody });
        await store.put(listed, null);
        return [
          ["info", "left-behind", identity],
          ["info", "context-joined", listed],
        ];
      });
    }
  });

  itFinds("left-behind: the name of a service of a context that is in no group", founder, async (store) => {
    const name = new key.ContextServiceName({ contextId: nobody });
    await store.put(name, { serviceName: "main" });
    return [["info", "left-behind", name]];
  });
});

describe("the node's part in a namespace", () => {
  it("part-there: a namespace of which there is nothing else, unless the node forgets it", async () => {
    for (const purged of [false, true]) {
      await expectNews(await founder(), async (store) => {
        const part = new key.NamespaceParticipation({ namespaceId: nobody });
        await store.put(part, { reserved: 0 });
        const purge = new key.PendingSelfPurge({ namespaceId: nobody });
        if (purged) await store.put(purge, null);
        return purged ? [["info", "work-to-do", purge]] : [["warning", "part-there", part]];
      });
    }
  });

  itFindsIn(
    ["warning", "part-there", "a value that no node writes"],
    founder,
    key.NamespaceParticipation,
    () => ({ reserved: 1 }),
  );

  itFinds("part-there: in core-0.10 of a group that is deleted", founder010, async (store) => {
    const [{ value }] = await rowsOf(store, key.NamespaceIdentity);
    const part = new key.NamespaceIdentity({ namespaceId: nobody });
    await store.put(part, value);
    return [["info", "part-there", part]];
  });

  itFinds(
    "namespace-inviter: an account that is not known, a namespace that is not",
    joiner,
    async (store) => {
      const [{ key: invited, value }] = await rowsOf(store, key.NamespaceBootstrapInviter);
      await store.put(invited, nobody);
      const elsewhere = new key.NamespaceBootstrapInviter({ namespaceId: nobody });
      await store.put(elsewhere, value);
      return [
        ["warning", "namespace-inviter", invited],
        ["warning", "namespace-inviter", elsewhere],
        ["warning", "namespace-inviter", elsewhere],
      ];
    },
  );

  itFinds("identity-member: two namespaces with each other's identities", founder010, async (store) => {
    const identities = await rowsOf(store, key.NamespaceIdentity);
    const heads = await rowsOf(store, key.NamespaceGovHead);
    const [first, second] = identities.filter((row) =>
      heads.some((head) => equalBytes(head.key.namespaceId, row.key.namespaceId)),
    );
    if (first === undefined || second === undefined) return [];
    await store.put(first.key, second.value);
    await store.put(second.key, first.value);
    return [first, second].map((row) => ["error", "identity-member", row.key]);
  });

  it("identity-member: of a member without a signing key; nothing of who was removed", async () => {
    await expectNews(await founder010(), async (store) => {
      const [signing] = await rowsOf(store, key.GroupSigningKey);
      await store.delete(signing.key);
      const { groupId } = signing.key;
      return [["info", "identity-member", new key.NamespaceIdentity({ namespaceId: groupId })]];
    });
    await expectNews(await inMemory("core-0.10/node-b", core010), async (store) => {
      const [signing] = await rowsOf(store, key.GroupSigningKey);
      const { groupId, publicKey: identity } = signing.key;
      await store.delete(new key.GroupMember010({ groupId, identity }));
      // The key may belong to a former member.
      return [["info", "signing-member", signing.key]];
    });
  });
});

describe("accounts, devices and metadata", () => {
  itFinds("endorsed-account: by an account that is not known, and of one", founder, async (store) => {
    const [{ key: known }] = await rowsOf(store, key.GroupAccountEndorser);
    const by = new key.GroupAccountEndorser({ ...parts(known), member: nobody });
    const of = new key.GroupAccountEndorser({ ...parts(known), accountId: nobody });
    for (const at of [by, of]) await store.put(at, null);
    return [by, of].map((at) => ["warning", "endorsed-account", at]);
  });

  itFinds(
    "endorsed-account says nothing of a member of the namespace who vouched in a subgroup",
    founder,
    async (store) => {
      const [parent] = await rowsOf(store, key.GroupParentRef);
      const [account] = await rowsOf(store, key.GroupAccountKey, (row) =>
        equalBytes(row.key.groupId, parent.value),
      );
      const { accountId } = account.key;
      const groupId = parent.key.childGroupId;
      await store.put(new key.GroupAccountKey({ groupId, accountId }), account.value);
      await store.put(new key.GroupAccountEndorser({ groupId, accountId, member: accountId }), null);
      return [];
    },
  );

  itFinds(
    "context-metadata: of a context that the group does not have, while the group is there",
    founder,
    async (store) => {
      const [{ key: at, value }] = await rowsOf(store, key.GroupContextMetadata);
      const elsewhere = new key.GroupContextMetadata({ groupId: at.groupId, contextId: nobody });
      await store.put(elsewhere, value);
      const left = new key.GroupContextMetadata({ groupId: nobody, contextId: nobody });
      await store.put(left, value);
      return [
        ["warning", "context-metadata", elsewhere],
        ["info", "group-there", left],
      ];
    },
  );

  it("identity-device: of no device, unless one was revoked", async () => {
    for (const revoked of [false, true]) {
      await expectNews(await joiner(), async (store) => {
        const [{ key: known }] = await rowsOf(store, key.ContextIdentity);
        const identity = new key.ContextIdentity({ contextId: known.contextId, publicKey: nobody });
        await store.put(identity, { privateKey: null });
        const [{ key: part }] = await rowsOf(store, key.NamespaceParticipation);
        if (revoked)
          await store.put(new key.GroupRevokedDevice({ groupId: part.namespaceId, deviceId: nobody }), null);
        return [[revoked ? "info" : "warning", "identity-device", identity]];
      });
    }
  });

  itFinds("identity-device: in core-0.10 of no member", founder010, async (store) => {
    const [{ key: known }] = await rowsOf(store, key.ContextIdentity);
    const identity = new key.ContextIdentity({ contextId: known.contextId, publicKey: nobody });
    await store.put(identity, { privateKey: null, senderKey: null });
    return [["info", "identity-device", identity]];
  });
});

describe("activated-code", () => {
  itFinds(
    "of a context in which the node made changes, and not of one that it only follows",
    joiner,
    async (store) => {
      const activated = await rowsOf(store, key.ContextActivatedBlob);
      const contexts = await rowsOf(store, key.ContextMeta);
      expect(contexts.length).toBeGreaterThan(activated.length);
      for (const { key: at } of activated) await store.delete(at);
      return activated.map(({ key: { contextId } }) => [
        "warning",
        "activated-code",
        new key.ContextMeta({ contextId }),
      ]);
    },
  );

  itFinds("of two contexts with each other's code", founder, async (store) => {
    const [first, ...others] = await rowsOf(store, key.ContextActivatedBlob);
    const second = others.find(({ value }) => !equalBytes(value.blob, first.value.blob));
    if (second === undefined) return [];
    await store.put(first.key, second.value);
    await store.put(second.key, first.value);
    return [first, second].map((row) => ["warning", "activated-code", row.key]);
  });

  it("says nothing of the version before, and of one that the group went through", async () => {
    for (const isBefore of [true, false])
      await expectNews(await founder(), async (store) => {
        const [first, ...others] = await rowsOf(store, key.ContextActivatedBlob);
        const { contextId } = first.key;
        const blob =
          others.find(({ value }) => !equalBytes(value.blob, first.value.blob))?.value.blob ?? nobody;
        await store.put(first.key, { blob });
        const meta = await store.get(new key.ContextMeta({ contextId }));
        const groupId = await store.get(new key.ContextGroupRef({ contextId }));
        if (meta === undefined || groupId === undefined) throw new Error("the fixture has no such context");
        const previous = new key.ApplicationPreviousBlob({ applicationId: meta.application });
        const rungs = [{ appKey: blob, applicationId: nobody }];
        if (isBefore) await store.put(previous, { bytecode: blob });
        else await store.put(new key.GroupUpgradeLadder({ groupId }), { rungs });
        return [];
      });
  });

  it("says nothing of an unknown version while an upgrade waits for the context, and warns otherwise", async () => {
    const unknown = async (store: Founder) => {
      const applications = await rowsOf(store, key.ApplicationMeta);
      const code = applications.flatMap(({ value }) => [value, ...value.services].map((of) => of.bytecode));
      const [blob] = await rowsOf(
        store,
        key.BlobMeta,
        (row) => !code.some((one) => equalBytes(one, row.key.blobId)),
      );
      return blob.key.blobId;
    };
    /** The findings about a context that runs this code, after its group went through these versions. */
    const expectOf = async (
      runs: (store: Founder, own: Uint8Array) => Promise<Uint8Array>,
      rungs: (target: Uint8Array) => readonly Uint8Array[],
      warns: boolean,
    ) => {
      await expectNews(await founder(), async (store) => {
        const [{ key: at, value }] = await rowsOf(store, key.ContextActivatedBlob);
        const groupId = await store.get(new key.ContextGroupRef({ contextId: at.contextId }));
        const group = await store.get(new key.GroupMeta({ groupId: groupId ?? nobody }));
        await store.put(at, { blob: await runs(store, value.blob) });
        await store.put(new key.GroupUpgradeLadder({ groupId: groupId ?? nobody }), {
          rungs: rungs(group?.appKey ?? nobody).map((appKey) => ({ appKey, applicationId: nobody })),
        });
        return warns ? [["warning", "activated-code", at]] : [];
      });
    };
    const ofOther = async (store: Founder, own: Uint8Array) => {
      const [other] = await rowsOf(
        store,
        key.ContextActivatedBlob,
        ({ value }) => !equalBytes(value.blob, own),
      );
      return other.value.blob;
    };
    await expectOf(unknown, (target) => [target], false);
    await expectOf(unknown, (target) => [other, target], false);
    await expectOf(unknown, () => [], true);
    await expectOf(unknown, (target) => [target, other], true);
    await expectOf(ofOther, (target) => [target], true);
  });
});

describe("group-log-order", () => {
  it("of two own operations in each other's places", async () => {
    for (const store of [await founder(), await founder010()] as const) {
      await expectNews(store as Awaited<ReturnType<typeof founder>>, async (store) => {
        const rows = await rowsOf(store, key.GroupOpLog);
        const first = rows.find((row) => row.key.sequence === 1n && rows.some((next) => follows(next, row)));
        const second = rows.find((row) => first !== undefined && follows(row, first));
        if (first === undefined || second === undefined) return [];
        await store.put(first.key, second.value);
        await store.put(second.key, first.value);
        return [["error", "group-log-order", second.key]];
      });
    }
  });

  function follows(next: { readonly key: key.GroupOpLog }, row: { readonly key: key.GroupOpLog }): boolean {
    return equalBytes(next.key.groupId, row.key.groupId) && next.key.sequence === row.key.sequence + 1n;
  }
});

function parts({ groupId, accountId, member }: key.GroupAccountEndorser) {
  return { groupId, accountId, member };
}
