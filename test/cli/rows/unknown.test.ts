/** Column families and rows that no schema knows: shown, scanned and kept. */
import { expect, it } from "vitest";
import { copyOfDatabase, fixtureRows } from "../../support/fixtures.js";
import { addFamily } from "../database/add-family.js";
import { cli, intoPipe, onTerminal, rowsOf } from "../run.js";

const mystery = [
  { column: "Mystery", kind: null, key: "6f6e65", parts: null, value: "666972737420736563726574" },
  { column: "Mystery", kind: null, key: "74776f", parts: null, value: "" },
];

it("an unknown column family is shown, scanned, and kept by writes", async () => {
  using copy = copyOfDatabase("core-0.10/log-and-tables");
  await addFamily(copy.path, "Mystery", [
    ["one", "first secret"],
    ["two", ""],
  ]);
  const info = JSON.parse((await cli("status", "--rows", "--json", copy.path)).stdout) as {
    columns: readonly { column: string }[];
  };
  expect(info.columns.find(({ column }) => column === "Mystery")).toMatchObject({
    known: false,
    rows: 2,
    kinds: { unknown: { rows: 2 } },
  });
  expect((await onTerminal("status", "--rows", copy.path)).stdout).toMatch(
    /^Mystery \(unknown\) +2 +18 bytes +unknown rows 2$/m,
  );

  const put = await cli("put", copy.path, "GroupAlias", `groupId=${"ab".repeat(32)}`, "--value", '"dev"');
  expect(put.status).toBe(0);
  const all = rowsOf(await cli("scan", "--json", copy.path, "--reveal-secrets"));
  expect(all).toHaveLength(507 + 2 + 1);
  expect(all.slice(-2)).toEqual(mystery);

  const hidden = await intoPipe("scan", "--json", copy.path, "--column", "Mystery");
  expect(rowsOf(hidden)).toEqual(mystery.map(({ value, ...row }) => row));
  const get = await intoPipe(
    "show",
    "--json",
    copy.path,
    "--column",
    "Mystery",
    "--key",
    "6f6e65",
    "--reveal-secrets",
  );
  expect(rowsOf(get)).toEqual(mystery.slice(0, 1));
});

it("an unknown row among known ones is shown, counted and kept", async () => {
  using copy = copyOfDatabase("documented/log-and-tables");
  const unknown = fixtureRows("documented/log-and-tables").filter(({ kind }) => kind === null);
  expect(unknown).toHaveLength(1);
  await cli("put", copy.path, "GroupAlias", `groupId=${"ab".repeat(32)}`, "--value", '"dev"');
  const meta = rowsOf(await cli("scan", "--json", copy.path, "--column", "Meta", "--reveal-secrets"));
  expect(meta.filter(({ kind }) => kind === null)).toEqual(unknown);
  const { stdout } = await intoPipe("status", "--rows", "--json", copy.path);
  const { columns } = JSON.parse(stdout) as { columns: readonly { column: string }[] };
  expect(columns.find(({ column }) => column === "Meta")).toMatchObject({ kinds: { unknown: { rows: 1 } } });
});
