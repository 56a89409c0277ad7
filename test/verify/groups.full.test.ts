/** Groups: each of these changes leads to findings of its own rule alone. */
import { describe, it } from "vitest";
import { equalBytes } from "../../src/bytes/order.js";
import * as key from "../../src/keys/index.js";
import { core010, core011 } from "../../src/schemas/index.js";
import { ruleOf } from "../../src/verify/index.js";
import {
  type Expected,
  expectNews,
  inMemory,
  itCounts,
  itFinds,
  itFindsIn,
  nobody,
  rowsOf,
} from "./altered.js";

const node = () => inMemory("core-0.11/node-a", core011);
const written010 = () => inMemory("core-0.10/tables", core010);

/** An id that no row has. */
const id = (byte: number) => nobody.with(0, byte);

describe("which context and which group is where", () => {
  itCounts(
    "context-group: one break is a warning, several are errors",
    node,
    async (store, count, severity) => {
      const listed = (await rowsOf(store, key.GroupContextIndex)).slice(0, count);
      for (const row of listed) await store.delete(row.key);
      return listed.map(({ key: { contextId } }) => {
        return [severity, "context-group", new key.ContextGroupRef({ contextId })];
      });
    },
  );

  itFinds(
    "context-group: a context that names another group is one break, seen from both sides",
    node,
    async (store) => {
      const [listed] = await rowsOf(store, key.GroupContextIndex);
      const named = new key.ContextGroupRef({ contextId: listed.key.contextId });
      await store.put(named, nobody);
      return [
        ["warning", "context-group", listed.key],
        ["warning", "context-group", named],
      ];
    },
  );

  itFinds("context-group: a context that names none", node, async (store) => {
    const [listed] = await rowsOf(store, key.GroupContextIndex);
    await store.delete(new key.ContextGroupRef({ contextId: listed.key.contextId }));
    return [["warning", "context-group", listed.key]];
  });

  itCounts(
    "group-parent: one break is a warning, several are errors",
    node,
    async (store, count, severity) => {
      const children = (await rowsOf(store, key.GroupChildIndex)).slice(0, count);
      for (const row of children) await store.delete(row.key);
      return children.map(({ key: { childGroupId } }) => {
        return [severity, "group-parent", new key.GroupParentRef({ childGroupId })];
      });
    },
  );

  itFinds("group-parent: a group that another one lists", node, async (store) => {
    const [child, other] = await rowsOf(store, key.GroupChildIndex);
    await store.delete(new key.GroupParentRef({ childGroupId: child.key.childGroupId }));
    await store.put(new key.GroupParentRef({ childGroupId: other?.key.childGroupId ?? nobody }), nobody);
    const moved = new key.GroupParentRef({ childGroupId: other?.key.childGroupId ?? nobody });
    return [
      ["error", "group-parent", child.key],
      ["error", "group-parent", other?.key ?? moved],
      ["error", "group-parent", moved],
      ["warning", "group-chain", moved],
    ];
  });

  it("group-tree: a circle, and a chain that is too long", async () => {
    /** Puts groups one below the other, each with its administrator. */
    const nest = async (
      levels: readonly (readonly [child: number, parent: number])[],
      tooDeep: readonly number[],
    ) =>
      expectNews(await node(), async (store) => {
        const [meta] = await rowsOf(store, key.GroupMeta);
        const account = meta.value.adminIdentity;
        const member = await store.get(new key.GroupMember({ groupId: meta.key.groupId, account }));
        for (const groupId of new Set(levels.flat())) {
          await store.put(new key.GroupMeta({ groupId: id(groupId) }), meta.value);
          if (member !== undefined)
            await store.put(new key.GroupMember({ groupId: id(groupId), account }), member);
        }
        for (const [child, parent] of levels) {
          await store.put(new key.GroupParentRef({ childGroupId: id(child) }), id(parent));
          await store.put(
            new key.GroupChildIndex({ parentGroupId: id(parent), childGroupId: id(child) }),
            null,
          );
          await store.put(new key.GroupSubgroupVis({ groupId: id(child) }), { mode: 0 });
        }
        return tooDeep.map((child) => [
          "error",
          "group-tree",
          new key.GroupParentRef({ childGroupId: id(child) }),
        ]);
      });
    await nest([[1, 2], [2, 3], [3, 1]], [1, 2, 3]); // biome-ignore format: a circle
    const levels = Array.from({ length: 17 }, (_, at) => [at + 1, at] as const);
    await nest(levels.slice(0, 16), []);
    await nest(levels, [17]);
  });

  itFinds("group-chain", node, async (store) => {
    const [{ key: meta }] = await rowsOf(store, key.GroupMeta);
    const parent = new key.GroupParentRef({ childGroupId: nobody });
    await store.put(parent, meta.groupId);
    await store.put(new key.GroupChildIndex({ parentGroupId: meta.groupId, childGroupId: nobody }), null);
    return [["warning", "group-chain", parent]];
  });

  it("namespace-root", async () => {
    const change = async (store: Awaited<ReturnType<typeof node>>): Promise<readonly Expected[]> => {
      const [one, other] = await rowsOf(store, key.NamespaceParticipation);
      const [childGroupId, parentGroupId] = [one.key.namespaceId, other?.key.namespaceId ?? nobody];
      await store.put(new key.GroupParentRef({ childGroupId }), parentGroupId);
      await store.put(new key.GroupChildIndex({ parentGroupId, childGroupId }), null);
      const [operation] = await rowsOf(store, key.NamespaceGovOp, (row) =>
        equalBytes(row.key.namespaceId, childGroupId),
      );
      return [
        ["error", "namespace-root", one.key],
        ["error", "namespace-root", operation.key],
        ["error", "namespace-root", new key.NamespaceGovHead({ namespaceId: childGroupId })],
      ];
    };
    await expectNews(await node(), change, { rules: [ruleOf("namespace-root")] });
  });
});

describe("what is said about groups", () => {
  itFinds("group-there: one finding for all rows of a kind", node, async (store) => {
    const caps = new key.GroupDefaultCaps({ groupId: nobody });
    await store.put(caps, { capabilities: 1 });
    const denied = [1, 2].map((byte) => new key.GroupDeniedMember({ groupId: nobody, account: id(byte) }));
    const blocks = [1, 2].map((byte) => new key.GroupReentryBlock({ groupId: nobody, account: id(byte) }));
    for (const at of denied) await store.put(at, null);
    for (const at of blocks) await store.put(at, { reason: "Left" });
    return [
      ["warning", "group-there", caps],
      ["warning", "group-there", denied[0] ?? caps],
      ["warning", "group-there", blocks[0] ?? caps],
    ];
  });

  itCounts(
    "group-there: of a group with members, one that is not there is a warning, several are errors",
    node,
    async (store, count, severity) => {
      const added = Array.from(
        { length: count },
        (_, at) => new key.GroupMember({ groupId: id(at), account: nobody }),
      );
      const [{ value }] = await rowsOf(store, key.GroupMember);
      for (const at of added) await store.put(at, value);
      return added.map((at) => [severity, "group-there", at]);
    },
  );

  it("group-admin, in either revision", async () => {
    await expectNews(await node(), async (store) => {
      const [{ key: meta, value }] = await rowsOf(store, key.GroupMeta);
      await store.put(meta, { ...value, adminIdentity: nobody });
      return [["warning", "group-admin", meta]];
    });
    await expectNews(await node(), async (store) => {
      const [{ key: meta, value }] = await rowsOf(store, key.GroupMeta);
      const { groupId } = meta;
      await store.put(meta, { ...value, adminIdentity: nobody });
      await store.put(new key.GroupReentryBlock({ groupId, account: nobody }), { reason: "Left" });
      await store.put(new key.GroupDeniedMember({ groupId, account: nobody }), null);
      return [["info", "group-admin", meta]];
    });
    await expectNews(await written010(), async (store) => {
      const groups = await rowsOf(store, key.GroupMeta);
      for (const { key: meta, value } of groups) {
        const admin = new key.GroupMember010({ groupId: meta.groupId, identity: value.adminIdentity });
        const member = await store.get(admin);
        if (member?.role !== "Admin") continue;
        await store.put(admin, { ...member, role: "ReadOnly" });
        return [["info", "group-admin", meta]];
      }
      return [];
    });
  });

  itFinds("member-context", node, async (store) => {
    const [{ key: listed }] = await rowsOf(store, key.GroupContextIndex);
    const { groupId, contextId } = listed;
    const unknown = new key.GroupMemberContext({ groupId, member: nobody, contextId });
    await store.put(unknown, nobody);
    return [["info", "member-context", unknown]];
  });

  it("context-member, in either revision", async () => {
    for (const store of [await node(), await written010()]) {
      await expectNews(store as Awaited<ReturnType<typeof node>>, async (store) => {
        const [{ key: listed }] = await rowsOf(store, key.GroupContextIndex);
        const { groupId, contextId } = listed;
        const unknown = new key.GroupContextMemberCap({ groupId, contextId, member: nobody });
        await store.put(unknown, 1);
        return [["info", "context-member", unknown]];
      });
    }
  });

  itFinds("context-joined", node, async (store) => {
    const [{ key: listed }] = await rowsOf(store, key.GroupContextIndex);
    const elsewhere = new key.GroupContextIndex({ groupId: listed.groupId, contextId: nobody });
    await store.put(elsewhere, null);
    await store.put(new key.ContextGroupRef({ contextId: nobody }), listed.groupId);
    return [["info", "context-joined", elsewhere]];
  });

  itFindsIn(["warning", "upgrade-counts"], written010, key.GroupUpgradeKey, () => ({
    status: { kind: "InProgress" as const, total: 2, completed: 2, failed: 1 },
  }));
});
