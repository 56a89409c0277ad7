/** The list of rules, and the course of a check. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isMerostoreError, MerostoreError } from "../../src/errors.js";
import * as key from "../../src/keys/index.js";
import { core010, core011, revisions, type Schema } from "../../src/schemas/index.js";
import { allRules, on, type Rule, revisionsOf, ruleOf, verifyStore } from "../../src/verify/index.js";
import { listOf } from "../support/lists.js";
import { inMemory, nobody, rowsOf } from "./altered.js";

const node = () => inMemory("core-0.11/node-a", core011);

describe("the rules", () => {
  it("have names of their own, and say in a sentence what should hold", () => {
    const names = allRules.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, says, means, advice } of allRules) {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)+$/);
      for (const text of [says, means, advice]) expect(text).toMatch(/^[A-Z].*\.$/);
      expect(ruleOf(name).says).toBe(says);
    }
    expect(() => ruleOf("delta")).toThrow('there is no rule "delta"');
  });

  it("hold for the revisions whose rows they know", () => {
    const of = (name: string) => revisionsOf(ruleOf(name), revisions as readonly Schema[]);
    expect(of("row-decodes")).toEqual(["documented", "core-0.10", "core-0.11", "core-1.0"]);
    expect(of("delta-id")).toEqual(["core-0.10", "core-0.11", "core-1.0"]);
    expect(of("group-state-hash")).toEqual(["core-0.10", "core-0.11"]);
    expect(of("signing-key")).toEqual(["core-0.10"]);
    expect(of("unified-operation")).toEqual(["core-0.11", "core-1.0"]);
  });

  it("are each made to speak by a test", () => {
    const folder = new URL(".", import.meta.url);
    const tests = readdirSync(folder).filter((name) => name.endsWith(".test.ts") && name !== "rules.test.ts");
    const text = tests.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
    expect(allRules.map(({ name }) => name).filter((name) => !text.includes(`"${name}"`))).toEqual([]);
  });
});

describe("a check", () => {
  it("gives its summary once all findings are read, by the caller or by itself", async () => {
    const verification = verifyStore(await node());
    const { length } = await listOf(verification);
    const summary = await verification.summary();
    expect(summary.errors + summary.warnings + summary.infos).toBe(length);
    expect(await verifyStore(await node()).summary()).toEqual(summary);
  });

  it("can be left early, and then has no summary", async () => {
    await using store = await node();
    const verification = verifyStore(store);
    for await (const _ of verification) break;
    await expect(verification.summary()).rejects.toThrow("left before its end");
  });

  it("shows the state at its beginning", async () => {
    const store = await node();
    const verification = verifyStore(store, { rules: [ruleOf("default-empty")] });
    const findings = verification[Symbol.asyncIterator]();
    const first = findings.next();
    await store.raw.write([{ type: "put", column: "default", key: nobody, value: nobody }]);
    expect((await first).done).toBe(true);
    expect((await verification.summary()).errors).toBe(0);
  });

  it("of some rules reads only the column families that they are about", async () => {
    const { columns, rules } = await verifyStore(await node(), {
      rules: [ruleOf("delta-id"), ruleOf("own-hash")],
    }).summary();
    expect(columns.map(({ column }) => column)).toEqual(["State", "PrivateState", "Delta"]);
    expect(rules.map(({ rule, checked }) => [rule, checked])).toEqual([
      ["delta-id", 219],
      ["own-hash", 237],
    ]);
  });

  it("of one context leaves out all others, and the rules that are about none", async () => {
    const store = await node();
    const [{ key: meta }] = await rowsOf(store, key.ContextMeta);
    const { columns, rules } = await verifyStore(store, { context: meta.contextId }).summary();
    const of = (name: string) => rules.find(({ rule }) => rule === name);
    expect(columns.find(({ column }) => column === "Meta")?.rows).toBe(1);
    expect(columns.find(({ column }) => column === "Blobs")).toBeUndefined();
    expect(columns.find(({ column }) => column === "Group")?.rows).toBe(2);
    expect(of("root-hash")?.checked).toBe(1);
    expect(of("delta-id")?.checked).toBeGreaterThan(0);
    expect(of("context-group")?.checked).toBe(2);
    expect(of("node-key")?.skipped).toBe("it is not about one context");
  });

  it("tells how many rows are done, and stops where that throws", async () => {
    const counts: number[] = [];
    const { rows } = await verifyStore(await node(), {
      onProgress: ({ done }) => counts.push(done),
    }).summary();
    expect(counts.at(-1)).toBe(rows);
    const stopped = new MerostoreError("CLOSED", "enough");
    const onProgress = () => {
      throw stopped;
    };
    await expect(verifyStore(await node(), { onProgress }).summary()).rejects.toBe(stopped);
  });

  it("takes rules of others, and passes on what they throw", async () => {
    const mine: Rule = {
      name: "no-aliases",
      relations: [],
      severity: "info",
      says: "There are no aliases.",
      means: "Somebody named something.",
      advice: "Nothing.",
      checks: [
        on([core010, core011], key.Alias, async function* (batches, tools) {
          for await (const rows of batches) {
            tools.checked(rows.length);
            for (const row of rows)
              yield { key: row.key, message: "an alias", found: row.value, expected: 0n };
          }
        }),
      ],
    };
    const store = await node();
    const [{ value }] = await rowsOf(store, key.Alias);
    for await (const finding of verifyStore(store, { rules: [mine] })) {
      expect(finding).toMatchObject({ severity: "info", rule: "no-aliases", column: "Alias", kind: "Alias" });
      expect(finding.expected).toBe("0");
      expect(finding.found).toHaveLength(2 * value.length);
    }
    const broken = new Error("a rule that is wrong");
    // biome-ignore lint/correctness/useYield: it throws before
    const throws = on([core011], key.Alias, async function* () {
      throw broken;
    });
    await expect(verifyStore(store, { rules: [{ ...mine, checks: [throws] }] }).summary()).rejects.toBe(
      broken,
    );
    expect(isMerostoreError(broken)).toBe(false);
  });

  it("lets a rule end before the rows do", async () => {
    const early: Rule = {
      name: "first-delta",
      relations: [],
      severity: "info",
      says: "There is no delta.",
      means: "Somebody changed something.",
      advice: "Nothing.",
      checks: [
        on([core011], key.ContextDagDelta, async function* (batches) {
          for await (const [row] of batches) {
            if (row === undefined) continue;
            yield { key: row.key, message: "a delta" };
            return;
          }
        }),
      ],
    };
    const { infos } = await verifyStore(await node(), { rules: [early] }).summary();
    expect(infos).toBe(1);
  });
});
