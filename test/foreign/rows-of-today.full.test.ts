/** Random rows of core-1.0 that a Python program makes from their description, and its opinion on damaged ones. */
import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import type { AnyKeyClass } from "../../src/keys/index.js";
import { core10, rowToJson } from "../../src/schemas/index.js";

/** A row with its value, or with the reason why it has none. */
interface MadeRow {
  readonly column: string;
  readonly kind: string;
  readonly key: string;
  readonly parts: readonly unknown[];
  readonly value: string;
  readonly damage?: string;
  readonly decoded?: unknown;
  /** False for a value in a form that nodes do not write; null for bytes without a value. */
  readonly canonical?: boolean | null;
  readonly refused?: string;
}

const python = process.env.PYTHON ?? "python3";
const program = fileURLToPath(new URL("core10_rows.py", import.meta.url));

function made(seed: number, rows: number, damages: number): readonly MadeRow[] {
  const output = execFileSync(python, [program, `${seed}`, `${rows}`, `${damages}`], {
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
  return output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as MadeRow);
}

/** The codec of a value of a row, or of the value that raw bytes hold. */
function codecOf({ column, key, canonical }: MadeRow) {
  const known = core10.identify(column, fromHex(key));
  if (known === undefined) throw new Error(`no kind of row has the key ${key}`);
  const read = (known.key as AnyKeyClass).fromBytes(fromHex(key));
  const held = canonical === null ? undefined : known.heldAt(read);
  return held ?? known.shown(read, new Uint8Array());
}

/** The difference between the library and the program on a row, if there is one. */
function differenceIn(row: MadeRow): string | undefined {
  const bytes = fromHex(row.value);
  const shown = rowToJson(
    core10,
    row.column,
    { key: fromHex(row.key), value: bytes },
    { revealSecrets: true },
  );
  if (shown.kind !== row.kind) return `is of kind ${shown.kind}`;
  if (row.refused !== undefined) return shown.error === undefined ? "is read" : undefined;
  if (JSON.stringify(shown.decoded) !== JSON.stringify(row.decoded))
    return `is ${shown.error ?? JSON.stringify(shown.decoded)}`;
  if (row.canonical === null) return undefined;
  const codec = codecOf(row);
  if (codec.canonical(bytes) !== row.canonical) return `canonical: ${!row.canonical}`;
  if (!row.canonical) return undefined;
  const value = codec.decode(bytes);
  for (const again of [value, codec.fromJson(codec.toJson(value))])
    if (toHex(codec.encode(again)) !== row.value) return `is encoded to ${toHex(codec.encode(again))}`;
  return undefined;
}

describe.skipIf(spawnSync(python, ["--version"]).status !== 0)("random rows of core-1.0", () => {
  it.each([1, 2])("are what another program says (seed %i)", (seed) => {
    const rows = made(seed, 20, 10);
    expect(new Set(rows.map(({ kind }) => kind)).size).toBe(34);
    const differences = rows.flatMap((row) => {
      const difference = differenceIn(row);
      return difference === undefined ? [] : [{ ...row, difference }];
    });
    expect(differences).toEqual([]);
    for (const { column, kind, key, parts } of rows.filter(({ damage }) => damage === undefined)) {
      const shown = rowToJson(core10, column, { key: fromHex(key), value: new Uint8Array() });
      if (kind !== "Generic" && kind !== "SearchIndex")
        expect(Object.values(shown.parts ?? {})).toEqual(parts);
      // A key of another length is of another kind, or of none.
      for (const other of [fromHex(key).subarray(1), fromHex(key).subarray(0, -1), fromHex(`${key}00`)])
        expect(core10.identify(column, other)?.kind).not.toBe(kind);
    }
  });
});
