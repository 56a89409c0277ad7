/** Databases of nodes that are newer than the newest known revision. */
import { describe, expect, it } from "vitest";
import { type Engine, openMemoryEngine } from "../../src/engines/index.js";
import * as keys from "../../src/keys/index.js";
import { core10, core011, detectRevision, newerText } from "../../src/schemas/index.js";
import { openStore } from "../../src/store/index.js";
import { verifyStore } from "../../src/verify/index.js";

const id = (byte: number) => new Uint8Array(32).fill(byte);

/** A database of core-1.0 with a few known rows. */
async function known(more: readonly string[] = []): Promise<Engine> {
  const engine = openMemoryEngine({ columns: [...core10.columns, ...more] });
  await put(engine, "Group", new keys.NodeRevokedFrom({}).bytes, new Uint8Array(64));
  for (let byte = 1; byte <= 4; byte++)
    await put(engine, "ContextWarrantNonce", new Uint8Array(64).fill(byte), new Uint8Array(16));
  return engine;
}

async function put(engine: Engine, column: string, key: Uint8Array, value: Uint8Array): Promise<void> {
  await engine.write([{ type: "put", column, key, value }]);
}

describe("a database of a newer node", () => {
  it("with an unknown column family and an unknown prefix is core-1.0, and one sentence says what is unknown", async () => {
    await using engine = await known(["Moons"]);
    await put(engine, "Moons", id(7), id(8));
    await put(engine, "Group", Uint8Array.of(0x5a, ...id(1)), id(3));
    const { revision, newer, reason } = await detectRevision(engine);
    expect(revision?.name).toBe("core-1.0");
    expect(newer).toMatchObject({ columns: ["Moons"], kinds: [{ column: "Group", prefix: 0x5a }] });
    expect(reason).toBe(
      "written by a node newer than 1.0.0-rc.8: 1 of 29 column families and 1 of 3 kinds of rows are unknown",
    );
    expect(newer && newerText(newer)).toBe(reason);
  });

  it("is not damaged where single values of a known kind are not known", async () => {
    const rows: readonly (readonly [string, Uint8Array, Uint8Array])[] = [
      ["Group", new keys.GroupMember({ groupId: id(1), account: id(2) }).bytes, Uint8Array.of(9)],
      ["State", Uint8Array.of(...id(1), 4, ...id(2)), id(3)],
      ["State", Uint8Array.of(...id(1), 0, ...id(2)), Uint8Array.of(0x21)],
      ["Alias", Uint8Array.of(1), id(1)],
    ];
    const findings = async (more: readonly string[]) => {
      await using engine = await known(more);
      for (const [column, key, value] of rows) await put(engine, column, key, value);
      for (const column of more) await put(engine, column, id(7), id(8));
      await using store = await openStore(engine, { schema: core10 });
      const found: string[] = [];
      for await (const { severity, rule, message } of verifyStore(store))
        if (["row-decodes", "state-rows", "row-known", "other-version"].includes(rule))
          found.push(`${severity} ${rule}: ${message}`);
      return found;
    };
    const alone = await findings([]);
    // A role and a tag of a state key that 1.0.0-rc.8 lacks, and two rows that no later version explains.
    expect(alone.map((text) => text.replace(/:.*/, "")).sort()).toEqual([
      "error row-known",
      "error state-rows",
      "warning row-decodes",
      "warning state-rows",
    ]);
    for (const text of alone.filter((one) => one.startsWith("warning")))
      expect(text).toMatch(
        /: not checked: a node newer than 1\.0\.0-rc\.8 may have written it, or it is damaged: /,
      );
    const beside = await findings(["Moons"]);
    expect(beside).toHaveLength(4);
    expect(beside).toContain(
      "info other-version: rows of this kind are not checked: of a node newer than 1.0.0-rc.8",
    );
    expect(beside.filter((text) => text.startsWith("warning"))).toHaveLength(3);
    for (const text of beside.filter((one) => one.startsWith("warning")))
      expect(text).toMatch(
        /: not checked: a node newer than 1\.0\.0-rc\.8 may have written it, or it is damaged: /,
      );
  });

  it("whose only sign is a new variant has a row that is not checked, and no error", async () => {
    await using engine = await known();
    await put(
      engine,
      "Group",
      new keys.GroupMember({ groupId: id(1), account: id(2) }).bytes,
      Uint8Array.of(9),
    );
    await using store = await openStore(engine, { schema: core10 });
    const summary = await verifyStore(store).summary();
    expect(summary).toMatchObject({ maybeNewer: 1, newer: undefined });
    expect(summary.rules.find(({ rule }) => rule === "row-decodes")).toMatchObject({
      errors: 0,
      warnings: 1,
    });
  });

  it("with another layout of a known kind is not damaged", async () => {
    await using engine = await known();
    for (let byte = 1; byte <= 3; byte++) await put(engine, "Meta", id(byte), new Uint8Array(24));
    const { revision, newer } = await detectRevision(engine);
    expect(revision?.name).toBe("core-1.0");
    expect(newer).toMatchObject({ columns: [], kinds: [{ column: "Meta" }] });
    await using store = await openStore(engine);
    const { errors, newer: unchecked } = await verifyStore(store).summary();
    expect(errors).toBe(0);
    expect(unchecked).toEqual(newer);
  });

  it("has no errors, and an info for each kind that is not checked", async () => {
    await using engine = await known(["Moons"]);
    await put(engine, "Moons", id(7), id(8));
    for (const last of [1, 2]) await put(engine, "Group", Uint8Array.of(0x5a, ...id(last)), id(3));
    await using store = await openStore(engine);
    const verification = verifyStore(store);
    const found: string[] = [];
    for await (const { rule, severity, column } of verification) found.push(`${severity} ${rule} ${column}`);
    expect(found).toEqual(["info other-version Group", "info column-known Moons"]);
  });
});

describe("a database that is not of a newer node", () => {
  it("has two rows that do not decode: they are errors", async () => {
    await using engine = await known();
    for (const byte of [1, 2]) await put(engine, "Meta", id(byte), Uint8Array.of(1));
    expect((await detectRevision(engine)).newer).toBeUndefined();
    await using store = await openStore(engine, { schema: core10 });
    expect(await verifyStore(store).summary()).toMatchObject({ errors: 2, newer: undefined });
  });

  it("lacks column families of core-1.0", async () => {
    await using engine = openMemoryEngine({ columns: [...core011.columns, "Moons"] });
    await put(engine, "Moons", id(7), id(8));
    const { revision, newer } = await detectRevision(engine);
    expect(revision?.name).toBe("core-0.11");
    expect(newer).toBeUndefined();
  });

  it("has only a row of an older layout in a kind of its own: it is named, and no error", async () => {
    await using engine = await known();
    await put(engine, "Group", Uint8Array.of(0x56, ...id(1), ...id(2)), id(3));
    await using store = await openStore(engine);
    const found: string[] = [];
    for await (const { rule, message } of verifyStore(store)) found.push(`${rule}: ${message}`);
    expect(found).toEqual([
      "other-version: rows of this kind are not checked: of account of a signing key in the value, before 0.11.0-rc.79",
    ]);
  });
});
