/** The views of `sql` agree with the commands of the same names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fromHex } from "../../../src/bytes/hex.js";
import { openSql } from "../../../src/sql/index.js";
import { openStore } from "../../../src/store/index.js";
import { copyOfDatabase, fixturePath, fixtureRows, temporaryFolder } from "../../support/fixtures.js";
import { cli, linesOf, played } from "../run.js";

type Fields = Readonly<Record<string, unknown>>;
type Thing = { readonly id: string; readonly name: string | null };

const databases = ["core-0.11/node-a", "core-0.10/node-a", "core-1.0/every-kind"].map((name) =>
  fixturePath(name, "db"),
);

async function jsonOf<T = Fields>(...words: readonly string[]): Promise<readonly T[]> {
  const { stdout } = await cli(...words, "--json");
  return linesOf(stdout).map((line) => JSON.parse(line) as T);
}

const nameOf = (thing: Thing | null | undefined): string | null => thing?.name ?? thing?.id ?? null;
const iso = (millis: number | null): string | null =>
  millis === null ? null : new Date(millis).toISOString();
const sorted = (rows: readonly Fields[]): readonly string[] =>
  rows.map((row) => JSON.stringify(row)).toSorted();

describe.each(databases)("%s", (db) => {
  const groupsOf = () =>
    jsonOf<Thing & { readonly exists: boolean; readonly parent: string | null; readonly members: number }>(
      "groups",
      db,
    );

  it("groups and members are those of the commands", async () => {
    const groups = await groupsOf();
    expect(groups.length).toBeGreaterThan(1);
    expect(
      sorted(await jsonOf("sql", db, "select groupName, groupId, parentId, memberCount, exists from groups")),
    ).toEqual(
      sorted(
        groups.map(({ id, parent, members, exists, ...rest }) => ({
          ...{
            groupName: nameOf({ id, ...rest }),
            groupId: id,
            parentId: parent,
            memberCount: members,
            exists,
          },
        })),
      ),
    );
    const expected: Fields[] = [];
    for (const { id: groupId } of groups.filter(({ exists }) => exists))
      for (const member of await jsonOf<Thing & Fields>("members", db, groupId)) {
        const since = member.since as { readonly sequence: string; readonly by: Thing | null } | null;
        expected.push({
          groupId,
          member: nameOf(member),
          memberId: member.id,
          role: member.role,
          isOwner: member.isOwner,
          isOwn: member.isOwn,
          through: nameOf(member.through as Thing | null),
          deviceCount: (member.devices as readonly { readonly live: boolean }[]).filter(({ live }) => live)
            .length,
          operation: since?.sequence ?? null,
          addedBy: nameOf(since?.by),
        });
      }
    const columns =
      "groupId, member, memberId, role, isOwner, isOwn, through, deviceCount, operation, addedBy";
    const known = "groupId in (select groupId from groups)";
    expect(sorted(await jsonOf("sql", db, `select ${columns} from members where ${known}`))).toEqual(
      sorted(expected),
    );
  });

  it("members are those of all rows, also of groups that have no other row", async () => {
    const every = fixturePath("core-0.11/every-kind-log", "db");
    const rows = await jsonOf<{ readonly parts: Fields }>("scan", every, "GroupMember");
    const members = await jsonOf<Fields>("sql", every, "select groupId, memberId, role from members");
    const found = members.map(({ groupId, memberId }) => `${groupId} ${memberId}`);
    expect(found.toSorted()).toEqual(rows.map(({ parts }) => `${parts.groupId} ${parts.account}`).toSorted());
    expect(members).toContainEqual(expect.objectContaining({ role: "ReadOnlyTee" }));
  });

  it("contexts are those of the command", async () => {
    const contexts = await jsonOf<Thing & Fields>("contexts", db);
    const columns = "context, contextId, groupName, application, changedAt, deltaCount, rowCount, bytes";
    expect(sorted(await jsonOf("sql", db, `select ${columns} from contexts`))).toEqual(
      sorted(
        contexts.map(({ id, name, group, application, changedAt, deltas, rows, bytes }) => ({
          context: nameOf({ id, name }),
          contextId: id,
          groupName: nameOf(group as Thing | null),
          application: nameOf(application as Thing | null),
          changedAt: iso(changedAt as number | null),
          ...{ deltaCount: deltas, rowCount: rows, bytes },
        })),
      ),
    );
  });

  it("the log and its deltas are those of the command", async () => {
    const entries = await jsonOf<Fields>("log", db, "--times", "--limit", "100000");
    const deltas = entries.filter((entry) => "context" in entry);
    const operations = entries.filter((entry) => "sequence" in entry);
    expect(deltas.length + operations.length).toBe(entries.length);
    const columns = 'id, kind, number, thingId, actor, "text", after, before';
    const log = await jsonOf<Fields>("sql", db, `select ${columns} from log`);
    expect(sorted(log.filter(({ kind }) => kind !== "delta"))).toEqual(
      sorted(
        operations.map(({ id, kind, state, sequence, group, actor, text, after, before }) => ({
          id,
          kind: kind ?? state,
          number: sequence,
          thingId: (group as Thing).id,
          actor: nameOf(actor as Thing),
          text,
          after: iso(after as number | null),
          before: iso(before as number | null),
        })),
      ),
    );
    expect(
      sorted(await jsonOf("sql", db, "select deltaId, author, time, parents, applied, bytes from deltas")),
    ).toEqual(
      sorted(
        deltas.map(({ id, author, time, parents, applied, bytes }) => ({
          deltaId: id,
          author: nameOf(author as Thing | null),
          time: iso(time as number | null),
          ...{ parents, applied, bytes },
        })),
      ),
    );
    expect(
      log
        .filter(({ kind }) => kind === "delta")
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(deltas.map(({ id }) => id).toSorted());
  });
});

it("the tables and their columns are listed without a prompt", async () => {
  const db = fixturePath("core-0.11/node-a", "db");
  expect(linesOf((await cli("sql", db, ".tables")).stdout)[0]).toMatch(/\bmembers\b/);
  const { status, stdout } = await cli("sql", db, ".schema members");
  expect([status, linesOf(stdout)[0]]).toEqual([0, "members"]);
  expect(stdout).toMatch(/^ {2}role VARCHAR$/m);
});

describe("entries", () => {
  it("are the application's data, a row for each entry of a collection", async () => {
    const [db = ""] = databases;
    const [{ state } = { state: {} }] = await jsonOf<{ readonly state: { readonly items: Fields } }>(
      "state",
      db,
      "lobby",
    );
    const found = await jsonOf<Fields>(
      "sql",
      db,
      "select key, value from entries where context = 'lobby' and field = 'items'",
    );
    expect(Object.fromEntries(found.map(({ key, value }) => [key, value]))).toEqual(
      (state as { items: Fields }).items,
    );
    expect(found.length).toBeGreaterThan(50);
    const [{ path } = { path: "" }] = await jsonOf(
      "sql",
      db,
      "select path from entries where value = 'first 1'",
    );
    expect(path).toBe('items["a1"]');
  });
});

describe("a view", () => {
  const [db = "", other = ""] = databases;

  it("has the column node of several databases", async () => {
    const rows = await jsonOf(
      "sql",
      db,
      other,
      "select node, count(*) as n from contexts group by node order by node",
    );
    expect(rows.map(({ node }) => node)).toEqual(["core-0.10/node-a", "core-0.11/node-a"]);
  });

  it("has no column that is called as a view, which a statement would read too", async () => {
    await using store = await openStore(db);
    await using sql = await openSql(store);
    const names = sql.views.map(({ name }) => name);
    for (const { columns } of sql.views)
      expect(columns.map((column) => column.name).filter((name) => names.includes(name))).toEqual([]);
  });

  it("is not taken for a function or a name that the statement gives", async () => {
    expect(await jsonOf("sql", db, "select log(100) as entries, 2 as members")).toEqual([
      { entries: 2, members: 2 },
    ]);
    expect(await jsonOf("sql", db, "select count(*) > 0 as deltas from Log")).toEqual([{ deltas: true }]);
  });

  it("goes without a row that does not decode: a remark and status 3 say so", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    {
      await using store = await openStore(copy.path, { writable: true });
      const row = fixtureRows("core-0.11/node-a").find(({ kind }) => kind === "GroupMember");
      const key = fromHex(row?.key ?? "");
      await store.raw.write([{ type: "put", column: "Group", key, value: Uint8Array.of(0xff) }]);
    }
    const { status, stderr } = await cli("sql", copy.path, "select count(*) from members");
    expect([status, stderr]).toEqual([3, expect.stringContaining("1 row of GroupMember does not decode")]);
  });
});

it("an answer is printed in the form of other tables, and each delta of the log has a text", async () => {
  using copy = copyOfDatabase("core-0.11/node-a");
  const statement =
    "select groupName, memberCount from groups where groupName in ('office', 'Money') order by 1";
  const csv = await cli("sql", copy.path, statement, "-o", "csv");
  expect(linesOf(csv.stdout)[0]).toBe("groupName,memberCount");
  expect(linesOf((await cli("sql", copy.path, statement, "-o", "name")).stdout)).toEqual(["Money", "office"]);
  const texts = "select count(*) as n, count(text) as texts from log where kind = 'delta'";
  const [row = ""] = linesOf((await cli("sql", copy.path, texts, "--json")).stdout);
  const { n, texts: told } = JSON.parse(row) as { readonly n: string; readonly texts: string };
  expect(Number(n)).toBeGreaterThan(100);
  expect(told).toBe(n);
});

it("-o prints whole texts on a terminal too, and csv those that a file of this form has", async () => {
  const db = databases[0] as string;
  using folder = temporaryFolder();
  const file = join(folder.path, "all.csv");
  const id = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
  const columns = `'${id}' as id, repeat('ab', 500) as hex, 'a\\b' as slash, 'x,"y"' || chr(10) || 'z' as lines, [1, 2] as list`;
  const statement = `select ${columns}, null as none`;
  const csv = `id,hex,slash,lines,list,none\n${id},${"ab".repeat(500)},a\\b,"x,""y""\nz","[1,2]",\n`;
  expect(await cli("sql", db, statement, "-o", file)).toMatchObject({ status: 0, stdout: "" });
  expect(readFileSync(file, "utf8")).toBe(csv);
  for (const width of [0, 80]) {
    expect((await played(width, "sql", db, statement, "-o", "csv")).stdout).toBe(csv);
    const cells = { id, hex: "ab".repeat(500), slash: "a\\b", lines: 'x,"y"\\nz', list: "[1,2]", none: "" };
    for (const [name, cell] of Object.entries(cells)) {
      const { stdout } = await played(width, "sql", db, `select ${name} from (${statement})`, "-o", "name");
      expect(stdout).toBe(`${cell}\n`);
    }
  }
});
