/** A planted difference of each kind is found, named by its field, and honest only where nodes may differ. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import type { Json } from "../../src/codec/index.js";
import { isMerostoreError } from "../../src/errors.js";
import { type AnyRow, core011, type Schema } from "../../src/schemas/index.js";
import { MetadataRecord } from "../../src/values/index.js";
import { differences, rowsIn } from "../support/differences.js";
import { databases, type FixtureRow, fixtureRows } from "../support/fixtures.js";

/** Rows that each node has for itself. */
const OWN = [
  "Alias",
  "ContextIdentity",
  "ContextPrivateState",
  "Generic",
  "GroupAlias",
  "GroupConsumedInvitation",
  "GroupContextAlias",
  "GroupLocalGovNonce",
  "GroupLocalGovNonceWindow",
  "GroupMemberAlias",
  "GroupOpHead",
  "GroupOpLog",
  "GroupSigningKey",
  "NamespaceBootstrapInviter",
  "NamespaceIdentity",
  "NodeAccountRoot",
  "NodeDeviceIdentity",
  "NodeIdentity",
  "SortedIndex",
  "SortedIndexMeta",
];

/** Rows that a node may lack; where both nodes have one, its value decides. */
const PARTIAL = [
  "BlobMeta",
  "ContextActivatedBlob",
  "ContextLeftMarker",
  "ContextResyncRequested",
  "GroupFleetCompletion",
  "GroupKeyEntry",
];

/** Fields in which honest nodes differ, in rows that they share. */
const NOTED: Readonly<Record<string, RegExp>> = {
  ApplicationMeta: /^(size|source|compiled|package|version|metadata)$/,
  BlobMeta: /^refs$/,
  ContextDagDelta: /^(applied|events)$/,
  ContextState:
    /^(metadata\.(createdAt|updatedAt|storageType\.signatureData.*)|deletedAt|children\[\d+\]\.metadata\..*)$/,
  GroupContextMetadata: /^updatedAt$/,
  GroupKeyEntry: /^createdAt$/,
  GroupMemberMetadata: /^updatedAt$/,
  GroupMeta: /^(createdAt|appKey|upgradePolicy.*)$/,
  GroupMetadata: /^updatedAt$/,
  NamespaceGovHead: /^sequence$/,
};

/** A deleted entity keeps the hashes that it had on its node, and no other hash covers them. */
const NOTED_OF_DELETED = /^(ownHash|fullHash|children\[\d+\]\.merkleHash)$/;

interface Planted {
  readonly path: string;
  readonly json: Json;
}

/** The same value with one of its fields changed, for each field. */
function variants(value: Json, path = ""): Planted[] {
  if (Array.isArray(value)) {
    return value.flatMap((one: Json, at) =>
      variants(one, `${path}[${at}]`).map((planted) => ({ ...planted, json: value.with(at, planted.json) })),
    );
  }
  if (typeof value === "object" && value !== null) {
    return Object.entries(value as { readonly [name: string]: Json }).flatMap(([name, one]) =>
      variants(one, path === "" ? name : `${path}.${name}`).map((planted) => ({
        ...planted,
        json: { ...(value as object), [name]: planted.json },
      })),
    );
  }
  const other = changed(value);
  return other === undefined ? [] : [{ path, json: other }];
}

function changed(value: Json): Json | undefined {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value === 0 ? 1 : value - 1;
  if (typeof value !== "string" || value === "") return undefined;
  const digit = value.at(-1) === "1" ? "2" : "1";
  return `${value.slice(0, -1)}${digit}`;
}

/** The bytes of a JSON form; undefined if no value has the form. */
function encoded({ value, alternative }: AnyRow, json: Json): string | undefined {
  const codec = alternative !== undefined && typeof json === "object" ? alternative : value;
  try {
    return toHex(codec.encode(codec.fromJson(json)));
  } catch (error) {
    if (isMerostoreError(error)) return undefined;
    throw error;
  }
}

/** The longest row of each kind whose value decodes; of index rows, one of each shape. */
function samples(rows: readonly FixtureRow[]): readonly FixtureRow[] {
  const found = new Map<string, FixtureRow>();
  for (const row of rows) {
    if (row.kind === null || row.decoded === undefined) continue;
    const name = `${row.kind} ${row.column === "State" ? shapeOf(row.decoded) : ""}`;
    if (row.value.length > (found.get(name)?.value.length ?? -1)) found.set(name, row);
  }
  return [...found.values()];
}

function shapeOf(decoded: Json): string {
  if (typeof decoded !== "object") return "entry";
  const { children, deletedAt, metadata } = decoded as {
    children: Json;
    deletedAt: Json;
    metadata: { storageType: { kind: string; signatureData?: Json } };
  };
  const { kind, signatureData } = metadata.storageType;
  return [kind, ...[children, deletedAt, signatureData].map((field) => field === null)].join();
}

/** True for the row of a deleted entity of the state. */
function isTombstone({ kind, decoded }: FixtureRow): boolean {
  return kind === "ContextState" && ((decoded as { deletedAt?: Json })?.deletedAt ?? null) !== null;
}

async function onlyDifference(schema: Schema, a: readonly FixtureRow[], b: readonly FixtureRow[]) {
  const { found, summary } = await differences(await rowsIn(schema, a), await rowsIn(schema, b));
  expect(found).toHaveLength(1);
  expect(summary.onlyInA + summary.onlyInB + summary.different).toBe(1);
  const [one] = found;
  expect(summary.benign).toBe(one?.benign === undefined ? 0 : 1);
  return one as NonNullable<typeof one>;
}

const revisions = databases.filter(({ name }) =>
  ["documented/tables", "core-0.10/tables", "core-0.11/tables", "core-0.11/every-kind-tables"].includes(name),
);

describe.each(revisions)("$name", ({ name, schema }) => {
  const rows = samples(fixtureRows(name));

  it("a row that one side lacks", async () => {
    for (const row of rows) {
      const may = [...OWN, ...PARTIAL].includes(row.kind as string) || isTombstone(row);
      for (const [a, b, difference] of [
        [[row], [], "only in a"],
        [[], [row], "only in b"],
      ] as const) {
        const found = await onlyDifference(schema, a, b);
        const { column, kind, key, parts } = row;
        expect(found).toMatchObject({ difference, column, kind, key, parts });
        expect(found).not.toHaveProperty("fields");
        expect(found.benign !== undefined, `${kind} ${difference}`).toBe(may);
      }
    }
  });

  it("every field of a row that both have", async () => {
    let planted = 0;
    for (const row of rows) {
      const kind = row.kind as string;
      const isDeleted = isTombstone(row);
      const known = schema.row(kind);
      for (const { path, json } of variants(row.decoded as Json)) {
        const value = encoded(known, json);
        if (value === undefined || value === row.value) continue;
        const found = await onlyDifference(schema, [row], [{ ...row, value }]);
        expect(found).toMatchObject({ difference: "different", kind, key: row.key });
        const paths = found.fields?.map(({ path }) => path) ?? [];
        expect(paths.length, `${kind} ${path}`).toBeGreaterThan(0);
        // A redacted field is reported whole; so are an index row that is one no longer, and a payload in another form.
        if (paths.length === 1)
          expect(path.startsWith(paths[0] as string), `${kind} ${path}: ${paths}`).toBe(true);
        const told = paths.every(
          (path) => (path !== "" && NOTED[kind]?.test(path)) || (isDeleted && NOTED_OF_DELETED.test(path)),
        );
        expect(found.benign !== undefined, `${kind} ${path}`).toBe(OWN.includes(kind) || told);
        planted++;
      }
    }
    expect(planted).toBeGreaterThan(100);
  });

  it("bytes that do not decode are compared, and never expected", async () => {
    for (const row of rows) {
      if (row.value === "" || schema.row(row.kind as string).value.size.min === 0) continue;
      const found = await onlyDifference(schema, [row], [{ ...row, value: `${row.value}00` }]);
      expect(found.fields, row.kind as string).toMatchObject([{ path: "" }]);
      expect(found.benign, row.kind as string).toBeUndefined();
    }
  });

  it("secrets are compared and not shown", async () => {
    let secrets = 0;
    for (const row of rows) {
      const known = schema.row(row.kind as string);
      if (!known.secret(known.key.fromBytes(fromHex(row.key)))) continue;
      for (const { path, json } of variants(row.decoded as Json)) {
        const value = encoded(known, json);
        if (value === undefined || value === row.value) continue;
        const found = await onlyDifference(schema, [row], [{ ...row, value }]);
        const [field] = found.fields ?? [];
        if (field?.a !== "redacted") continue;
        expect(field, `${row.kind} ${path}`).toEqual({ path: field.path, a: "redacted", b: "redacted" });
        secrets++;
      }
    }
    expect(secrets).toBeGreaterThan(4);
  });
});

describe("rows that no schema knows", () => {
  const { schema } = revisions[0] as (typeof revisions)[number];
  const row = (column: string, value: string) => ({
    column,
    kind: null,
    key: "736368656d61",
    parts: null,
    value,
  });

  it.each(["Meta", "Mystery"])("in %s differ by their bytes, which are not shown", async (column) => {
    const found = await onlyDifference(schema, [row(column, "aabbcc")], [row(column, "aabbdd")]);
    const fields = [{ path: "", a: "redacted", b: "redacted" }];
    expect(found).toEqual({
      difference: "different",
      column,
      kind: null,
      key: "736368656d61",
      parts: null,
      fields,
    });
    const only = await onlyDifference(schema, [], [row(column, "aabbdd")]);
    expect(only).toEqual({ difference: "only in b", column, kind: null, key: "736368656d61", parts: null });
  });
});

it("a key of a map is compared as text, whatever its name", async () => {
  const side = (data: readonly (readonly [string, string])[]) => {
    const value = MetadataRecord.encode({
      name: null,
      data: new Map(data),
      updatedAt: 1n,
      updatedBy: new Uint8Array(32),
    });
    return rowsIn(core011, [{ column: "Group", key: `2e${"11".repeat(32)}`, value: toHex(value) }]);
  };
  const names = ["__proto__", "constructor", "toString"];
  const { found } = await differences(await side(names.map((name) => [name, "x"])), await side([]));
  expect(found).toHaveLength(1);
  expect(found[0]?.fields).toEqual(names.map((name) => ({ path: `data.${name}`, a: "x" })));
});

it("fields beyond the first 50 are counted", async () => {
  const row = fixtureRows("core-0.11/tables").find(
    ({ kind }) => kind === "GroupLocalGovNonceWindow",
  ) as FixtureRow;
  const { value: codec } = core011.row(row.kind as string);
  const window = (first: number) => {
    const above = Array.from({ length: 60 }, (_, at) => `${first + 3 * at}`);
    return { ...row, value: toHex(codec.encode(codec.fromJson({ floor: "1", above }) as never)) };
  };
  const { fields, moreFields } = await onlyDifference(core011, [window(10)], [window(11)]);
  expect([fields?.length, moreFields]).toEqual([50, 10]);
});
