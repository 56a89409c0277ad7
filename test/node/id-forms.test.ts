/** Functions take an id as bytes, hex or base58. */
import { expect, it } from "vitest";
import { hasBlob } from "../../src/blobs/browser.js";
import { fromHex, toId } from "../../src/browser.js";
import { diffByContext, rowsOfStore, whyDiffer } from "../../src/entries/diff.js";
import { ContextDagDelta, ContextMeta, GroupMember, GroupMeta } from "../../src/keys/index.js";
import {
  CalimeroNode,
  collectDescendantGroups,
  memberFacts,
  resolveNamespace,
} from "../../src/node/index.js";
import { countEntities, readReplay, stateOf } from "../../src/state/index.js";
import { openStore } from "../../src/store/index.js";
import { exportStore } from "../../src/transfer/index.js";
import { verifyStore } from "../../src/verify/index.js";
import { copyOfDatabase } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";

it("answers alike", async () => {
  using copy = copyOfDatabase("core-0.11/node-a");
  await using store = await openStore(copy.path);
  const node = new CalimeroNode(store);
  const { id: group } = await node.resolve("office");
  const { id: context } = await node.resolve("lobby", ["context"]);
  const [operation] = [await node.history(group).next()].map(({ value }) => value?.id as string);
  const [delta] = [await node.deltas(context).next()].map(({ value }) => value?.id as string);
  const member = (await node.members(group))[0]?.member.id as string;
  const account = member;
  const answers = async (form: (id: string) => string | Uint8Array): Promise<unknown[]> => [
    await node.group(form(group)),
    await node.members(form(group)),
    await node.groupDetails(form(group)),
    await node.explain(form(group), form(member)),
    await node.membershipsOf(form(member)),
    await node.departuresOf(form(member)),
    await node.devicesOf(form(member)),
    await node.context(form(context)),
    (await node.resolve(form(context))).id,
    (await node.operation(form(operation as string)))?.id,
    (await node.delta(form(delta as string)))?.id,
    (await (await node.at(form(operation as string))).members(form(group))).length,
    await resolveNamespace(store, form(group)),
    await collectDescendantGroups(store, form(group)),
    (await stateOf(store, form(context))).fields.map(({ name }) => name),
    await countEntities(store, form(context)),
    (await readReplay(store, form(context))).graph.numberOf(delta as string),
    await hasBlob(store, form(group)),
    (await node.names()).of(form(context)),
    (await node.deltasOf(form(context), [form(delta as string)])).map((one) => one?.id),
    (await node.operationsOf(form(group), [form(operation as string)])).map((one) => one?.id),
    (await node.searchedFor(form(delta as string))).ids,
    `${new GroupMember({ groupId: form(group), account: form(account) })}`,
    await store.table("ContextMeta").has({ contextId: form(context) }),
    await store.table("GroupMember").count({ prefix: { groupId: form(group) } }),
    await store.table("GroupMember").count({ gt: { groupId: form(group) } }),
    `${
      (
        await store
          .table("ContextDagDelta")
          .scan({ after: { contextId: form(context), deltaId: form(delta as string) } })
          .toArray()
      ).length
    }`,
    ContextDagDelta.range({ contextId: form(context) }).lt,
    // The first line has the time.
    (await listOf(exportStore(store, { contextId: form(context), memberIds: [form(member)] }))).slice(1),
    (await verifyStore(store, { context: form(context), rules: [] }).summary()).rows,
    (await diffByContext(rowsOfStore(store), rowsOfStore(store), { contextId: form(context) })).summary,
    await whyDiffer(sides, { context: form(context) }),
    (await listOf(memberFacts(store, form(group)))).length,
  ];
  const sides = ["a", "b"].map((name) => ({ name, reader: store, node }));
  const expected = await answers((id) => id);
  expect(expected.filter((answer) => answer === undefined)).toEqual([]);
  expect(await answers(fromHex)).toEqual(expected);
  expect(await answers((id) => toId(id).toBase58())).toEqual(expected);
  const key = new ContextMeta({ contextId: context });
  expect([`${key.contextId}`, JSON.stringify(key.contextId)]).toEqual([context, JSON.stringify(context)]);
  expect([key.contextId.equals(context), key.contextId.equals(group)]).toEqual([true, false]);
  expect(`${(await store.get(new GroupMeta({ groupId: group })))?.appKey}`).toMatch(/^[0-9a-f]{64}$/);
  expect(() => new ContextMeta({ contextId: "office" })).toThrow(
    /ContextMeta.contextId: expected 32 bytes, or their hex/,
  );
  await expect(countEntities(store, new Uint8Array(31))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await expect(node.group(new Uint8Array(31))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});
