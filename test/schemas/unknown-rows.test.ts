/** The shapes of rows that are not understood, on a node's rows with rows of a newer node among them. */
import { expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { openMemoryEngine, type WriteOperation } from "../../src/engines/index.js";
import { NamespaceGovOp } from "../../src/keys/index.js";
import { core10, core011, unknownRows } from "../../src/schemas/index.js";
import { cli } from "../cli/run.js";
import { copyOfDatabase, fixtureRows } from "../support/fixtures.js";

const rows = fixtureRows("core-0.11/node-a");
const contexts = rows.filter(({ kind }) => kind === "ContextMeta").map(({ key }) => fromHex(key));
const put = (column: string, key: Uint8Array, value: Uint8Array): WriteOperation => ({
  type: "put",
  column,
  key,
  value,
});
/** Bytes that no other row has. */
const noise = (seed: number, length: number) =>
  Uint8Array.from({ length }, (_, at) => (Math.imul(seed * 7919 + at + 1, 2654435761) >>> 13) & 0xff);

async function newerDatabase() {
  const engine = openMemoryEngine({ columns: [...core011.columns, "Spaces"] });
  await engine.write(rows.map(({ column, key, value }) => put(column, fromHex(key), fromHex(value))));
  await engine.write(
    contexts.map((id, at) =>
      put("Spaces", Uint8Array.of(...id, 0, at), Uint8Array.of(1, ...noise(at, 7 + at))),
    ),
  );
  await engine.write(
    [1, 2, 3].map((at) => put("Group", Uint8Array.of(0x7a, ...noise(at, 40)), noise(at + 50, 12))),
  );
  const member = rows.find(({ kind }) => kind === "GroupMember");
  if (member === undefined) throw new Error("no member");
  await engine.write([put("Group", fromHex(member.key), Uint8Array.of(...fromHex(member.value), 9))]);
  return engine;
}

it("tells lengths, constant bytes and the places of known ids", async () => {
  await using engine = await newerDatabase();
  const found = await unknownRows(engine, core011);
  expect(found).toMatchObject({ rows: rows.length + contexts.length + 3, unknown: contexts.length + 4 });
  const [prefix, member, spaces] = [
    found.shapes.find((shape) => shape.prefix === 0x7a),
    found.shapes.find(({ kind }) => kind === "GroupMember"),
    found.shapes.find(({ column }) => column === "Spaces"),
  ];
  expect(prefix).toMatchObject({ columnKnown: true, keyLength: 41, rows: 3, kind: undefined });
  expect(prefix?.valueLength).toEqual({ least: 12, most: 12 });
  expect(prefix?.constantInKeys[0]).toEqual({ from: 0, to: 1 });
  expect(member).toMatchObject({ rows: 1, constantInKeys: [], constantInValues: [] });
  expect(member?.ids).toContainEqual({ in: "key", offset: 1, part: "groupId", rows: 1 });
  expect(spaces).toMatchObject({ columnKnown: false, keyLength: 34, prefix: undefined });
  expect(spaces?.valueLength).toEqual({ least: 8, most: 7 + contexts.length });
  expect(spaces?.constantInKeys).toContainEqual({ from: 32, to: 33 });
  expect(spaces?.constantInValues).toContainEqual({ from: 0, to: 1 });
  expect(spaces?.ids[0]).toEqual({ in: "key", offset: 0, part: "contextId", rows: contexts.length });
});

it("contains no bytes of a row", async () => {
  await using engine = await newerDatabase();
  const text = JSON.stringify(await unknownRows(engine, core011));
  for await (const { key, value } of engine.scan("Spaces"))
    for (const bytes of [key, value]) expect(text).not.toContain(toHex(bytes.subarray(0, 4)));
  for await (const { key } of engine.scan("Group"))
    if (key.length > 4) expect(text).not.toContain(toHex(key.subarray(1, 5)));
});

it("tells where rows of State and payloads of operations stop to decode", async () => {
  await using engine = openMemoryEngine({ columns: [...core10.columns] });
  const id = new Uint8Array(32).fill(5);
  const operation = new NamespaceGovOp({ namespaceId: id, deltaId: noise(3, 32) });
  await engine.write([
    put("State", Uint8Array.of(...id, 0, ...noise(1, 32)), Uint8Array.of(0xe3, 2, 0x40, 0)),
    put("State", Uint8Array.of(...id, 3, ...noise(2, 32)), Uint8Array.of(0x21)),
    // Four bytes of length, the tag of a signed operation, and its version.
    put("Group", operation.bytes, Uint8Array.of(2, 0, 0, 0, 0, 99)),
  ]);
  const { shapes } = await unknownRows(engine, core10);
  expect(shapes.map(({ column, kind, rows, decodesUpTo }) => ({ column, kind, rows, decodesUpTo }))).toEqual([
    { column: "Group", kind: "NamespaceGovOp", rows: 1, decodesUpTo: 6 },
    { column: "State", kind: "ContextState", rows: 2, decodesUpTo: 0 },
  ]);
});

it("keeps a bounded number of shapes", async () => {
  await using engine = openMemoryEngine({ columns: ["Spaces"] });
  const keys = Array.from({ length: 1_200 }, (_, at) => new Uint8Array(at + 1));
  await engine.write(keys.map((key) => put("Spaces", key, key)));
  const found = await unknownRows(engine, core011);
  expect(found.shapes).toHaveLength(1_000);
  expect(found).toMatchObject({ rows: 1_200, unknown: 1_200, ofFurtherShapes: 200 });
});

it("is what `unknown` prints", async () => {
  using database = copyOfDatabase("documented/log-and-tables");
  expect(await cli("unknown", database.path)).toEqual({
    status: 0,
    stderr: "",
    stdout:
      "Meta: no kind has such a key\n  rows   1\n  key    14 bytes\n  value  4 bytes\n\n1 of 789 rows are not understood as documented\n",
  });
  const { stdout } = await cli("unknown", database.path, "--json");
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { column: "Meta", keyLength: 14, rows: 1 },
    { revision: "documented", rows: 789, unknown: 1, ofFurtherShapes: 0 },
  ]);
});
