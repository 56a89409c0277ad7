/** Docstrings as users meet them: in editors, in the package's declarations, and in the pages of TypeDoc. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../support/fixtures.js";

const root = join(import.meta.dirname, "../..");
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

/** A program of a user. The text is shown for each name with a mark behind it. */
const program = `
import { Column, openStore } from "merostore";
import { core011, ContextDagDelta, GroupMember, GroupMetaValue, GroupOpLog } from "merostore/core-0.11";

const id = new Uint8Array(32);
const store = await openStore("node/data", { schema: core011 });
const key = GroupMember.fromBytes(id);
key.account/*part*/;
new GroupOpLog({ groupId: id, sequence/*argument*/: 1n });
GroupMetaValue.decode(id).appKey/*decoded*/;
const member = await store.get(key);
member?.autoFollow/*value*/;
member?.autoFollow.contexts/*nested*/;
const delta = (await store.table(ContextDagDelta).first())?.value;
for (const action of delta?.actions.value ?? []) {
  action.id/*listed*/;
}
Column.Delta/*column*/;
`;

/** The text that editors show beside the type of each marked name. */
const documentation: Readonly<Record<string, string | RegExp>> = {
  part: "The member's account: a hash, 32 bytes. Takes the place of the public key in core-0.11.",
  argument: "Position in the log or queue, from 1; 8 bytes big-endian.",
  decoded: /app key|blob id/i,
  value: /\w/,
  nested: /\w/,
  listed: /The entity's id, 32 bytes\./,
  column: "Causal deltas of each context.",
};

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2024.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts"],
  types: ["node"],
};

beforeAll(() => {
  mkdirSync(join(folder.path, "node_modules"));
  symlinkSync(root, join(folder.path, "node_modules/merostore"));
  symlinkSync(join(root, "node_modules/@types"), join(folder.path, "node_modules/@types"));
  writeFileSync(join(folder.path, "package.json"), '{ "type": "module" }');
});

it("editors show the comments of fields, of parts of keys and of column families", () => {
  const file = join(folder.path, "program.ts");
  writeFileSync(file, program);
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) =>
      ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(readFileSync(name, "utf8")) : undefined,
    getCurrentDirectory: () => folder.path,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    realpath: ts.sys.realpath,
  } as ts.LanguageServiceHost);
  const shown = Object.fromEntries(
    Object.keys(documentation).map((mark) => {
      const info = service.getQuickInfoAtPosition(file, program.indexOf(`/*${mark}*/`) - 1);
      return [mark, ts.displayPartsToString(info?.documentation)];
    }),
  );
  const expected = Object.entries(documentation).map(([mark, text]) => [
    mark,
    typeof text === "string" ? text : expect.stringMatching(text),
  ]);
  // `npm run build` puts the comments into dist; tsc alone leaves them out.
  expect(shown).toEqual(Object.fromEntries(expected));
});

it("the declarations of all entry points compile by themselves", () => {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const modules = Object.keys(exports).filter((name) => name !== "./package.json");
  const file = join(folder.path, "modules.ts");
  const lines = modules.map((name, index) => `export * as m${index} from "merostore${name.slice(1)}";`);
  writeFileSync(file, lines.join("\n"));
  const problems = ts.getPreEmitDiagnostics(ts.createProgram([file], options));
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
});

it("TypeDoc has no warnings", () => {
  const typedoc = join(root, "node_modules/typedoc/bin/typedoc");
  // Another test has the compiler's errors.
  const words = [typedoc, "--emit", "none", "--treatWarningsAsErrors", "--skipErrorChecking"];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
  expect([status, stdout + stderr]).toEqual([0, ""]);
});
