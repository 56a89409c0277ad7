/** Programs that must not compile, and the compiler's messages. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, expect, it } from "vitest";
import { temporaryFolder } from "../support/fixtures.js";

const root = join(import.meta.dirname, "../..");
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

/** The lines before each program. */
const head = `import { openStore, keyParts, id32, u64be, defineSchema, row, type Store } from "merostore";
import { core011, ContextMeta, GroupMember, GroupOpLog, type Core011, GroupDefaultCaps } from "merostore/core-0.11";
import * as old from "merostore/core-0.10";
import { str, struct, u64, vec, enumOf } from "merostore/codec";
import { memoryStore } from "merostore/testing";
declare const store: Store<Core011>;
declare const id: Uint8Array;
class Note extends keyParts("Note", "Notes", 1, id32("groupId"), u64be("number")) {}
const NoteValue = struct("NoteValue", { text: str, at: u64 });
`;

/** A program, and the first line of its message or the line that names the fault. */
const programs: readonly (readonly [program: string, message: string])[] = [
  [
    'store.table("GroupMembers");',
    `Argument of type '"GroupMembers"' is not assignable to parameter of type '"did you mean GroupMember?"'.`,
  ],
  [
    'store.table("contextmeta");',
    `Argument of type '"contextmeta"' is not assignable to parameter of type '"did you mean ContextMeta?"'.`,
  ],
  [
    'store.table("GroupMetta");',
    `Argument of type '"GroupMetta"' is not assignable to parameter of type '"did you mean GroupMeta?" | "did you mean GroupMetadata?"'.`,
  ],
  [
    'store.table("Nothing");',
    `Argument of type '"Nothing"' is not assignable to parameter of type '"no kind of row is called Nothing"'.`,
  ],
  [
    "store.table(old.GroupMember);",
    `Argument of type 'typeof GroupMember010' is not assignable to parameter of type '"GroupMember is of core-0.10, and not of this store"'.`,
  ],
  [
    "store.table(Note);",
    `Argument of type 'typeof Note' is not assignable to parameter of type '"Note is of another schema, and not of this store"'.`,
  ],
  [
    "store.get(new old.GroupMember({ groupId: id, identity: id }));",
    "Argument of type 'GroupMember010' is not assignable to parameter of type 'ContextMeta | ContextConfig | ContextIdentity | ContextState011 | ContextPrivateState011 | ... 56 more ... | ScopeUnifiedOp'.",
  ],
  [
    "store.get(new Note({ groupId: id, number: 1n }));",
    "Argument of type 'Note' is not assignable to parameter of type 'ContextMeta | ContextConfig | ContextIdentity | ContextState011 | ContextPrivateState011 | ... 56 more ... | ScopeUnifiedOp'.",
  ],
  [
    "store.get(id);",
    "Argument of type 'Uint8Array' is not assignable to parameter of type 'ContextMeta | ContextConfig | ContextIdentity | ContextState011 | ContextPrivateState011 | ... 56 more ... | ScopeUnifiedOp'.",
  ],
  [
    "new GroupMember({ groupId: id });",
    "Argument of type '{ groupId: Uint8Array; }' is not assignable to parameter of type '{ readonly groupId: IdLike; readonly account: IdLike; }'.",
  ],
  [
    "new GroupMember({ groupId: id, identity: id });",
    "Object literal may only specify known properties, and 'identity' does not exist in type '{ readonly groupId: IdLike; readonly account: IdLike; }'.",
  ],
  [
    "new GroupMember({ groupId: id, account: id, role: 1 });",
    "Object literal may only specify known properties, and 'role' does not exist in type '{ readonly groupId: IdLike; readonly account: IdLike; }'.",
  ],
  ["new GroupOpLog({ groupId: id, sequence: 1 });", "Type 'number' is not assignable to type 'bigint'."],
  ["new GroupMember({ groupId: 7, account: id });", "Type 'number' is not assignable to type 'IdLike'."],
  [
    "GroupMember.range({ account: id });",
    "Argument of type '{ account: Uint8Array; }' is not assignable to parameter of type 'Leading<readonly [Part<\"groupId\", Id, PartValues>, Part<\"account\", Id, PartValues>], []>'.",
  ],
  [
    "GroupMember.range({ contextId: id });",
    "Object literal may only specify known properties, and 'contextId' does not exist in type 'Leading<readonly [Part<\"groupId\", Id, PartValues>, Part<\"account\", Id, PartValues>], []>'.",
  ],
  [
    "store.table(GroupMember).get({ groupId: id });",
    "Argument of type '{ groupId: Uint8Array; }' is not assignable to parameter of type 'KeyOrParts<typeof GroupMember>'.",
  ],
  [
    "store.table(GroupMember).get(id);",
    "Argument of type 'Uint8Array' is not assignable to parameter of type 'KeyOrParts<typeof GroupMember>'.",
  ],
  [
    "store.table(GroupMember).scan({ from: id });",
    "Object literal may only specify known properties, and 'from' does not exist in type 'TableScanOptions<typeof GroupMember>'.",
  ],
  [
    "store.table(GroupMember).scan({ prefix: { account: id } });",
    "Type '{ account: Uint8Array; }' is not assignable to type 'Leading<readonly [Part<\"groupId\", Id, PartValues>, Part<\"account\", Id, PartValues>], []> | undefined'.",
  ],
  ['store.table(GroupMember).scan({ limit: "3" });', "Type 'string' is not assignable to type 'number'."],
  [
    "store.table(GroupMember).scan({ revers: true });",
    "Object literal may only specify known properties, but 'revers' does not exist in type 'TableScanOptions<typeof GroupMember>'. Did you mean to write 'reverse'?",
  ],
  [
    'store.table(GroupMember).put({ groupId: id, account: id }, { role: "Admin" });',
    'Argument of type \'{ role: "Admin"; }\' is not assignable to parameter of type \'{ readonly privateKey: Uint8Array | null; readonly senderKey: Uint8Array | null; readonly autoFollow: { ...; }; readonly role: "Member" | ... 2 more ... | "ReadOnlyTee"; }\'.',
  ],
  [
    "store.put(new GroupDefaultCaps({ groupId: id }), { capabilities: 3n });",
    "Type 'bigint' is not assignable to type 'number'.",
  ],
  [
    "store.put(new GroupDefaultCaps({ groupId: id }), { capabilities: 3, more: 1 });",
    "Object literal may only specify known properties, and 'more' does not exist in type '{ readonly capabilities: number; }'.",
  ],
  [
    'store.put(new GroupMember({ groupId: id, account: id }), "Admin");',
    "Argument of type 'string' is not assignable to parameter of type '{ readonly privateKey: Uint8Array | null; readonly senderKey: Uint8Array | null; readonly autoFollow: { ...; }; readonly role: \"Member\" | ... 2 more ... | \"ReadOnlyTee\"; }'.",
  ],
  ["(await store.table(GroupMember).first())?.value.role;", "Object is possibly 'undefined'."],
  [
    "(await store.get(new GroupMember({ groupId: id, account: id })))?.rol;",
    "Property 'rol' does not exist on type '{ readonly privateKey: Uint8Array | null; readonly senderKey: Uint8Array | null; readonly autoFollow: { ...; }; readonly role: \"Member\" | ... 2 more ... | \"ReadOnlyTee\"; }'. Did you mean 'role'?",
  ],
  [
    "for await (const key of store.table(GroupMember).scan().keys()) key.value;",
    "Property 'value' does not exist on type 'GroupMember'.",
  ],
  [
    "new GroupMember({ groupId: id, account: id }).groupId = id;",
    "Cannot assign to 'groupId' because it is a read-only property.",
  ],
  [
    'openStore("db", { writeable: true });',
    "Object literal may only specify known properties, but 'writeable' does not exist in type 'OpenOptions & { readonly create?: false | undefined; readonly schema?: undefined; }'. Did you mean to write 'writable'?",
  ],
  ['openStore("db", { schema: "core-0.11" });', "No overload matches this call."],
  ["openStore(7);", "Argument of type 'number' is not assignable to parameter of type 'PathOrUrl | Engine'."],
  [
    'defineSchema("notes", [row(Note, { text: str })]);',
    "Object literal may only specify known properties, and 'text' does not exist in type 'Codec<unknown>'.",
  ],
  [
    'struct("A", { text: String });',
    "Type 'StringConstructor' is missing the following properties from type 'Codec<unknown>': type, signature, size, inner, and 17 more.",
  ],
  [
    'NoteValue.encode({ text: "a" });',
    "Argument of type '{ text: string; }' is not assignable to parameter of type '{ readonly text: string; readonly at: bigint; }'.",
  ],
  ['NoteValue.encode({ text: "a", at: 1 });', "Type 'number' is not assignable to type 'bigint'."],
  [
    'enumOf("A", { B: u64 });',
    "Type 'Codec<bigint>' is not assignable to type 'Readonly<Record<string, Codec<unknown>>>'.",
  ],
  [
    'memoryStore("core-0.11");',
    "Argument of type 'string' is not assignable to parameter of type 'Schema<AnyRow>'.",
  ],
  [
    'store.watch({ kinds: ["GroupMembers"] });',
    'Type \'"GroupMembers"\' is not assignable to type \'"ContextMeta" | "ContextConfig" | "ContextIdentity" | "ContextState" | "ContextPrivateState" | "ContextDagDelta" | "BlobMeta" | "ApplicationMeta" | "Alias" | "Generic" | "GroupMeta" | ... 50 more ... | "ScopeUnifiedOp"\'. Did you mean \'"GroupMember"\'?',
  ],
  [
    "store.batch().put(new ContextMeta({ contextId: id }), 3);",
    "Argument of type 'number' is not assignable to parameter of type '{ readonly application: Uint8Array; readonly rootHash: Uint8Array; readonly dagHeads: readonly Uint8Array[]; readonly serviceName: string | null; }'.",
  ],
  [
    'keyParts("Page", "Pages", 2, id32("bytes"));',
    `Type 'Part<"bytes", Id, unknown>' is not assignable to type '"no part can be named bytes: every key has a property of that name"'.`,
  ],
  ["store.snapshot().then((one) => one.put);", "Property 'put' does not exist on type 'Snapshot<Core011>'."],
];

const options: ts.CompilerOptions = {
  strict: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2024.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts"],
  types: [],
  skipLibCheck: true,
};

it("each wrong program is refused in words that name the mistake", () => {
  mkdirSync(join(folder.path, "node_modules"));
  symlinkSync(root, join(folder.path, "node_modules/merostore"));
  writeFileSync(join(folder.path, "package.json"), '{ "type": "module" }');
  const file = join(folder.path, "wrong.ts");
  writeFileSync(file, `${head}${programs.map(([program]) => program).join("\n")}\n`);
  const first = head.split("\n").length - 1;
  const messages = new Map<number, string>();
  for (const found of ts.getPreEmitDiagnostics(ts.createProgram([file], options))) {
    const line = found.file?.getLineAndCharacterOfPosition(found.start ?? 0).line ?? 0;
    if (messages.has(line - first)) continue;
    const lines = ts.flattenDiagnosticMessageText(found.messageText, "\n").split("\n");
    const meant =
      lines.findLast((one) =>
        /did you mean|no kind of row|not of this store|no part can be named/i.test(one),
      ) ?? (lines[0] as string);
    messages.set(line - first, meant.trim().replaceAll("<ArrayBufferLike>", ""));
  }
  expect(programs.map(([program], at) => [program, messages.get(at)])).toEqual(programs);
  expect(messages.size).toBe(programs.length);
});
