/** Opening a folder as a node, and answers to questions about unknown things. */
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/index.js";
import { CalimeroNode, openNode } from "../../src/node/index.js";
import { fixturePath } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";

const path = fixturePath("core-0.11/node-a", "db");
const office = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05";
const nobody = "ab".repeat(32);

describe("openNode", () => {
  it("opens for reading, and closes", async () => {
    const node = await openNode(path);
    expect(node.store.raw.capabilities.writable).toBe(false);
    expect((await node.namespaces()).map(({ group }) => group.name)).toContain("office");
    await node.close();
    await node.close();
    await expect(new CalimeroNode(node.store).namespaces()).rejects.toMatchObject({ code: "CLOSED" });
  });

  it("closes at the end of a block", async () => {
    let store: Awaited<ReturnType<typeof openNode>>["store"];
    {
      await using node = await openNode(path, { engine: "files" });
      ({ store } = node);
    }
    await expect(listOf(store.table("GroupMeta").scan())).rejects.toMatchObject({ code: "CLOSED" });
  });

  it("refuses what is not a database", async () => {
    await expect(openNode(`${path}/nothing`)).rejects.toMatchObject({ code: "DATABASE_NOT_FOUND" });
  });
});

describe("what nothing has", () => {
  it.each([nobody, "nobody", "abab"])("%s is undefined as one thing", async (text) => {
    await using node = await openNode(path);
    expect(await node.group(text)).toBeUndefined();
    expect(await node.groupDetails(text)).toBeUndefined();
    expect(await node.context(text)).toBeUndefined();
    expect(await node.operation(nobody)).toBeUndefined();
    expect(await node.delta(nobody)).toBeUndefined();
  });

  it.each([nobody, "nobody", "abab"])("%s has no list", async (text) => {
    await using node = await openNode(path);
    const refused = { code: "UNKNOWN_NAME" };
    await expect(node.members(text)).rejects.toMatchObject(refused);
    await expect(node.origins(text)).rejects.toMatchObject(refused);
    await expect(listOf(node.history(text))).rejects.toMatchObject(refused);
    await expect(listOf(node.groupLog(text))).rejects.toMatchObject(refused);
    await expect(listOf(node.deltas(text))).rejects.toMatchObject(refused);
  });

  it("has no groups and no devices as a member", async () => {
    await using node = await openNode(path);
    expect(await node.membershipsOf(nobody)).toEqual([]);
    expect(await node.devicesOf(nobody)).toEqual([]);
  });

  it("is undefined also if it is a thing of another kind", async () => {
    await using node = await openNode(path);
    expect(await node.group("lobby")).toBeUndefined();
    expect(await node.context("office")).toBeUndefined();
    await expect(node.members("lobby")).rejects.toThrow(/"lobby" is a context/);
  });
});

describe("groups and contexts", () => {
  it("are given by name, prefix, and id in hex or base58", async () => {
    await using store = await openStore(path);
    const node = new CalimeroNode(store);
    for (const text of ["office", "fa39", office, "HqmkS4UhBYn7Qnoe7SBrR3dMto1SZN5NwmELweCuXyAC"]) {
      expect((await node.group(text))?.group).toEqual({ kind: "namespace", id: office, name: "office" });
      expect((await node.groupDetails(text))?.group.id).toBe(office);
      expect(await node.members(text)).toHaveLength(2);
    }
    expect((await node.context("lobby"))?.deltas).toBe(155);
    expect(await listOf(node.deltas("b875f1c0"))).toHaveLength(155);
  });
});
