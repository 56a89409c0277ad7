/** The fewest deltas that still give two nodes different states. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { entryStateKey, indexStateKey, ownHash } from "../../../src/digests/index.js";
import { core010, core011, openStore } from "../../../src/index.js";
import { ContextState011 } from "../../../src/keys/index.js";
import { findPrivateEntities } from "../../../src/schemas/index.js";
import { readReplay } from "../../../src/state/index.js";
import { copyOfDatabase } from "../../support/fixtures.js";
import { cli, linesOf, sharedCopy } from "../run.js";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

interface Case {
  readonly entity: string;
  readonly nodes: readonly { readonly node: string; readonly ownHash: string | null }[];
  readonly of: number;
  readonly deltas: readonly { readonly parts: { readonly deltaId: string }; readonly value: string }[];
}

/** Falsifies an entity that deltas wrote: one of the lobby, or one that is private. Returns both hashes of it. */
async function falsify(
  path: string,
  secret = false,
): Promise<Readonly<Record<"context" | "id" | "wanted" | "falsified", string>>> {
  await using store = await openStore(path, { schema: secret ? core010 : core011, writable: true });
  const { byContext } = await findPrivateEntities(store.raw, store.schema);
  const [context = LOBBY, hidden = new Uint8Array(0)] = secret ? ([...byContext][0] ?? []) : [];
  const contextId = fromHex(context);
  const replay = await readReplay(store, contextId);
  await replay.moveToFirst();
  for (const [id, { data, writer, deletedAt }] of replay.tree.entities()) {
    if (data === undefined || writer === undefined || deletedAt !== undefined || data.length < 33) continue;
    if (secret !== toHex(hidden).includes(id)) continue;
    const other = data.slice();
    other[0] = (other[0] as number) ^ 1;
    const [index, entry] = [indexStateKey(fromHex(id)), entryStateKey(fromHex(id))].map(
      (stateKey) => new ContextState011({ contextId, stateKey }).bytes,
    ) as [Uint8Array, Uint8Array];
    const row = Buffer.from((await store.raw.get("State", index)) ?? new Uint8Array(0));
    const at = row.indexOf(ownHash(data));
    if (at < 0) continue;
    row.set(ownHash(other), at);
    await store.raw.write([
      { type: "put", column: "State", key: index, value: row },
      { type: "put", column: "State", key: entry, value: other },
    ]);
    return { context, id, wanted: toHex(ownHash(data)), falsified: toHex(ownHash(other)) };
  }
  throw new Error("the context has no such entity");
}

describe("minimise", () => {
  it("finds the deltas that lead to the data that a falsified entity should have", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const { id, wanted, falsified } = await falsify(copy.path);
    const node = sharedCopy("core-0.11/node-a");
    const { stdout, status } = await cli("minimise", node, copy.path, "lobby", "--json");
    expect(status).toBe(0);
    const found = JSON.parse(stdout) as Case;
    expect(found).toMatchObject({ entity: id, of: 155, context: LOBBY, revision: "core-0.11" });
    expect(found.nodes.map((one) => one.ownHash)).toEqual([wanted, falsified]);
    expect(found.deltas.length).toBeGreaterThan(0);
    expect(found.deltas.length).toBeLessThan(4);
    for (const { value } of found.deltas) expect(value).toMatch(/^[0-9a-f]+$/);
    const text = await cli("minimise", node, copy.path, "lobby");
    const lines = linesOf(text.stdout);
    expect(lines[0]).toContain(`entity ${id}: ${wanted} on `);
    expect(lines.slice(2)).toEqual(found.deltas.map(({ parts }) => `  ${parts.deltaId}`));
  });

  it("shows neither a private entity nor hashes of its data, unless asked to", async () => {
    using copy = copyOfDatabase("core-0.10/node-a");
    const { context, id, wanted, falsified } = await falsify(copy.path, true);
    const words = ["minimise", sharedCopy("core-0.10/node-a"), copy.path, context];
    const shown = [await cli(...words), await cli(...words, "--json")].map(({ stdout }) => stdout);
    expect(shown[0]).toMatch(/^entity redacted: redacted on .*, redacted on /);
    for (const secret of [id, wanted, falsified].map((one) => one.slice(0, 8)))
      expect(shown.join("")).not.toContain(secret);
    const revealed = JSON.parse((await cli(...words, "--json", "--reveal-secrets")).stdout) as Case;
    expect(revealed).toMatchObject({ entity: id, nodes: [{ ownHash: wanted }, { ownHash: falsified }] });
  });

  it("finds a delta that a node lacks, and says where nothing differs", async () => {
    const [a, c] = [sharedCopy("core-0.11/node-a"), sharedCopy("core-0.11/node-c")];
    const found = JSON.parse((await cli("minimise", a, c, "lobby", "--json")).stdout) as Case;
    expect(found.deltas).toHaveLength(1);
    // node-c calls the context by another name.
    const turned = await cli("minimise", c, a, "lobby", "--json");
    expect(JSON.parse(turned.stdout)).toMatchObject({ entity: found.entity });
    const alone = await cli("minimise", c, a, "private");
    expect([alone.status, alone.stdout]).toEqual([1, ""]);
    expect(alone.stderr).toMatch(/only \S+ has joined the context 321161a6/);
    const same = await cli("minimise", a, a, "lobby");
    expect(same.status).toBe(1);
    expect(same.stderr).toContain("the deltas explain no difference");
  });
});
