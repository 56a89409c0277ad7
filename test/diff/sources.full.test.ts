/** Databases and exports of them compare alike, and faults of an export are noticed. */
import { afterEach, describe, expect, it } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import {
  type DiffOptions,
  diffByContext,
  diffRows,
  type RowSource,
  rowsOfExport,
  rowsOfStore,
} from "../../src/diff/index.js";
import type { Progress } from "../../src/progress.js";
import { core010, core011 } from "../../src/schemas/index.js";
import { openStore } from "../../src/store/index.js";
import { differences, rowsIn } from "../support/differences.js";
import { fixturePath, fixtureRows } from "../support/fixtures.js";
import { exportText, partsOf, sealed, sourceOf } from "../support/transfer.js";

const A = fixturePath("core-0.11/node-a", "db");
const C = fixturePath("core-0.11/node-c", "db");
const shared = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});

async function databaseSide(path: string): Promise<RowSource> {
  const store = await openStore(path);
  open.push(store);
  return rowsOfStore(store);
}

async function exportSide(path: string, options = {}): Promise<RowSource> {
  return rowsOfExport(sourceOf(await exportText(path, options), 10_000));
}

describe("databases and exports, whichever they are and on whichever side,", () => {
  const selections: readonly (readonly [what: string, options: DiffOptions])[] = [
    ["as a whole", {}],
    ["in some column families", { columns: ["Delta", "Meta"] }],
    ["in a context", { contextId: fromHex(shared) }],
    ["in a column family of a context", { contextId: fromHex(shared), columns: ["State"] }],
  ];

  it.each(selections)("differ alike %s", async (_, options) => {
    const wanted = await differences(await databaseSide(A), await databaseSide(C), options);
    expect(wanted.found.length).toBeGreaterThan(100);
    expect(await differences(await exportSide(A), await databaseSide(C), options)).toEqual(wanted);
    expect(await differences(await databaseSide(A), await exportSide(C), options)).toEqual(wanted);
    expect(await differences(await exportSide(A), await exportSide(C), options)).toEqual(wanted);

    const { found, summary } = await differences(await exportSide(C), await databaseSide(A), options);
    const swapped = { "only in a": "only in b", "only in b": "only in a", different: "different" } as const;
    expect(found.map(({ key, difference, benign }) => [key, swapped[difference], benign])).toEqual(
      wanted.found.map(({ key, difference, benign }) => [key, difference, benign]),
    );
    const { a, b, onlyInA, onlyInB } = wanted.summary;
    expect(summary).toEqual({ ...wanted.summary, a: b, b: a, onlyInA: onlyInB, onlyInB: onlyInA });
  });

  it("differ alike by context", async () => {
    const wanted = await diffByContext(await databaseSide(A), await databaseSide(C));
    expect(wanted.contexts).toHaveLength(7);
    expect(await diffByContext(await exportSide(A), await exportSide(C))).toEqual(wanted);
    expect(await diffByContext(await exportSide(A), await databaseSide(C))).toEqual(wanted);
  });

  it("have no difference from themselves", async () => {
    for (const side of [databaseSide, exportSide]) {
      const { found, summary } = await differences(await side(A), await databaseSide(A));
      expect(found).toEqual([]);
      expect(summary).toMatchObject({ a: 1011, b: 1011, benign: 0, withoutValue: 0 });
    }
  });
});

describe("the order of the differences", () => {
  it("is that of the column families and keys", async () => {
    const { found } = await differences(await databaseSide(A), await exportSide(C));
    const places = found.map(
      ({ column, key }) => `${String(core011.columns.indexOf(column)).padStart(2, "0")} ${key}`,
    );
    expect(places).toEqual(places.toSorted());
  });

  it("is the same where the sides have other column families, in another order", async () => {
    const row = (column: string, value = "01") => ({ column, key: "00", value });
    const a = await rowsIn(core010, [row("Zebra"), row("Mystery"), row("Meta")]);
    const b = await rowsIn(core010, [row("Another"), row("Mystery", "02"), row("Zebra")]);
    const { found, summary } = await differences(a, b);
    expect(found.map(({ difference, column }) => `${difference} ${column}`)).toEqual([
      "only in a Meta",
      "different Mystery",
      "only in b Another",
    ]);
    expect(summary).toMatchObject({ a: 3, b: 3, onlyInA: 1, onlyInB: 1, different: 1 });
  });

  it("does not matter for an export whose column families are requested in another order", async () => {
    const text = await exportText(A);
    const side = await rowsOfExport(sourceOf(text));
    for (const column of ["Group", "Meta", "Meta", "State", "Delta", "Config"]) {
      const keys: string[] = [];
      for await (const rows of side.rows(column))
        keys.push(...rows.map(({ key }) => Buffer.from(key).toString("hex")));
      expect(keys, column).toEqual(
        fixtureRows("core-0.11/node-a")
          .filter((row) => row.column === column)
          .map(({ key }) => key),
      );
    }
    await side.close?.();
  });
});

describe("an export without secrets", () => {
  it("is compared by the keys of the rows whose values it lacks", async () => {
    const { found, summary } = await differences(
      await databaseSide(A),
      await exportSide(A, { revealSecrets: false }),
    );
    expect(found).toEqual([]);
    expect(summary.withoutValue).toBeGreaterThan(20);
    const nodes = await differences(await exportSide(C), await exportSide(A, { revealSecrets: false }));
    expect(nodes.summary).toMatchObject({ onlyInB: 749, onlyInA: 2 });
    expect(nodes.summary.different + nodes.summary.withoutValue).toBeGreaterThanOrEqual(42);
  });
});

describe("an export that is not whole", () => {
  const says = (text: RegExp) =>
    expect.objectContaining({ code: "EXPORT_INVALID", message: expect.stringMatching(text) });

  it("is refused, even if the requested rows come before", async () => {
    const { head, rows, tail } = partsOf(await exportText(A));
    const cut = `${[head, ...rows].join("\n")}\n`;
    const changed = sealed(head, rows).replace(/"sha256":"./, '"sha256":"x');
    const added = `${[head, ...rows, tail, tail].join("\n")}\n`;
    for (const [text, why] of [
      [cut, /truncated/],
      [changed, /hash/],
      [added, /must be the last line/],
    ] as const) {
      for (const options of [{}, { columns: ["Meta"] }, { columns: ["Group"] }]) {
        const side = async () => rowsOfExport(sourceOf(text));
        await expect(differences(await side(), await databaseSide(A), options)).rejects.toThrow(says(why));
        await expect(differences(await databaseSide(A), await side(), options)).rejects.toThrow(says(why));
      }
    }
  });

  it("of an unknown revision can be read as another one", async () => {
    const text = (await exportText(A)).replace('"core-0.11"', '"core-0.12"');
    await expect(rowsOfExport(sourceOf(text))).rejects.toThrow(says(/revision "core-0\.12"/));
    const { summary } = await differences(await rowsOfExport(sourceOf(text), core011), await databaseSide(A));
    expect(summary).toMatchObject({ a: 1011, b: 1011, onlyInA: 0, onlyInB: 0, different: 0 });
  });
});

describe("requested rows", () => {
  it("must exist on at least one side", async () => {
    const sides = async () => [await databaseSide(A), await exportSide(C)] as const;
    await expect(differences(...(await sides()), { columns: ["Meta", "Nope"] })).rejects.toThrow(
      expect.objectContaining({
        code: "UNKNOWN_COLUMN_FAMILY",
        message: expect.stringMatching(/"Nope"; they have .*Meta/),
      }),
    );
    await expect(differences(...(await sides()), { contextId: new Uint8Array(3) })).rejects.toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
  });

  it("is read to the end, and no file stays open, also after errors", async () => {
    const text = await exportText(A);
    let openFiles = 0;
    const counting = () =>
      (async function* () {
        openFiles++;
        try {
          yield* sourceOf(text, 5000)();
        } finally {
          openFiles--;
        }
      })();
    const side = () => rowsOfExport(counting);
    await diffByContext(await side(), await side());
    expect(openFiles).toBe(0);
    await differences(await side(), await side(), { columns: ["Meta"] });
    expect(openFiles).toBe(0);
    const damaged = text.replace('"column":"Meta"', '"column":"Nope"');
    const wrong = await rowsOfExport(sourceOf(damaged, 5000));
    await expect(diffByContext(await side(), wrong)).rejects.toThrow(/the first line does not name/);
    expect(openFiles).toBe(0);
    const left = diffRows(await side(), await rowsIn(core011, []));
    await left.next();
    expect(openFiles).toBe(1);
    await left.return(undefined as never);
    expect(openFiles).toBe(0);
  });

  it.each([
    ["all rows without a selection", {}, 1011 + 264],
    [
      "the kinds of which any row may name the context, also if none does",
      { contextId: new Uint8Array(32) },
      20,
    ],
  ])("is reported while rows are read: %s", async (_, selection, rows) => {
    const seen: number[] = [];
    const onProgress = ({ done }: Progress) => void seen.push(done);
    await differences(await databaseSide(A), await databaseSide(C), { ...selection, onProgress });
    expect(seen.at(-1)).toBe(rows);
  });
});
