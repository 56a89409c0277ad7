/** Facts that rows show by themselves: each of these changes leads to findings of its own rule alone. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Payload } from "../../src/codec/index.js";
import { indexStateKey } from "../../src/digests/index.js";
import { folderFiles } from "../../src/disk/folder.js";
import { openFilesEngine } from "../../src/engines/index.js";
import * as key from "../../src/keys/index.js";
import { readCatalog } from "../../src/lsm/catalog/catalog.js";
import { tableName } from "../../src/lsm/catalog/file-names.js";
import {
  AbsorbRecord011,
  ActionList011,
  EntityIndex011,
  Op011,
  SignedGroupOp011,
} from "../../src/payloads/index.js";
import { core010, core011 } from "../../src/schemas/index.js";
import { openStore, Store } from "../../src/store/index.js";
import { allRules, verifyStore } from "../../src/verify/index.js";
import { unreadable } from "../../src/verify/unreadable.js";
import { tablesOf } from "../support/files.js";
import { copyOfDatabase } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";
import { expectNews, flipped, inMemory, itFinds, itFindsIn, nobody, rowsOf } from "./altered.js";

const node = () => inMemory("core-0.11/node-a", core011);
const written = () => inMemory("core-0.11/log", core011);

/** A key that fits no kind of row. */
const unknown = (COLUMN: string, bytes: Uint8Array | null) => ({ COLUMN, bytes });

describe("rows by themselves", () => {
  it("are damaged whatever words the reason has, unless a list is too long", () => {
    expect(unreadable("found 9, more than merostore decodes", undefined)).toEqual({
      message: "a node cannot read it: found 9, more than merostore decodes",
    });
  });

  itFinds(
    "column-known",
    () => inMemory("core-0.11/node-a", core011, ["Later"]),
    async (store) => {
      await store.raw.write(
        [1, 2].map((at) => ({ type: "put", column: "Later", key: nobody.with(0, at), value: nobody })),
      );
      return [["info", "column-known", unknown("Later", null)]];
    },
  );

  itFinds("row-known", node, async (store) => {
    const bytes = Uint8Array.of(1, 2, 3);
    await store.raw.write([{ type: "put", column: "Meta", key: bytes, value: nobody }]);
    return [["error", "row-known", unknown("Meta", bytes)]];
  });

  itFinds("other-version, of a layout before 0.10.1-rc.9", node, async (store) => {
    const bytes = Uint8Array.of(0x2c, ...nobody, ...nobody);
    await store.raw.write([
      { type: "put", column: "Group", key: bytes, value: Uint8Array.of(1, 0, 0, 0, 0x61) },
    ]);
    return [["info", "other-version", unknown("Group", bytes)]];
  });

  itFinds("row-decodes, of a value", node, async (store) => {
    const [{ key: at, value }] = await rowsOf(store, key.ContextMeta);
    const cut = core011
      .rowOf(key.ContextMeta)
      .value.encode(value as never)
      .slice(0, -1);
    await store.raw.write([{ type: "put", column: "Meta", key: at.bytes, value: cut }]);
    return [["error", "row-decodes", at]];
  });

  itFindsIn(["error", "row-decodes", "what lies in a value"], node, key.ContextDagDelta, () => ({
    actions: new Payload(ActionList011, Uint8Array.of(9)),
  }));

  itFinds("row-canonical", node, async (store) => {
    const [{ key: at }] = await rowsOf(store, key.GroupKeyEntry);
    const value = (await store.raw.get("Group", at.bytes))?.slice(0, 40);
    await store.raw.write([{ type: "put", column: "Group", key: at.bytes, value: value ?? nobody }]);
    return [["info", "row-canonical", at]];
  });

  itFinds("key-accepted, of an alias with letters that the node does not read", node, async (store) => {
    const at = new key.Alias({ aliasKind: 1, scope: key.noScope, name: "bäume" });
    await store.raw.write([{ type: "put", column: "Alias", key: at.bytes, value: nobody }]);
    return [["error", "key-accepted", at]];
  });

  it("key-accepted says nothing of all characters that aliases have, nor of any in core-0.10", async () => {
    const alias = (name: string) => new key.Alias({ aliasKind: 1, scope: key.noScope, name });
    await expectNews(await node(), async (store) => {
      await store.put(alias("Az09._-"), nobody);
      return [];
    });
    await expectNews(await inMemory("core-0.10/node-a", core010), async (store) => {
      await store.put(alias("bäume"), nobody);
      return [];
    });
  });

  it.each([
    ["core-0.11/node-a", core011],
    ["core-0.10/node-a", core010],
  ] as const)("value-accepted, of an application whose source is not a URL: %s", async (name, schema) => {
    await expectNews(await inMemory(name, schema), async (store) => {
      const [{ key: at, value }] = await rowsOf(store, key.ApplicationMeta);
      const source = "/apps/chat.wasm";
      const bytes = schema.row("ApplicationMeta").value.encode({ ...(value as object), source } as never);
      await store.raw.write([{ type: "put", column: "Application", key: at.bytes, value: bytes }]);
      // The id of a module is the hash of its source, too.
      return [
        ["error", "value-accepted", at],
        ["info", "module-id", at],
      ];
    });
  });

  itFinds(
    "value-accepted, of Generic rows that the node cannot parse; of an unknown scope it says nothing",
    node,
    async (store) => {
      const at = (scope: Uint8Array, fragment = nobody) => new key.Generic({ scope, fragment });
      const known = (name: string) => at(key.scopeBytes(name) as Uint8Array);
      const put = (of: key.Generic, value: Uint8Array) =>
        store.raw.write([{ type: "put", column: "Generic", key: of.bytes, value }]);
      await put(known("sync-in-progres"), nobody.subarray(1));
      await put(known("sse-sessions"), new TextEncoder().encode("{"));
      await put(known("calimero-peercch"), new TextEncoder().encode("[]"));
      await put(at(new Uint8Array(16).fill(1)), Uint8Array.of(255));
      return [
        ["error", "value-accepted", known("sse-sessions")],
        ["error", "value-accepted", known("sync-in-progres")],
      ];
    },
  );

  itFinds("default-empty", node, async (store) => {
    await store.raw.write([{ type: "put", column: "default", key: nobody, value: nobody }]);
    return [["error", "default-empty", unknown("default", nobody)]];
  });

  it("column-readable", async () => {
    using copy = copyOfDatabase("core-0.11/tables");
    for (const name of tablesOf(copy.path)) {
      const path = join(copy.path, name);
      writeFileSync(path, flipped(readFileSync(path), 100));
    }
    await using store = new Store(await openFilesEngine(copy.path), core011);
    const findings = await listOf(verifyStore(store));
    const readable = findings.filter(({ rule }) => rule === "column-readable");
    expect(readable).toContainEqual(expect.objectContaining({ column: "State", key: null }));
    for (const { message } of readable) expect(message).toMatch(/cannot be read further.*: .*\.sst/);
  });

  it("a damaged file that many rules need is one finding", async () => {
    for (const column of ["Meta", "Config", "PrivateState"] as const) {
      using copy = copyOfDatabase("core-0.11/tables");
      const file = await tableOf(copy.path, column);
      writeFileSync(join(copy.path, file), flipped(readFileSync(join(copy.path, file)), 10));
      await using store = await openStore(copy.path);
      const verification = verifyStore(store);
      const found = (await listOf(verification)).filter(({ message }) => message.includes("damaged"));
      const ended = `^it cannot be read further, and \\d+ rules? ended early: .*${file} .*merostore recover DB NEW`;
      const message = expect.stringMatching(new RegExp(ended));
      expect(found).toEqual([
        expect.objectContaining({ rule: "column-readable", severity: "error", column, key: null, message }),
      ]);
      const { rules } = await verification.summary();
      expect(rules.find(({ rule }) => rule === "column-readable")).toMatchObject({ errors: 1 });
    }
  });

  it("damage is a finding of another rule where only that one runs", async () => {
    using copy = copyOfDatabase("core-0.11/tables");
    const file = await tableOf(copy.path, "Meta");
    writeFileSync(join(copy.path, file), flipped(readFileSync(join(copy.path, file)), 10));
    await using store = await openStore(copy.path);
    const rules = allRules.filter(({ name }) => name === "left-behind");
    const found = await listOf(verifyStore(store, { rules }));
    expect(found.filter(({ message }) => message.includes(file))).toEqual([
      expect.objectContaining({ rule: "left-behind", severity: "error", key: null }),
    ]);
  });
});

/** The only table of a column family. */
async function tableOf(path: string, column: string): Promise<string> {
  const { manifest } = await readCatalog(folderFiles(path));
  const found = manifest.liveFiles.filter((file) => file.column === column);
  expect(found).toHaveLength(1);
  return tableName(found[0]?.number as number);
}

describe("same-id", () => {
  itFindsIn(["error", "same-id", "a delta"], node, key.ContextDagDelta, () => ({ deltaId: nobody }));

  itFinds("of an entity", node, async (store) => {
    const [{ value }] = await rowsOf(store, key.ContextState011, ({ key: at, value }) => {
      try {
        return indexStateKey(EntityIndex011.decode(value).id).join() === at.stateKey.join();
      } catch {
        return false;
      }
    });
    const [{ key: meta }] = await rowsOf(store, key.ContextMeta);
    const at = new key.ContextState011({ contextId: meta.contextId, stateKey: nobody });
    await store.put(at, value);
    return [["error", "same-id", at]];
  });

  itFinds("of operations and deltas that wait", written, async (store) => {
    const [absorbed] = await rowsOf(store, key.AbsorbBufferKey);
    const record = absorbed.value.decode();
    await store.put(absorbed.key, Payload.of(AbsorbRecord011, { ...record, id: nobody }));
    const [unified] = await rowsOf(store, key.ScopeUnifiedOp);
    const operation = unified.value.decode();
    await store.put(unified.key, Payload.of(Op011, { ...operation, scope: nobody }));
    return [
      ["error", "same-id", absorbed.key],
      ["error", "same-id", unified.key],
    ];
  });

  itFinds("of a logged operation", node, async (store) => {
    const [row] = await rowsOf(store, key.GroupOpLog);
    await store.put(row.key, Payload.of(SignedGroupOp011, { ...row.value.decode(), groupId: nobody }));
    const expected = await store.get(new key.GroupOpHead({ groupId: row.key.groupId }));
    expect(expected?.dagHeads.length).toBeGreaterThan(0);
    return [
      ["error", "same-id", row.key],
      ["warning", "group-operation-signature", row.key],
    ];
  });
});
