import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { copyOfDatabase, databases, fixturePath } from "../../support/fixtures.js";
import { cli, intoPipe, linesOf, onTerminal } from "../run.js";

interface Info {
  readonly revision: string;
  readonly rows: number;
  readonly bytes: number;
  readonly unflushed: number;
  readonly columns: readonly {
    readonly column: string;
    readonly known: boolean;
    readonly rows: number;
    readonly kinds: { readonly [kind: string]: { readonly rows: number } };
  }[];
}

interface About {
  readonly rows: number;
  readonly keyAndValueBytes?: number;
  readonly columns: { readonly [column: string]: number };
  readonly kinds: { readonly [kind: string]: number };
}

for (const { name, schema } of databases) {
  it(`counts the rows of ${name} as its about.json does`, async () => {
    using copy = copyOfDatabase(name);
    const { status, stdout, stderr } = await intoPipe("status", "--rows", "--json", copy.path);
    const info = JSON.parse(stdout) as Info;
    const about = JSON.parse(readFileSync(fixturePath(name, "about.json"), "utf8")) as About;
    expect({ status, stderr, revision: info.revision }).toEqual({
      status: 0,
      stderr: "",
      revision: schema.name,
    });
    const filled = info.columns.filter(({ rows }) => rows > 0);
    const counted = Object.entries(about.columns).filter(([, rows]) => rows > 0);
    expect(Object.fromEntries(filled.map(({ column, rows }) => [column, rows]))).toEqual(
      Object.fromEntries(counted),
    );
    const kinds = filled.flatMap(({ kinds }) => Object.entries(kinds));
    expect(
      Object.fromEntries(kinds.map(([kind, { rows }]) => [kind === "unknown" ? "null" : kind, rows])),
    ).toEqual(about.kinds);
    expect(info.rows).toBe(about.rows);
    if (about.keyAndValueBytes !== undefined) expect(info.bytes).toBe(about.keyAndValueBytes);
    // Only databases with `log` in their name, and nodes that never flush or still run, have rows in the log alone.
    const logged = /log|core-0.10\/node|node-a-live|node-b/.test(name);
    expect(info.unflushed > 0).toBe(logged);
  });

  it(`shows ${name} in lines that fit a terminal`, async () => {
    using copy = copyOfDatabase(name);
    const lines = linesOf((await onTerminal("status", "--rows", copy.path)).stdout);
    const at = lines.findIndex((line) => line.startsWith("column family"));
    expect(lines[1]).toMatch(
      new RegExp(`^revision  ${schema.name.replace(".", "\\.")}: \\d+ rows decode only in this revision`),
    );
    expect(at).toBeGreaterThan(0);
    expect(lines.slice(at + 1).filter((line) => /^\w/.test(line))).toHaveLength(schema.columns.length);
    // The next lines of a list of kinds begin below its first kind.
    const kinds = (lines[at] ?? "").indexOf("kinds of rows");
    for (const line of lines.slice(at + 1)) expect(line.slice(kinds - 2, kinds + 1)).toMatch(/^( {2}\S)?$/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(110);
  });
}

it("reports how the revision was detected, or that it was named", async () => {
  using copy = copyOfDatabase("core-0.10/tables");
  const { stdout } = await cli("status", "--rows", "--json", copy.path, "--revision", "documented");
  expect(JSON.parse(stdout)).toMatchObject({
    revision: "documented",
    reason: "named, not detected",
    evidence: [],
  });
});

it("shows the files of each column family, and which families a log is kept for", async () => {
  interface Files {
    readonly tables: readonly { readonly column: string; readonly level: number; readonly files: number }[];
    readonly logs: { readonly files: number; readonly oldest: string; readonly pinnedBy: readonly string[] };
    readonly columns: readonly { readonly column: string; readonly unflushed: number }[];
  }
  using copy = copyOfDatabase("core-0.11/log-and-tables");
  const { stdout } = await cli("status", "--files", "--json", copy.path);
  const { tables, logs, columns } = JSON.parse(stdout) as Files;
  expect(tables.find(({ column }) => column === "Meta")).toMatchObject({ level: 0, files: 1, filters: 0 });
  // Its one log has all changes that no table has.
  const waiting = columns.filter(({ unflushed }) => unflushed > 0).map(({ column }) => column);
  expect(logs).toMatchObject({ files: 1, oldest: "000051.log" });
  expect([...logs.pinnedBy].sort()).toEqual(waiting.sort());
  const shown = (await cli("status", "--files", copy.path)).stdout;
  expect(shown).toMatch(/^column family +level +files +compression/m);
  expect(shown).toMatch(/^1 log, 56 kB: 000051\.log is kept for Group, UnifiedOp, /m);
});
