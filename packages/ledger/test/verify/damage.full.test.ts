/** Every row of a page is changed, removed or added: verify names it, and reading never gives a wrong value. */

import { openMemoryEngine, type RawRow } from "merostore/engine";
import { isMerostoreError, toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { Random } from "../../../../test/engines/files/history.js";
import { type Finding, verifyPage } from "../../src/index.js";
import { pageRows, syncMetadataRow } from "../../src/rows/page-rows.js";
import { contents, engineOf, findings, fullPage, rowsOf } from "./page.js";

const made = openMemoryEngine({ columns: [] });
await fullPage(made);
const rows = await rowsOf(made);
const before = await contents(made);
const known = new Set((await findings(made)).map(textOf));

function textOf({ rule, key, message }: Finding): string {
  return `${rule} ${key} ${message}`;
}

/** The new findings in these rows. */
async function newFindings(changed: readonly RawRow[]): Promise<Finding[]> {
  await using engine = await engineOf(changed);
  return (await findings(engine)).filter((finding) => !known.has(textOf(finding)));
}

/** Reads everything. Each value is the former one or missing, or reading reports damage. */
async function readsNothingWrong(changed: readonly RawRow[]): Promise<void> {
  await using engine = await engineOf(changed);
  try {
    for (const [entry, value] of await contents(engine))
      if (value !== "missing") expect(value).toBe(before.get(entry));
  } catch (error) {
    if (!isMerostoreError(error, "DATA_INTEGRITY_ERROR")) throw error;
  }
}

function kindOf(key: Uint8Array): string {
  return pageRows.find((row) => row.key.parse(key) !== undefined)?.kind ?? "unknown";
}

function flipped(bytes: Uint8Array, at: number, mask: number): Uint8Array {
  const changed = bytes.slice();
  changed[at] = (changed[at] as number) ^ mask;
  return changed;
}

const opaque = (row: RawRow): boolean => kindOf(row.key) === syncMetadataRow.kind;
const checkable = rows.filter((row) => !opaque(row));

/** Returns whether a finding has one of the keys. */
function names(found: readonly Finding[], ...keys: readonly Uint8Array[]): boolean {
  return keys.some((key) => found.some((finding) => finding.key === toHex(key)));
}

describe("a page with a changed byte", () => {
  it("has every kind of row", () => {
    expect(new Set(rows.map(({ key }) => kindOf(key)))).toEqual(new Set(pageRows.map(({ kind }) => kind)));
  });

  it.each([1, 2, 3, 4])(
    "in a key: verify names the row, reading is right or an error; part %i",
    async (part) => {
      const random = new Random(part);
      const unnamed: string[] = [];
      for (const [index, row] of rows.entries()) {
        if (opaque(row)) continue;
        for (let round = 0; round < 3; round++) {
          const at = random.below(row.key.length);
          const key = flipped(row.key, at, 1 + random.below(255));
          if (rows.some((other) => toHex(other.key) === toHex(key))) continue;
          const changed = rows.with(index, { key, value: row.value });
          if (!names(await newFindings(changed), row.key, key)) unnamed.push(`${kindOf(row.key)} ${at}`);
          await readsNothingWrong(changed);
        }
      }
      expect(unnamed).toEqual([]);
    },
  );

  it("in a value: verify names the row, reading is right or an error", async () => {
    const random = new Random(5);
    const unnamed: string[] = [];
    const valued = checkable.filter(({ value }) => value.length > 0);
    for (let round = 0; round < 400; round++) {
      const row = valued[round % valued.length] as RawRow;
      const at = random.below(row.value.length);
      const changed = rows.with(rows.indexOf(row), {
        key: row.key,
        value: flipped(row.value, at, 1 + random.below(255)),
      });
      if (!names(await newFindings(changed), row.key)) unnamed.push(`${kindOf(row.key)} ${at}`);
      await readsNothingWrong(changed);
    }
    expect(unnamed).toEqual([]);
  });

  it("of another length: verify names the row, reading is right or an error", async () => {
    const unnamed: string[] = [];
    for (const [index, row] of rows.entries()) {
      if (opaque(row)) continue;
      for (const value of [new Uint8Array([...row.value, 0]), row.value.slice(0, -1)]) {
        if (value.length === row.value.length) continue;
        const changed = rows.with(index, { key: row.key, value });
        if (!names(await newFindings(changed), row.key)) unnamed.push(kindOf(row.key));
        await readsNothingWrong(changed);
      }
    }
    expect(unnamed).toEqual([]);
  });
});

describe("a page with a row", () => {
  it("less: verify finds it, reading is right or an error", async () => {
    const unnoticed: string[] = [];
    for (const [index, row] of rows.entries()) {
      const changed = rows.toSpliced(index, 1);
      if (!opaque(row) && (await newFindings(changed)).length === 0)
        unnoticed.push(`${kindOf(row.key)} ${toHex(row.key)}`);
      await readsNothingWrong(changed);
    }
    expect(unnoticed).toEqual([]);
  });

  it("more, like one that is there but for an id: verify names it", async () => {
    const unnamed: string[] = [];
    for (const row of checkable) {
      // A key ends with a byte of an id, of a digest or of a key's number; the online row's key ends with a letter.
      const key = flipped(row.key, row.key.length - 1, 0x40);
      if (!names(await newFindings([...rows, { key, value: row.value }]), key)) unnamed.push(kindOf(row.key));
      await readsNothingWrong([...rows, { key, value: row.value }]);
    }
    expect(unnamed).toEqual([]);
  });
});

it("counts what it finds", async () => {
  const head = rows.findIndex(({ key }) => kindOf(key) === "head") as number;
  await using engine = await engineOf(rows.toSpliced(head, 1));
  const verification = verifyPage(engine);
  const found: Finding[] = [];
  for await (const finding of verification) found.push(finding);
  const { errors, rules } = await verification.summary();
  expect(errors).toBe(found.filter(({ severity }) => severity === "error").length);
  expect(rules.find(({ rule }) => rule === "tips")?.errors).toBe(1);
});
