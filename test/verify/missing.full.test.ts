/** Rows that other rows prove to exist: without one, its own rule alone has findings. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { equalBytes } from "../../src/bytes/order.js";
import { entryStateKey, indexStateKey, keyId } from "../../src/digests/index.js";
import * as key from "../../src/keys/index.js";
import { EntityIndex011 } from "../../src/payloads/index.js";
import { core010, core011 } from "../../src/schemas/index.js";
import { verifyStore } from "../../src/verify/index.js";
import { type Expected, expectNews, inMemory, itCounts, itFinds, nobody, rowsOf } from "./altered.js";

const node = () => inMemory("core-0.11/node-a", core011);
const joiner = () => inMemory("core-0.11/node-c", core011);
const node010 = () => inMemory("core-0.10/node-a", core010);

const same = (a: Uint8Array) => (b: Uint8Array) => equalBytes(a, b);

describe("private state", () => {
  /** The entities that have data, with the places of their rows. */
  async function entities(store: Awaited<ReturnType<typeof node>>) {
    return (await rowsOf(store, key.ContextPrivateState011)).flatMap((row) => {
      const { contextId, stateKey } = row.key;
      const id = row.value.subarray(0, 32);
      if (id.length < 32 || !equalBytes(indexStateKey(id), stateKey)) return [];
      const index = EntityIndex011.decode(row.value);
      return [
        { ...row, index, data: new key.ContextPrivateState011({ contextId, stateKey: entryStateKey(id) }) },
      ];
    });
  }

  it("own-hash: data of a private entity, without its hash in the finding", async () => {
    const store = await node();
    const [entity] = (await entities(store)).filter(({ index }) => index.parentId !== null);
    if (entity === undefined) throw new Error("the fixture has no such entity");
    await expectNews(store, async (store) => {
      await store.delete(entity.data);
      return [["error", "own-hash", entity.key]];
    });
    const { ownHash, fullHash } = entity.index;
    for await (const finding of verifyStore(store))
      for (const secret of [ownHash, fullHash]) expect(JSON.stringify(finding)).not.toContain(toHex(secret));
  });

  itFinds("child-hash: an entity that its parent names", node, async (store) => {
    const all = await entities(store);
    const child = all.find(({ index }) => (index.children ?? []).length === 0);
    const parent = all.find(({ index }) =>
      index.children?.some(({ id }) => same(id)(child?.index.id ?? nobody)),
    );
    if (child === undefined || parent === undefined) return [];
    await store.delete(child.key);
    return [["error", "child-hash", parent.key]];
  });
});

describe("contexts and code", () => {
  itFinds("own-identity, unless the node left or was removed", node, async (store) => {
    const [{ value: own }] = await rowsOf(store, key.NodeIdentity);
    const [identity] = await rowsOf(store, key.ContextIdentity, (row) =>
      same(own.publicKey)(row.key.publicKey),
    );
    await store.delete(identity.key);
    return [["warning", "own-identity", new key.ContextMeta({ contextId: identity.key.contextId })]];
  });

  it("own-identity says nothing of a context that the node left; that another member left it is no reason", async () => {
    for (const other of [false, true]) {
      await expectNews(await node(), async (store) => {
        const [{ value: own }] = await rowsOf(store, key.NodeIdentity);
        const [{ key: identity }] = await rowsOf(store, key.ContextIdentity, (row) =>
          same(own.publicKey)(row.key.publicKey),
        );
        const { contextId, publicKey } = identity;
        await store.delete(identity);
        const marker = new key.ContextLeftMarker({ contextId, publicKey: other ? nobody : publicKey });
        await store.put(marker, { leftAtMs: 1n });
        return other ? [["warning", "own-identity", new key.ContextMeta({ contextId })]] : [];
      });
    }
  });

  itFinds(
    "context-code: the blob that a context runs, and the one that it ran before",
    joiner,
    async (store) => {
      const [activated] = await rowsOf(store, key.ContextActivatedBlob);
      await store.put(activated.key, { blob: nobody });
      const previous = new key.ApplicationPreviousBlob({ applicationId: nobody });
      await store.put(previous, { bytecode: nobody });
      return [
        ["warning", "context-code", activated.key],
        ["info", "context-code", previous],
      ];
    },
  );

  itFinds("chunk-used", node, async (store) => {
    const chunk = new key.BlobMeta({ blobId: nobody });
    await store.put(chunk, { size: 1n, hash: nobody, links: [], refs: 1 });
    return [["info", "chunk-used", chunk]];
  });

  itFinds(
    "delta-governance: of many deltas that name an operation, the first is reported",
    joiner,
    async (store) => {
      const deltas = await rowsOf(store, key.ContextDagDelta);
      const named = deltas.find(({ value }) => value.governancePositionBlob !== null);
      const [head] = named?.value.governancePositionBlob?.decode().governanceDagHeads ?? [];
      const [{ value: ref, key: of }] = await rowsOf(store, key.ContextGroupRef, (row) =>
        same(row.key.contextId)(named?.key.contextId ?? nobody),
      );
      const first = deltas.find(
        ({ key: { contextId }, value }) =>
          same(contextId)(of.contextId) &&
          value.governancePositionBlob?.decode().governanceDagHeads.some(same(head ?? nobody)),
      );
      await store.delete(new key.NamespaceGovOp({ namespaceId: ref, deltaId: head ?? nobody }));
      return [
        ["warning", "delta-governance", first?.key ?? of],
        ...(await withoutOperation(store, ref, head)),
      ];
    },
  );

  /** The other findings about a missing operation: its unified row, the count, and the operations that follow it. */
  async function withoutOperation(
    store: Awaited<ReturnType<typeof node>>,
    namespaceId: Uint8Array,
    id: Uint8Array = nobody,
  ): Promise<readonly Expected[]> {
    const followers = await rowsOf(store, key.NamespaceGovOp, ({ value }) =>
      value.skeletonBytes.decode().value.parentOpHashes.some(same(id)),
    );
    return [
      ["warning", "unified-operation", new key.ScopeUnifiedOp({ scope: namespaceId, opId: id })],
      ["warning", "namespace-sequence", new key.NamespaceGovHead({ namespaceId })],
      ...followers.map((row): Expected => ["warning", "namespace-parents", row.key]),
    ];
  }
});

describe("namespaces and groups", () => {
  itCounts(
    "namespace-part: one namespace is a warning, several are errors",
    node010,
    async (store, count, severity) => {
      const heads = (await rowsOf(store, key.NamespaceGovHead)).slice(0, count);
      const expected: Expected[] = [];
      for (const { key: head } of heads) {
        const { namespaceId } = head;
        await store.delete(new key.NamespaceIdentity({ namespaceId }));
        const [operation] = await rowsOf(store, key.NamespaceGovOp, (row) =>
          same(namespaceId)(row.key.namespaceId),
        );
        expected.push([severity, "namespace-part", head], [severity, "namespace-part", operation.key]);
      }
      return expected;
    },
  );

  itFinds("namespace-part: of an invited node in core-0.11", joiner, async (store) => {
    const [part] = await rowsOf(store, key.NamespaceParticipation);
    await store.delete(part.key);
    const [operation] = await rowsOf(store, key.NamespaceGovOp);
    const head = new key.NamespaceGovHead({ namespaceId: part.key.namespaceId });
    const inviter = new key.NamespaceBootstrapInviter({ namespaceId: part.key.namespaceId });
    return [
      ["warning", "namespace-part", head],
      ["warning", "namespace-part", operation.key],
      ["warning", "namespace-inviter", inviter],
    ];
  });

  itFinds("namespace-capabilities", node, async (store) => {
    const [{ key: head }] = await rowsOf(store, key.NamespaceGovHead);
    await store.delete(new key.GroupDefaultCaps({ groupId: head.namespaceId }));
    return [["warning", "namespace-capabilities", head]];
  });

  itFinds("subgroup-visibility", node, async (store) => {
    const [{ key: visible }] = await rowsOf(store, key.GroupSubgroupVis);
    await store.delete(visible);
    const child = new key.GroupParentRef({ childGroupId: visible.groupId });
    return [["warning", "subgroup-visibility", child]];
  });

  itFinds("nonce-log: a group that has numbers of operations, and no log", joiner, async (store) => {
    const [{ key: head }] = await rowsOf(store, key.GroupOpHead);
    const inGroup = (row: { readonly key: { readonly groupId: Uint8Array } }) =>
      same(head.groupId)(row.key.groupId);
    await store.delete(head);
    for (const row of await rowsOf(store, key.GroupOpLog, inGroup)) await store.delete(row.key);
    const windows = await rowsOf(store, key.GroupLocalGovNonceWindow, inGroup);
    return windows.map((row) => ["warning", "nonce-log", row.key]);
  });

  it("operation-key: an operation that the node applied is an error, one that it made a warning", async () => {
    for (const store of [await node(), await joiner()]) {
      await expectNews(store, async (store) => {
        const [{ value: own }] = await rowsOf(store, key.NodeIdentity);
        const [{ value: device }] = await rowsOf(store, key.NodeDeviceIdentity);
        const logged = new Set(
          (await rowsOf(store, key.GroupOpLog)).map(({ value }) => toHex(value.decode().signature)),
        );
        for (const { key: entry } of await rowsOf(store, key.GroupKeyEntry)) await store.delete(entry);
        const expected: Expected[] = [];
        for (const row of await rowsOf(store, key.NamespaceGovOp)) {
          const operation = row.value.skeletonBytes.decode();
          if (operation.kind !== "Signed") continue;
          const { signer, signature, op } = operation.value;
          const made = same(own.publicKey)(signer);
          if (op.kind === "Root") {
            const creates = op.value.kind === "NamespaceCreated" ? row.key.namespaceId : undefined;
            const groupId = op.value.kind === "GroupCreated" ? op.value.groupId : creates;
            const isThere = groupId !== undefined && (await store.has(new key.GroupMeta({ groupId })));
            if (made && isThere) expected.push(["warning", "created-group-key", row.key]);
            continue;
          }
          const read = logged.has(toHex(signature));
          if (read || made) expected.push([read ? "error" : "warning", "operation-key", row.key]);
          const handed = op.keyRotation?.envelopes.some(
            ({ recipient }) => recipient.kind === "Device" && same(device.deviceId)(recipient.device),
          );
          if (op.keyRotation !== null && (made || (read && handed)))
            expected.push(["warning", "operation-key", row.key]);
        }
        expect(expected.length).toBeGreaterThan(5);
        return expected;
      });
    }
  });

  itFinds(
    "created-group-key: of a group that the node made, although no operation needs the key",
    node,
    async (store) => {
      const used = new Set<string>();
      const made = new Map<string, key.NamespaceGovOp>();
      for (const { key: at, value } of await rowsOf(store, key.NamespaceGovOp)) {
        const operation = value.skeletonBytes.decode();
        if (operation.kind !== "Signed") continue;
        const { op } = operation.value;
        if (op.kind === "Group") {
          used.add(toHex(op.keyId));
          if (op.keyRotation !== null) used.add(toHex(op.keyRotation.newKeyId));
        } else if (op.value.kind === "GroupCreated") made.set(toHex(op.value.groupId), at);
      }
      const [unused] = await rowsOf(store, key.GroupKeyEntry, (row) => !used.has(toHex(row.key.keyId)));
      await store.delete(unused.key);
      return [["warning", "created-group-key", made.get(toHex(unused.key.groupId)) ?? unused.key]];
    },
  );

  itFinds("created-group-key: nothing of a group that has another key", node, async (store) => {
    const entries = await rowsOf(store, key.GroupKeyEntry);
    const created = await rowsOf(store, key.GroupParentRef);
    const only = created.find(({ key: { childGroupId } }) => {
      return entries.filter(({ key: at }) => same(at.groupId)(childGroupId)).length === 1;
    });
    const groupId = only?.key.childGroupId ?? nobody;
    const another = new key.GroupKeyEntry({ groupId, keyId: keyId(nobody) });
    await store.put(another, { groupKey: nobody, createdAt: 1n, epoch: 0n, insertionSeq: 9n });
    const [entry] = entries.filter(({ key: at }) => same(at.groupId)(groupId));
    if (entry !== undefined) await store.delete(entry.key);
    return [];
  });

  itFinds(
    "operation-key: by the last number that a node of core-0.10 keeps of a signer",
    () => inMemory("core-0.10/node-b", core010),
    async (store) => {
      const [window] = await rowsOf(store, key.GroupLocalGovNonce);
      const [operation] = await rowsOf(store, key.NamespaceGovOp, ({ value }) => {
        const { kind, value: signed } = value.skeletonBytes.decode();
        return kind === "Signed" && signed.op.kind === "Group" && signed.nonce === window.value;
      });
      for (const { key: entry } of await rowsOf(store, key.GroupKeyEntry)) await store.delete(entry);
      return [["error", "operation-key", operation.key]];
    },
  );
});

describe("members and devices", () => {
  itFinds("member-capability", node, async (store) => {
    const [{ key: capability }] = await rowsOf(store, key.GroupMemberCapability);
    const { groupId, account } = capability;
    await store.delete(new key.GroupMember({ groupId, account }));
    return [["warning", "member-capability", capability]];
  });

  it("used-invitation, unless the member left or was removed", async () => {
    for (const left of [false, true]) {
      await expectNews(await node(), async (store) => {
        const [{ key: meta }] = await rowsOf(store, key.GroupMeta);
        const { groupId } = meta;
        const used = new key.GroupConsumedInvitation({ groupId, account: nobody, invitationNonce: nobody });
        await store.put(used, null);
        if (!left) return [["warning", "used-invitation", used]];
        await store.put(new key.GroupReentryBlock({ groupId, account: nobody }), { reason: "Left" });
        await store.put(new key.GroupDeniedMember({ groupId, account: nobody }), null);
        await store.put(new key.GroupInheritedDeniedMember({ groupId, account: nobody }), null);
        return [];
      });
    }
  });

  it("removed-member: each of the rows that a removal writes", async () => {
    const [removed] = await rowsOf(await node(), key.GroupInheritedDeniedMember);
    const { groupId, account } = removed.key;
    const block = new key.GroupReentryBlock({ groupId, account });
    const denied = new key.GroupDeniedMember({ groupId, account });
    const cases: readonly (readonly [
      typeof block | typeof denied | typeof removed.key,
      readonly Expected[2][],
    ])[] = [
      [block, [denied]],
      [removed.key, [denied]],
      [denied, [block, removed.key]],
    ];
    for (const [gone, left] of cases) {
      await expectNews(await node(), async (store) => {
        await store.delete(gone as typeof denied);
        return left.map((at) => ["warning", "removed-member", at]);
      });
    }
  });

  itFinds("account-endorser", node, async (store) => {
    const [{ key: endorser }] = await rowsOf(store, key.GroupAccountEndorser);
    await store.delete(endorser);
    const { groupId, accountId } = endorser;
    return [["warning", "account-endorser", new key.GroupAccountKey({ groupId, accountId })]];
  });

  itFinds("revoked-device, in a group that is there", node, async (store) => {
    const [{ key: meta }] = await rowsOf(store, key.GroupMeta);
    const [here, gone] = [meta.groupId, nobody].map(
      (groupId) => new key.GroupPendingDeviceRotation({ groupId, device: nobody }),
    ) as [key.GroupPendingDeviceRotation, key.GroupPendingDeviceRotation];
    for (const at of [here, gone]) await store.put(at, null);
    return [
      ["warning", "revoked-device", here],
      ["info", "work-to-do", here],
      ["info", "work-to-do", gone],
      ["info", "group-there", gone],
    ];
  });

  it("operation-device: a device that is neither known nor revoked", async () => {
    for (const revoked of [false, true]) {
      await expectNews(await joiner(), async (store) => {
        const [{ value: device }] = await rowsOf(store, key.NodeDeviceIdentity);
        const [binding] = await rowsOf(store, key.GroupDeviceBinding, (row) =>
          same(device.deviceId)(row.key.deviceId),
        );
        await store.delete(binding.key);
        const { groupId, deviceId } = binding.key;
        const revocation = { groupId, deviceId };
        if (revoked) await store.put(new key.GroupRevokedDevice(revocation), null);
        const made = await rowsOf(store, key.ScopeUnifiedOp, ({ value }) =>
          same(device.deviceId)(value.decode().authorship.device),
        );
        if (revoked) return [];
        const part = new key.NamespaceParticipation({ namespaceId: groupId });
        return [
          ["warning", "own-device", part],
          ...made.map((row) => ["warning", "operation-device", row.key] as const),
        ];
      });
    }
  });

  it("node-key and node-account: the node's own secrets", async () => {
    await expectNews(await joiner(), async (store) => {
      await store.delete(new key.NodeIdentity({}));
      const parts = await rowsOf(store, key.NamespaceParticipation);
      return parts.map((row) => ["error", "node-key", row.key]);
    });
    await expectNews(await joiner(), async (store) => {
      const [{ key: at, value: device }] = await rowsOf(store, key.NodeDeviceIdentity);
      const own = await rowsOf(store, key.GroupDeviceBinding, (row) =>
        same(device.deviceId)(row.key.deviceId),
      );
      await store.delete(at);
      return own.map((row) => ["error", "node-key", row.key]);
    });
    await expectNews(await joiner(), async (store) => {
      await store.delete(new key.NodeAccountRoot({}));
      return [["warning", "node-account", new key.NodeDeviceIdentity({})]];
    });
  });
});
