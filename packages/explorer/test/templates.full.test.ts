/** The questions that the page suggests have answers on real databases. */
import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/index.js";
import { openSql } from "../../../src/sql/index.js";
import { fixturePath } from "../../../test/support/fixtures.js";
import { statementFor, templatesFor } from "../src/views/ask/templates.js";

describe.each(["core-0.11/node-a/db", "core-0.10/node-a/db"])("the questions of the page, on %s", (name) => {
  it.each(templatesFor(false).map(({ words, statement }) => [words, statement] as const))(
    "%s",
    async (words, statement) => {
      await using store = await openStore(fixturePath(name));
      await using sql = await openSql(store);
      const answer = await sql.query(statement);
      let rows = 0;
      for await (const chunk of answer.jsonChunks()) rows += chunk.length;
      expect(answer.columns.length).toBeGreaterThan(1);
      if (words !== "Deltas that wait") expect(rows).toBeGreaterThan(0);
    },
  );
});

describe("the questions of the page, of two databases", () => {
  it.each(templatesFor(true).map(({ words, statement }) => [words, statement] as const))(
    "%s",
    async (words, statement) => {
      await using a = await openStore(fixturePath("core-0.11/node-a/db"));
      await using b = await openStore(fixturePath("core-0.11/node-b/db"));
      await using sql = await openSql({ a, b });
      const answer = await sql.query(statement);
      expect(answer.columns.map(({ name }) => name)).toContain("node");
      const nodes = new Set<unknown>();
      const at = answer.columns.findIndex(({ name }) => name === "node");
      for await (const chunk of answer.jsonChunks()) for (const row of chunk) nodes.add(row[at]);
      if (words !== "Deltas that wait") expect(nodes.size).toBe(2);
    },
  );

  it("change with the databases that are asked, unless somebody wrote them", () => {
    for (const [at, { statement }] of templatesFor(true).entries()) {
      expect(statementFor(false, statement)).toBe(templatesFor(false)[at]?.statement);
      expect(statementFor(true, statement)).toBe(statement);
    }
    expect(statementFor(true, "select 1")).toBe("select 1");
  });
});
