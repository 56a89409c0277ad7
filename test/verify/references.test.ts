/** The references that rules declare, and the rows that name a row. */
import { describe, expect, it } from "vitest";
import { equalBytes } from "../../src/bytes/order.js";
import * as key from "../../src/keys/index.js";
import { core10, core010, core011, type Schema } from "../../src/schemas/index.js";
import { allRules, type GoodRow, notChecked, references, relations, ruleOf } from "../../src/verify/index.js";
import { inMemory, rowsOf } from "./altered.js";

describe("the references", () => {
  it("are between kinds of rows that their revisions have, and of rules that exist", () => {
    expect(references.length).toBeGreaterThan(70);
    for (const { from, to, revisions, rule } of references) {
      for (const { rows } of revisions as readonly Schema[])
        expect(rows.map((row) => row.key)).toEqual(expect.arrayContaining([from, to]));
      expect(ruleOf(rule).references?.some((one) => one.from === from && one.to === to)).toBe(true);
    }
    expect(references).toContainEqual(
      expect.objectContaining({
        rule: "context-application",
        from: key.ContextMeta,
        to: key.ApplicationMeta,
        revisions: [core010, core011, core10],
      }),
    );
  });

  it("find the rows that name a row", async () => {
    const store = await inMemory("core-0.11/node-a", core011);
    const [context] = await rowsOf(store, key.ContextMeta);
    const application = new key.ApplicationMeta({ applicationId: context.value.application });
    const naming: string[] = [];
    for (const { from, to, revisions, keys } of references) {
      if (to !== key.ApplicationMeta || !revisions.includes(core011)) continue;
      for await (const row of store.table(from.KIND as "ContextMeta").scan()) {
        const named = keys(row as unknown as GoodRow<key.AnyKey, unknown>);
        expect(named.every((one) => one instanceof key.ApplicationMeta)).toBe(true);
        if (named.some(({ bytes }) => equalBytes(bytes, application.bytes))) naming.push(`${row.key}`);
      }
    }
    expect(naming).toContain(`${context.key}`);
  });

  it("name nothing where a field is zeros", async () => {
    const store = await inMemory("core-0.11/node-a", core011);
    const [row] = await rowsOf(store, key.ApplicationMeta);
    const zeros = new Uint8Array(32);
    const value = { ...row.value, bytecode: zeros, compiled: zeros, services: [] };
    const blobs = references.filter(({ from }) => from === key.ApplicationMeta);
    expect(blobs).toHaveLength(4);
    expect(blobs.flatMap(({ keys }) => keys({ key: row.key, value }))).toEqual([]);
  });
});

describe("the relations", () => {
  it("are numbered from 1 on, and each is checked by a rule", () => {
    const numbers = relations.flatMap(({ relations }) => relations.map(({ number }) => number));
    expect(numbers).toEqual(Array.from({ length: 54 }, (_, at) => at + 1));
    const checked = new Set(allRules.flatMap((rule) => rule.relations));
    expect([...checked].sort((a, b) => a - b)).toEqual(numbers);
    for (const { relation } of notChecked) expect(numbers).toContain(relation);
    for (const { says } of relations.flatMap(({ relations }) => relations))
      expect(says).toMatch(/^[`A-Z].*\.$/);
  });
});
