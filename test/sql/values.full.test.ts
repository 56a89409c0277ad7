/** Every row of every fixture in SQL, against the values of the Rust node's own types. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/codec/index.js";
import { core10 } from "../../src/schemas/index.js";
import { openSql, type SqlDatabase } from "../../src/sql/index.js";
import { openStore } from "../../src/store/index.js";
import { distinct, type FixtureRow, fixturePath, fixtureRows } from "../support/fixtures.js";

type Fields = Readonly<Record<string, Json>>;

const isFields = (json: Json | undefined): json is Fields =>
  typeof json === "object" && json !== null && !Array.isArray(json);

/** The expected cell for a JSON form: an enum names its variant, a pair its places. The form of the cell decides. */
function expected(form: Json, cell: Json | undefined): Json {
  if (Array.isArray(form)) {
    if (isFields(cell)) return { first: form[0] as Json, second: form[1] as Json };
    const cells = cell as readonly Json[];
    return form.map((one: Json, at) => expected(one, cells?.[at]));
  }
  if (!isFields(form)) return form;
  // Names of variants begin with a capital, other names of fields do not.
  const isEnum = isFields(cell) && Object.keys(cell).every((name) => name === "kind" || /^[A-Z]/.test(name));
  if (typeof form.kind === "string" && isEnum) {
    const { kind, ...fields } = form;
    const others = Object.keys(cell).filter((name) => name !== "kind");
    return {
      kind,
      ...Object.fromEntries(
        others.map((name) => [name, name === kind ? fieldsOf(fields, cell[name] as Json) : null]),
      ),
    };
  }
  return fieldsOf(form, cell);
}

/** Fields in the cells of a struct: bytes that do not decode are in a cell of their own. Other cells are null. */
function fieldsOf(form: Fields, cell: Json | undefined): Json {
  const cells = isFields(cell) ? cell : {};
  const found: Record<string, Json> = {};
  for (const [name, one] of Object.entries(form)) {
    const raw = `${name}Raw`;
    if (typeof one === "string" && raw in cells && !isText(cells[name])) found[raw] = one;
    else found[name] = expected(one, cells[name]);
  }
  return Object.fromEntries(Object.keys(cells).map((name) => [name, found[name] ?? null]));
}

const isText = (cell: Json | undefined): boolean => typeof cell === "string";

/** The cells of a whole row. */
function expectedRow({ parts, decoded = null }: FixtureRow, cells: Fields): Fields {
  const names = Object.keys(cells);
  const form = isFields(decoded) ? decoded : { value: decoded };
  const values: Record<string, Json> = {};
  const held = names.find((name) => isFields(cells[name]) && name === "entityIndex");
  if (held !== undefined) values[held] = expected(decoded, cells[held]);
  else if (isFields(decoded) && typeof decoded.kind === "string" && !names.includes("kind"))
    values.value = expected(decoded, cells.value);
  else if (typeof decoded === "string" && names.includes("valueRaw") && !names.includes("value"))
    values.valueRaw = decoded;
  else
    for (const [name, one] of Object.entries(form)) {
      const inKey = parts !== null && name in parts;
      const column = inKey ? `value${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
      const raw = `${column}Raw`;
      if (typeof one === "string" && names.includes(raw)) values[raw] = one;
      else values[column] = expected(one, cells[column]);
    }
  return Object.fromEntries(names.map((name) => [name, parts?.[name] ?? values[name] ?? null]));
}

describe.each(distinct)("$name", ({ name }) => {
  it("has every row with its values", async () => {
    const rows = fixtureRows(name);
    const kinds = new Map<string, FixtureRow[]>();
    for (const row of rows)
      kinds.set(row.kind ?? "UnknownRow", [...(kinds.get(row.kind ?? "UnknownRow") ?? []), row]);
    await using store = await openStore(fixturePath(name, "db"));
    await using sql = await openSql(store, { revealSecrets: true });
    let compared = 0;
    for (const table of sql.tables) {
      const of = kinds.get(table.name) ?? [];
      const answer = await sql.query(`select * from "${table.name}"`);
      const found: Fields[] = [];
      for await (const chunk of answer.jsonChunks())
        for (const row of chunk)
          found.push(Object.fromEntries(answer.columns.map((column, at) => [column.name, row[at] as Json])));
      expect(found.length, table.name).toBe(of.length);
      if (table.name === "UnknownRow")
        expect(found).toEqual(of.map(({ column, key, value }) => ({ columnFamily: column, key, value })));
      else
        for (const [at, row] of of.entries()) {
          const cells = found[at] as Fields;
          // A value that does not decode in this revision.
          if (cells.error !== null) continue;
          expect(cells, `${table.name} ${row.key}`).toEqual(expectedRow(row, cells));
          // No field of the row may be missing in the table.
          for (const part of Object.keys(row.parts ?? {})) expect(cells).toHaveProperty(part);
          compared++;
        }
    }
    expect(compared).toBeGreaterThan(rows.length * 0.9);
  });
});

it("each type that some values of a kind contain has its column", async () => {
  const name = "core-1.0/every-kind";
  await using store = await openStore(fixturePath(name, "db"));
  await using sql = await openSql(store);
  const read = async (statement: string): Promise<Json[]> => {
    const found: Json[] = [];
    for await (const chunk of (await sql.query(statement)).jsonChunks())
      for (const [cell = null] of chunk) found.push(cell);
    return found;
  };
  const trie = core10.type("ChildTrieRow");
  const tries: Json[] = [];
  for await (const { key, bytes } of store.table("ContextState").scan())
    if ("tag" in key && key.tag === 3) tries.push(trie.toJson(trie.decode(bytes) as never));
  const cells = await read("select childTrieRow from ContextState where tag = 3 and value is null");
  expect(cells).toEqual(tries.map((form, at) => expected(form, cells[at])));
  expect(cells.length).toBeGreaterThan(3_000);
  expect(await read("select held from SearchIndex where value is null")).toEqual(["1000"]);
});

/** A form without null fields, which other revisions have. */
function withoutNulls(form: Json): Json {
  if (Array.isArray(form)) return form.map(withoutNulls);
  if (!isFields(form)) return form;
  const fields = Object.entries(form).map(([name, one]) => [name, withoutNulls(one)] as const);
  const there = fields.filter(([, one]) => one !== null);
  return there.length === 0 ? null : Object.fromEntries(there);
}

it("rows beside those of a later revision have all their values, in any order of the databases", async () => {
  await using own = await openStore(fixturePath("core-0.11/node-a", "db"));
  await using later = await openStore(fixturePath("core-1.0/every-kind", "db"));
  const read = async (sql: SqlDatabase, kind: string): Promise<Json[]> => {
    const answer = await sql.query(`select * from ${kind} where node = 'own'`);
    const found: Json[] = [];
    for await (const chunk of answer.jsonChunks())
      for (const row of chunk)
        found.push(
          withoutNulls(Object.fromEntries(answer.columns.map(({ name }, at) => [name, row[at] as Json]))),
        );
    return found;
  };
  await using alone = await openSql({ own });
  await using before = await openSql({ own, later });
  await using after = await openSql({ later, own });
  for (const kind of [
    "NamespaceGovOp",
    "GroupOpLog",
    "ScopeUnifiedOp",
    "GroupMember",
    "GroupUpgradeLadder",
  ]) {
    const rows = await read(alone, kind);
    expect(await read(before, kind), kind).toEqual(rows);
    expect(await read(after, kind), kind).toEqual(rows);
  }
});
