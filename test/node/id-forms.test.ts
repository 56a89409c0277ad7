/** Functions take an id as bytes, hex or base58. */
import { expect, it } from "vitest";
import { hasBlob } from "../../src/blobs/browser.js";
import { fromHex, toBase58 } from "../../src/browser.js";
import { CalimeroNode, collectDescendantGroups, resolveNamespace } from "../../src/node/index.js";
import { countEntities, readReplay, stateOf } from "../../src/state/index.js";
import { openStore } from "../../src/store/index.js";
import { copyOfDatabase } from "../support/fixtures.js";

it("answers alike", async () => {
  using copy = copyOfDatabase("core-0.11/node-a");
  await using store = await openStore(copy.path);
  const node = new CalimeroNode(store);
  const { id: group } = await node.resolve("office");
  const { id: context } = await node.resolve("lobby", ["context"]);
  const [operation] = [await node.history(group).next()].map(({ value }) => value?.id as string);
  const [delta] = [await node.deltas(context).next()].map(({ value }) => value?.id as string);
  const member = (await node.members(group))[0]?.member.id as string;
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
  ];
  const expected = await answers((id) => id);
  expect(expected.filter((answer) => answer === undefined)).toEqual([]);
  expect(await answers(fromHex)).toEqual(expected);
  expect(await answers((id) => toBase58(fromHex(id)))).toEqual(expected);
  await expect(countEntities(store, new Uint8Array(31))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await expect(node.group(new Uint8Array(31))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});
