import { describe, expect, it } from "vitest";
import { revisions } from "../../../src/schemas/index.js";
import { fixturePath } from "../../support/fixtures.js";
import { cli, intoPipe, linesOf } from "../run.js";

describe.each(revisions.map((revision) => ({ name: revision.name, revision })))(
  "schema of $name",
  ({ name, revision }) => {
    const rows = revision.rows.map(({ column, kind }) => ({ column, kind }));

    it("lists every kind of row as aligned text", async () => {
      const lines = linesOf((await intoPipe("schema", "--revision", name)).stdout);
      expect(lines[0]).toBe(
        `Revision ${name}: ${revision.columns.length} column families, ${rows.length} kinds of rows`,
      );
      const head = lines[2] ?? "";
      const table = lines.slice(3, 3 + rows.length);
      for (const [at, line] of table.entries()) {
        expect(line.slice(0, head.indexOf("prefix")).trim()).toBe(rows[at]?.column);
        expect(line.slice(head.indexOf("kind")).split(" ")[0]).toBe(rows[at]?.kind);
      }
    });

    it("prints one JSON object per line", async () => {
      const lines = linesOf((await intoPipe("schema", "--revision", name, "--json")).stdout);
      const found = lines.map((line) => JSON.parse(line) as { column: string; kind: string; size: number });
      expect(found.map(({ column, kind }) => ({ column, kind }))).toEqual(rows);
      expect(found.every(({ size }) => size > 0)).toBe(true);
    });

    it("is a Markdown document with a row for every kind and every named type", async () => {
      const { stdout } = await intoPipe("schema", "--revision", name, "--markdown");
      expect(stdout.startsWith(`# Schema ${name}\n`)).toBe(true);
      for (const { column, kind } of rows)
        expect(stdout).toMatch(new RegExp(`^\\| ${column} \\|.*\\| ${kind} \\|`, "m"));
      for (const [type, codec] of Object.entries(revision.types)) {
        if (codec.type === type) expect(stdout).toContain(`| ${type} | `);
      }
      // Every line of a table has as many cells as its head.
      const widths = stdout
        .trimEnd()
        .split("\n\n")
        .map((part) => part.split("\n").map((line) => line.split(/(?<!\\)\|/).length));
      for (const table of widths.filter(([first]) => (first ?? 0) > 2)) expect(new Set(table).size).toBe(1);
    });
  },
);

it("refuses two formats at once", async () => {
  const { status, stderr } = await cli("schema", "--json", "--markdown");
  expect(status).toBe(2);
  expect(linesOf(stderr)).toHaveLength(1);
});

describe("schema KIND", () => {
  it("explains every kind of every revision", async () => {
    for (const revision of revisions)
      for (const { kind } of revision.rows) {
        const { stdout } = await intoPipe("schema", kind, "--revision", revision.name);
        const [name, purpose, writer] = linesOf(stdout);
        expect(name).toBe(kind);
        expect(purpose, kind).toMatch(/^ {2}[A-Z].*\.$/);
        expect(writer, kind).toMatch(/^ {2}[A-Z].* writes? it .*\.$|^ {2}This node alone/);
      }
  });

  it("shows a row of a database, secrets redacted", async () => {
    const db = fixturePath("core-0.11/node-a", "db");
    const { stdout } = await intoPipe("schema", "GroupKeyEntry", "--db", db);
    expect(stdout).toMatch(/\n\nGroupKeyEntry in Group\n {2}groupId .*\n[\s\S]*groupKey +redacted\n/);
    expect((await intoPipe("schema", "NamespaceIdentity", "--revision", "core-0.10")).stdout).toContain(
      "typed as       NamespaceIdentity namespaceId=ID",
    );
    const { status, stderr } = await cli("schema", "GroupMembr");
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining("did you mean GroupMember"),
    });
  });
});
