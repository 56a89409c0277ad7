/** `member@group` means present and former members of the group. */
import { expect, it } from "vitest";
import { CalimeroNode } from "../../src/node/index.js";
import { openStore } from "../../src/store/index.js";
import { fixturePath } from "../support/fixtures.js";

it("member@group is one who is or was in the group, by name or id", async () => {
  await using store = await openStore(fixturePath("core-0.11/node-a", "db"));
  const node = new CalimeroNode(store);
  const zoe = await node.resolve("Zoë@office");
  expect(zoe).toMatchObject({ kind: "member", name: "Zoë" });
  // Zoë left.
  expect((await node.members("office")).map(({ member }) => member.id)).not.toContain(zoe.id);
  expect(await node.resolve(`${zoe.id}@office`)).toMatchObject({ id: zoe.id });
  expect(await node.resolve("38ec7407@office")).toMatchObject({ kind: "member" });
  for (const name of ["Zoë", zoe.id])
    await expect(node.resolve(`${name}@nested_crdt_test`)).rejects.toMatchObject({ code: "UNKNOWN_NAME" });
});
