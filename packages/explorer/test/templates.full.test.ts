/** The questions that the page suggests have answers on real databases. */
import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/index.js";
import { openSql } from "../../../src/sql/index.js";
import { fixturePath } from "../../../test/support/fixtures.js";
import { templates } from "../src/views/ask/templates.js";

describe.each(["core-0.11/node-a/db", "core-0.10/node-a/db"])("the questions of the page, on %s", (name) => {
  it.each(templates.map(({ words, statement }) => [words, statement] as const))(
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
