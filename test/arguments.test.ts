/** Functions that take stores, sources and rows refuse anything else by name, and close nothing that they did not open. */
import { describe, expect, it } from "vitest";
import { diffByContext, diffRows } from "../src/diff/index.js";
import { core011, rowToJson } from "../src/schemas/index.js";
import { openStore } from "../src/store/index.js";
import { verifyStore } from "../src/verify/index.js";
import { fixturePath } from "./support/fixtures.js";

const invalid = expect.objectContaining({ code: "INVALID_ARGUMENT" });

describe("something that is not a store, a source or a row", () => {
  it("diffRows and diffByContext: stores instead of sources; the stores stay open", async () => {
    await using store = await openStore(fixturePath("core-0.11/node-a/db"));
    expect(() => diffRows(store as never, store as never)).toThrow("rowsOfStore(store)");
    await expect(diffByContext(store as never, store as never)).rejects.toThrow("rowsOfStore(store)");
    expect(await store.table("ContextMeta").count()).toBeGreaterThan(0);
  });

  it.each([["node/data"], [undefined], [null], [{}]])("verifyStore(%s)", (store) => {
    expect(() => verifyStore(store as never)).toThrow(invalid);
  });

  it("verifyStore: names of rules instead of rules", async () => {
    await using store = await openStore(fixturePath("core-0.11/node-a/db"));
    expect(() => verifyStore(store, { rules: ["delta-id"] as never })).toThrow(
      "a list of rules, not of names",
    );
  });

  it("rowToJson: a scanned row, which has its own JSON form", async () => {
    await using store = await openStore(fixturePath("core-0.11/node-a/db"), { schema: core011 });
    const row = await store.table("GroupMember").first();
    if (row === undefined) throw new Error("the fixture has no members");
    expect(() => rowToJson(row as never, "Group", row as never)).toThrow(invalid);
    expect(() => rowToJson(core011, "Group", row as never)).toThrow("toJSON()");
    const { kind, parts, decoded } = row.toJSON();
    expect(kind).toBe("GroupMember");
    expect(parts).toEqual(row.key.toJSON());
    expect(JSON.parse(JSON.stringify(row))).toEqual(row.toJSON());
    expect(decoded).toMatchObject({ role: expect.stringMatching(/^(Admin|Member)$/) });
  });
});
