/** The types that editors show for expressions of a user's program, and a library of theirs that can be declared. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/fixtures.js";

const root = join(import.meta.dirname, "../..");
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const program = `
import { openStore } from "merostore";
import { core011, GroupMember, GroupMetaValue, GroupOpLog, schema } from "merostore/core-0.11";

const id = new Uint8Array(32);
export const store = await openStore("node/data", { schema: core011 });
export const detected = await openStore("node/data");
export const snapshot = await store.snapshot();
export const member = await store.get(new GroupMember({ groupId: id, account: id }));
export const table = store.table(GroupMember);
export const tableOfKind = store.table("GroupMember");
export const sameMember = await table.get({ groupId: id, account: id });
export const anyMember = await detected.table("GroupMember").get({ groupId: id, identity: id });
export const meta = GroupMetaValue.decode(id);
export const key = GroupMember.fromBytes(id);
export const range = GroupOpLog.range({ groupId: id });
export const keys = table.scan().keys();
export const bytes = (await store.table(GroupOpLog).first())?.bytes;
export const revision = schema;
`;

/** The text that an editor shows for each name that the program exports. */
const hovers: Readonly<Record<string, string>> = {
  store: "Store<Core011>",
  detected: "Store<KnownSchema>",
  snapshot: "Snapshot<Core011>",
  member:
    '{ readonly privateKey: Uint8Array | null; readonly senderKey: Uint8Array | null; readonly autoFollow: { readonly contexts: boolean; readonly subgroups: boolean; }; readonly role: "Admin" | "Member" | "ReadOnly" | "ReadOnlyTee"; } | undefined',
  meta: "{ readonly appKey: Uint8Array; readonly targetApplicationId: Uint8Array; readonly createdAt: bigint; readonly adminIdentity: Uint8Array; readonly ownerIdentity: Uint8Array; readonly migration: Uint8Array | null; readonly autoJoin: boolean; }",
  key: "GroupMember",
  range: "KeyRange<typeof GroupOpLog>",
  keys: "Scan<GroupMember>",
  bytes: "Uint8Array | undefined",
  revision: "Core011",
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
      const type = checker.getTypeOfSymbol(one);
      const text = checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
      // The compiler shows a union in the order in which it met its types.
      const sorted = text.replaceAll(/"\w+"(?: \| "\w+")+/g, (union) =>
        union.split(" | ").sort().join(" | "),
      );
      return [one.name, sorted.replaceAll("<ArrayBufferLike>", "")];
    }),
  );
  expect(shown).toMatchObject(hovers);
  expect(shown.sameMember).toBe(shown.member);
  expect(shown.table).toMatch(/^Table<Row<typeof GroupMember, /);
  expect(shown.tableOfKind).toBe(shown.table);
  expect(shown.anyMember).toMatch(/"Admin"/);
});
