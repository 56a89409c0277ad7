/** The rows of a database in an export, and the export's description of itself. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import type { Progress } from "../../src/progress.js";
import { core010 } from "../../src/schemas/index.js";
import { openStore } from "../../src/store/index.js";
import { type ExportOptions, type ExportSummary, exportStore } from "../../src/transfer/index.js";
import { distinct, type FixtureRow, fixturePath, fixtureRows } from "../support/fixtures.js";
import { exportText, partsOf } from "../support/transfer.js";

const name = "core-0.11/node-a";
const path = fixturePath(name, "db");
const all = fixtureRows(name);

interface Head {
  readonly columns: readonly string[];
  readonly redacted: boolean;
  readonly time: string;
  readonly selection?: object;
}

function rowsOf(text: string): FixtureRow[] {
  return partsOf(text).rows.map((line) => JSON.parse(line) as FixtureRow);
}

function headOf(text: string): Head {
  return JSON.parse(partsOf(text).head) as Head;
}

/** The rows of the fixture whose key names an id. */
function naming(...ids: readonly string[]): readonly FixtureRow[] {
  return all.filter(({ parts }) => ids.every((id) => Object.values(parts ?? {}).includes(id)));
}

const [contextId, groupId] = ["contextId", "groupId"].map((part) => {
  const found = all.find(({ kind, parts }) => kind === "GroupContextIndex" && parts?.[part] !== undefined);
  return found?.parts?.[part] as string;
}) as [string, string];

const deviceId = all.find(({ kind }) => kind === "GroupDeviceBinding")?.parts?.deviceId as string;
const memberId = all.find(({ kind }) => kind === "GroupMember")?.parts?.account as string;

describe("a selection", () => {
  const cases: readonly (readonly [
    what: string,
    options: ExportOptions,
    rows: readonly FixtureRow[],
    told: object,
  ])[] = [
    [
      "of column families",
      { columns: ["Group", "Meta"] },
      all.filter(({ column }) => ["Meta", "Group"].includes(column)),
      { columns: ["Group", "Meta"] },
    ],
    ["of a column family without rows", { columns: ["default"] }, [], { columns: ["default"] }],
    ["of a context", { contextId: fromHex(contextId) }, naming(contextId), { context: contextId }],
    ["of a group", { groupId: fromHex(groupId) }, naming(groupId), { group: groupId }],
    [
      "of both",
      { contextId: fromHex(contextId), groupId: fromHex(groupId) },
      naming(contextId, groupId),
      { context: contextId, group: groupId },
    ],
    [
      "of a member and a device of it",
      { memberIds: [memberId, deviceId].map(fromHex) },
      all.filter(({ parts }) => [memberId, deviceId].some((id) => Object.values(parts ?? {}).includes(id))),
      { members: [memberId, deviceId] },
    ],
    [
      "of a context in a column family",
      { contextId: fromHex(contextId), columns: ["State"] },
      naming(contextId).filter(({ column }) => column === "State"),
      { columns: ["State"], context: contextId },
    ],
  ];

  it.each(cases)(
    "%s has these rows, names the selection, and counts the rows",
    async (_, options, rows, selection) => {
      const text = await exportText(path, options);
      expect(rowsOf(text)).toEqual(rows);
      expect(headOf(text)).toMatchObject({
        export: "merostore",
        version: 1,
        revision: "core-0.11",
        selection,
      });
      expect(headOf(text).columns).toContain("ApplicationPreviousBlob");
      const { rows: counted, columns } = JSON.parse(partsOf(text).tail) as { rows: number; columns: object };
      expect(counted).toBe(rows.length);
      const counts: Record<string, number> = {};
      for (const { column } of rows) counts[column] = (counts[column] ?? 0) + 1;
      expect(columns).toEqual(counts);
    },
  );

  it("of a context has rows of many kinds, and none of another context", async () => {
    const kinds = new Set(naming(contextId).map(({ kind }) => kind));
    expect([...kinds]).toEqual(
      expect.arrayContaining(["ContextMeta", "ContextState", "ContextDagDelta", "GroupContextIndex"]),
    );
    expect(naming(contextId).length).toBeLessThan(all.length / 2);
  });

  it("of everything is not named", async () => {
    expect(headOf(await exportText(path))).not.toHaveProperty("selection");
  });

  it("that is invalid is refused before anything is written", async () => {
    await using store = await openStore(path);
    const wrong: readonly (readonly [ExportOptions, string])[] = [
      [{ columns: ["Meta", "Nope"] }, "UNKNOWN_COLUMN_FAMILY"],
      [{ contextId: new Uint8Array(31) }, "INVALID_ARGUMENT"],
      [{ memberIds: [] }, "INVALID_ARGUMENT"],
      [{ memberIds: [new Uint8Array(31)] }, "INVALID_ARGUMENT"],
      [{ groupId: "office" }, "INVALID_ARGUMENT"],
    ];
    for (const [options, code] of wrong)
      expect(() => exportStore(store, options)).toThrow(expect.objectContaining({ code }));
  });
});

describe("the last line", () => {
  it("has the SHA-256 of all lines of rows", async () => {
    const { rows, tail } = partsOf(await exportText(path));
    const sha256 = createHash("sha256")
      .update(rows.map((row) => `${row}\n`).join(""))
      .digest("hex");
    expect(JSON.parse(tail)).toMatchObject({ sha256, rows: 1011 });
  });
});

describe("the first line", () => {
  it("has the time of the export", async () => {
    const { time } = headOf(await exportText(path));
    expect(new Date(time).toISOString()).toBe(time);
  });
});

/** Rows of a private map in State and Delta of `core-0.10/node-a`: its own, its entry's, the root's, its delta. */
const rowsOfPrivateMap = [
  "05a45150acd5bbdcbe55a308a31277862242fd5291bd072c7b524f1ed8a5f605",
  "476732a8c704027d8a320416616dd159ad7f6fca480d04e8b5d0d5b09960a221",
  "8f1c520b2dedcd5a27676ab0b659cf29600a5bdd723230d405e5ccac546898df",
  "c87c41000ba0509045f8dcdfa7a5604f3b1b5aa2dbfc81dfdc457d7d7860cb84",
  "dccd2ab56a2a6a99c43d4d1ece009c49ba220d3d1940189d4a3726bf7835ca7a",
  "5a991bb34f933b880d789da1e36112ef5237b1d6f50f63d05e9fd535ada18868",
].map((key) => `50294aa1897ed121581ee83e8298e75aaba8c9dec9e80d3efe112cd651588f04${key}`);

/** The return value of the generator of an export. */
async function summaryOf(path: string, options: ExportOptions): Promise<ExportSummary> {
  await using store = await openStore(path);
  const lines = exportStore(store, options);
  let next = await lines.next();
  while (next.done !== true) next = await lines.next();
  return next.value;
}

describe("without secrets", () => {
  it.each(distinct)("$name has every row, but no value that may be secret", async ({ name, schema }) => {
    const text = await exportText(fixturePath(name, "db"), { revealSecrets: false });
    expect(headOf(text).redacted).toBe(true);
    const rows = fixtureRows(name);
    const shown = rowsOf(text);
    expect(shown.map(({ column, key }) => [column, key])).toEqual(
      rows.map(({ column, key }) => [column, key]),
    );
    let left = 0;
    for (const [at, row] of shown.entries()) {
      const known = schema.identify(row.column, fromHex(row.key));
      const secret =
        known === undefined ||
        known.secret(known.key.fromBytes(fromHex(row.key))) ||
        (name === "core-0.10/node-a" && rowsOfPrivateMap.includes(row.key));
      if (secret) expect(row).not.toHaveProperty("value");
      else expect(row).toEqual(rows[at]);
      if (secret) left++;
    }
    expect(left).toBeGreaterThan(3);
    const path = fixturePath(name, "db");
    expect(await summaryOf(path, {})).toEqual({ rows: rows.length, withoutValue: left, undecrypted: 0 });
    expect(await summaryOf(path, { revealSecrets: true })).toEqual({
      rows: rows.length,
      withoutValue: 0,
      undecrypted: 0,
    });
  });

  it("includes the rows that do not decode, without their values", async () => {
    const text = await exportText(path, {
      revealSecrets: false,
      schema: core010,
      columns: ["Group", "Identity"],
    });
    const wrong = rowsOf(text).filter((row) => "error" in row);
    expect(wrong.length).toBeGreaterThan(10);
    for (const row of wrong) expect(row).not.toHaveProperty("value");
  });
});

it.each([
  ["all rows without a selection", {}, 1011],
  [
    "of the rows that a selection may have, also those that are not selected",
    { contextId: new Uint8Array(32) },
    17,
  ],
])("calls onProgress with the rows that it reads: %s", async (_, selection, rows) => {
  await using store = await openStore(path);
  let last: Progress | undefined;
  const onProgress = (progress: Progress) => (last = progress);
  for await (const _ of exportStore(store, { ...selection, onProgress }));
  expect(last).toEqual({ done: rows, total: rows, unit: "rows" });
});

it("keeps its selection if the caller reuses the bytes", async () => {
  await using store = await openStore(path);
  const id = fromHex(contextId);
  const columns = ["State"];
  const lines = exportStore(store, { contextId: id, columns });
  id.fill(0);
  columns.pop();
  let text = "";
  for await (const piece of lines) text += Buffer.from(piece).toString();
  expect(rowsOf(text).map(({ key }) => key)).toEqual(
    naming(contextId)
      .filter(({ column }) => column === "State")
      .map(({ key }) => key),
  );
});
