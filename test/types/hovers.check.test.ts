/** The types that editors show for expressions of a user's program, and that a library of the user can be declared. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/fixtures.js";

const root = join(import.meta.dirname, "../..");
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const program = `
import { openStore, countRows, revisionOf, detectRevision, keyParts, id32, u64be, defineSchema, row } from "merostore";
import * as one from "merostore/core-1.0";
import { core011, ContextDagDelta, GroupMember, GroupMeta, GroupMetaValue, GroupOpLog, schema } from "merostore/core-0.11";
import { option, str, struct, u64, vec, b32, enumOf, map, tuple, type Decoded } from "merostore/codec";
import { openNode } from "merostore/node";
import { openFilesEngine } from "merostore/engine";
import { memoryStore } from "merostore/testing";
import { stateOf } from "merostore/state";
import { verifyStore } from "merostore/verify";
import { diffDatabases, rowsOfStore } from "merostore/diff";
import { exportStore } from "merostore/transfer";

const id = new Uint8Array(32);
export const store = await openStore("node/data", { schema: core011 });
export const detected = await openStore("node/data");
export const snapshot = await store.snapshot();
export const overlay = store.overlay();
export const batch = store.batch();
export const member = await store.get(new GroupMember({ groupId: id, account: id }));
export const table = store.table(GroupMember);
export const tableOfKind = store.table("GroupMember");
export const sameMember = await table.get({ groupId: id, account: id });
export const anyMember = await detected.table("GroupMember").get({ groupId: id, identity: id });
export const meta = GroupMetaValue.decode(id);
export const key = GroupMember.fromBytes(id);
export const account = key.account;
export const sequence = GroupOpLog.fromBytes(id).sequence;
export const range = GroupOpLog.range({ groupId: id });
export const scan = table.scan();
export const keys = table.scan().keys();
export const array = await table.scan({ limit: 3 }).keys().toArray();
export const count = await table.count();
export const has = await table.has({ groupId: id, account: id });
export const many = await store.getMany([GroupOpLog.fromBytes(id), new GroupMember({ groupId: id, account: id })]);
export const bytes = (await store.table(GroupOpLog).first())?.bytes;
export const lastKey = (await store.table(GroupOpLog).last())?.key;
export const actions = (await store.table(ContextDagDelta).first())?.value?.actions;
export const raw = store.raw;
export const revision = schema;
export const kind = GroupMember.KIND;
export const watched = store.watch();
export const counted = await countRows(detected);
export const found = revisionOf("core-0.11");
export const note = struct("Note", { text: str, at: u64, title: option(str) });
export const shape = enumOf("Shape", { Circle: { radius: u64 }, Point: {} });
export const pairs = vec(tuple(b32, str));
export const counts = map(str, u64);
class Note extends keyParts("Note", "Notes", 1, id32("groupId"), u64be("number")) {}
export const own = defineSchema("notes", [row(Note, note)]);
export const memory = memoryStore(own);
export const ownValue = await memory.get(new Note({ groupId: id, number: 1n }));
export const node = await openNode("node/data");
export const members = await node.members("office");
export const engine = await openFilesEngine("node/data");
export const state = await stateOf(store, id);
export const verification = verifyStore(store);
export const differences = diffDatabases(rowsOfStore(store), rowsOfStore(store));
export const lines = exportStore(store);
export const delta = await (await openStore("x", { schema: one.schema })).table(one.ContextDagDelta).first();
export type Member = one.GroupMemberValue;
export type Meta = one.GroupMetaValue;
export type Config = one.ContextConfigValue;
export type Head = one.GroupOpHeadValue;
export type NamespaceEntry = one.StoredNamespaceEntry;
export type Own = Decoded<typeof note>;
export type Shape = Decoded<typeof shape>;
`;

/** The text that an editor shows for each name that the program exports; for a type, its definition. */
const hovers: Readonly<Record<string, string>> = {
  store: "Store<Core011>",
  detected: "Store<KnownSchema>",
  snapshot: "Snapshot<Core011>",
  overlay: "Overlay<Core011>",
  batch: "Batch<Core011>",
  member:
    '{ readonly privateKey: Uint8Array | null; readonly senderKey: Uint8Array | null; readonly autoFollow: { readonly contexts: boolean; readonly subgroups: boolean; }; readonly role: "Admin" | "Member" | "ReadOnly" | "ReadOnlyTee"; } | undefined',
  table:
    'Table<Row<typeof GroupMember, { readonly privateKey: Uint8Array | null; readonly senderKey: Uint8Array | null; readonly autoFollow: { readonly contexts: boolean; readonly subgroups: boolean; }; readonly role: "Admin" | "Member" | "ReadOnly" | "ReadOnlyTee"; }>>',
  tableOfKind:
    'Table<Row<typeof GroupMember, { readonly privateKey: Uint8Array | null; readonly senderKey: Uint8Array | null; readonly autoFollow: { readonly contexts: boolean; readonly subgroups: boolean; }; readonly role: "Admin" | "Member" | "ReadOnly" | "ReadOnlyTee"; }>>',
  sameMember:
    '{ readonly privateKey: Uint8Array | null; readonly senderKey: Uint8Array | null; readonly autoFollow: { readonly contexts: boolean; readonly subgroups: boolean; }; readonly role: "Admin" | "Member" | "ReadOnly" | "ReadOnlyTee"; } | undefined',
  meta: "GroupMetaValue",
  key: "GroupMember",
  account: "Id",
  sequence: "bigint",
  range: "KeyRange<typeof GroupOpLog>",
  scan: 'TableScan<Entry<GroupMember, { readonly privateKey: Uint8Array | null; readonly senderKey: Uint8Array | null; readonly autoFollow: { readonly contexts: boolean; readonly subgroups: boolean; }; readonly role: "Admin" | "Member" | "ReadOnly" | "ReadOnlyTee"; }>>',
  keys: "Scan<GroupMember>",
  array: "GroupMember[]",
  count: "number",
  has: "boolean",
  many: '[Payload<SignedGroupOp011> | undefined, { readonly privateKey: Uint8Array | null; readonly senderKey: Uint8Array | null; readonly autoFollow: { readonly contexts: boolean; readonly subgroups: boolean; }; readonly role: "Admin" | "Member" | "ReadOnly" | "ReadOnlyTee"; } | undefined]',
  bytes: "Uint8Array | undefined",
  lastKey: "GroupOpLog | undefined",
  actions: "Payload<readonly Action011[]> | undefined",
  raw: "Engine",
  revision: "Core011",
  kind: '"GroupMember"',
  watched: "Changes<Change<Core011>>",
  counted: "AsyncGenerator<ColumnCount, void, undefined>",
  found: "KnownSchema",
  note: "Codec<{ readonly text: string; readonly at: bigint; readonly title: string | null; }>",
  shape: 'Codec<{ readonly kind: "Circle"; readonly radius: bigint; } | { readonly kind: "Point"; }>',
  pairs: "Codec<readonly (readonly [Uint8Array, string])[]>",
  counts: "Codec<ReadonlyMap<string, bigint>>",
  own: "Schema<Row<typeof Note, { readonly text: string; readonly at: bigint; readonly title: string | null; }>>",
  memory:
    "Store<Schema<Row<typeof Note, { readonly text: string; readonly at: bigint; readonly title: string | null; }>>>",
  ownValue: "{ readonly text: string; readonly at: bigint; readonly title: string | null; } | undefined",
  node: "OpenNode",
  members: "readonly Member[]",
  engine: "FilesEngine",
  state: "State",
  verification: "Verification",
  differences: "Promise<Differences>",
  lines: "AsyncGenerator<Uint8Array, ExportSummary, undefined>",
  delta: "Entry<ContextDagDelta, DeltaRow> | undefined",
  Member:
    '{ readonly privateKey: Uint8Array | null; readonly senderKey: Uint8Array | null; readonly autoFollow: { readonly contexts: boolean; readonly subgroups: boolean; }; readonly role: "Admin" | "Member" | "ReadOnly" | "ReadOnlyTee" | "RelayTee"; }',
  Meta: "{ readonly appKey: Uint8Array; readonly targetApplicationId: Uint8Array; readonly createdAt: bigint; readonly adminIdentity: Uint8Array; readonly ownerIdentity: Uint8Array; readonly migration: Uint8Array | null; readonly autoJoin: boolean; }",
  Config: "{ readonly applicationRevision: bigint; readonly membersRevision: bigint; }",
  Head: "{ readonly sequence: bigint; readonly dagHeads: readonly Uint8Array[]; }",
  NamespaceEntry:
    '{ readonly kind: "Opaque"; readonly value: { readonly deltaId: Uint8Array; readonly parentOpHashes: readonly Uint8Array[]; readonly groupId: Uint8Array; readonly signer: Uint8Array; }; } | { readonly kind: "Signed"; readonly value: SignedNamespaceOp; }',
  Own: "{ readonly text: string; readonly at: bigint; readonly title: string | null; }",
  Shape: '{ readonly kind: "Circle"; readonly radius: bigint; } | { readonly kind: "Point"; }',
};

const options: ts.CompilerOptions = {
  strict: true,
  declaration: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2024.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts"],
  types: [],
  skipLibCheck: true,
  noErrorTruncation: true,
};

const resolutions = [
  ["nodenext", { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }],
  ["bundler", { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }],
] as const;

beforeAll(() => {
  mkdirSync(join(folder.path, "node_modules"));
  symlinkSync(root, join(folder.path, "node_modules/merostore"));
  writeFileSync(join(folder.path, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder.path, "program.ts"), program);
});

describe.each(resolutions)("a program resolved as %s", (_, resolution) => {
  it("compiles strictly, with declarations", () => {
    const compiled = ts.createProgram([join(folder.path, "program.ts")], { ...options, ...resolution });
    const problems = [...ts.getPreEmitDiagnostics(compiled), ...compiled.emit().diagnostics];
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
    expect(readdirSync(folder.path)).toContain("program.d.ts");
  });
});

it("editors show readable types", () => {
  const file = join(folder.path, "program.ts");
  const compiled = ts.createProgram([file], options);
  const checker = compiled.getTypeChecker();
  const symbol = checker.getSymbolAtLocation(compiled.getSourceFile(file) as ts.SourceFile);
  const shown = Object.fromEntries(
    checker.getExportsOfModule(symbol as ts.Symbol).map((one) => {
      const isType = (one.flags & ts.SymbolFlags.TypeAlias) !== 0;
      const type = isType ? checker.getDeclaredTypeOfSymbol(one) : checker.getTypeOfSymbol(one);
      const flags = ts.TypeFormatFlags.NoTruncation | (isType ? ts.TypeFormatFlags.InTypeAlias : 0);
      const text = checker.typeToString(type, undefined, flags);
      // The compiler shows the members of a union in the order in which it met them.
      const sorted = text.replaceAll(/"\w+"(?: \| "\w+")+/g, (union) =>
        union.split(" | ").sort().join(" | "),
      );
      return [one.name, sorted.replaceAll("<ArrayBufferLike>", "")];
    }),
  );
  const { anyMember, ...others } = shown;
  expect(others).toEqual(hovers);
  expect(anyMember).toMatch(/"Admin"/);
  expect(Object.values(shown).filter((text) => text.includes("Codec<bigint>"))).toEqual([]);
});
