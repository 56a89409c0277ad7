/** The TypeScript in CONTRIBUTING.md compiles in the places that it names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { root } from "./examples.js";

/** The blocks in their order, without the indent that they have in lists. */
const blocks = [
  ...readFileSync(join(root, "CONTRIBUTING.md"), "utf8").matchAll(/^( *)```ts\n(.*?)^\1```$/gms),
].map(([, indent, text]) => (text as string).replaceAll(new RegExp(`^${indent}`, "gm"), ""));

const [keyClass, value, row, command, reference, ...others] = blocks;

/** The blocks as modules: with the imports of their places, and within the code that surrounds them. */
const modules: Readonly<Record<string, string>> = {
  row: `
import { type Decoded, str, struct, u64 } from "../../src/codec/index.js";
import { Column } from "../../src/columns/index.js";
import { keyParts } from "../../src/keys/index.js";
import { groupId } from "../../src/keys/parts.js";
import { row } from "../../src/schemas/index.js";
${keyClass}${value}
const key = { GroupNote };
const value = { GroupNoteValue };
export const rows = [${row}];`,
  command: `
import { command } from "../../src/cli/arguments/command.js";
import { openDatabase } from "../../src/cli/database/database.js";
import { wholeNumber } from "../../src/cli/arguments/option-kinds.js";
import { reading } from "../../src/cli/arguments/options.js";
${command}`,
  rule: `
import { ApplicationMeta, ContextMeta } from "../../src/keys/index.js";
import { refer } from "../../src/verify/reference.js";
import { referenceRule } from "../../src/verify/reference-check.js";
import { until011 } from "../../src/verify/since.js";
${reference}`,
};

it("compiles", () => {
  expect([blocks.length, others]).toEqual([5, []]);
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const texts = new Map(
    Object.entries(modules).map(([name, text]) => [
      join(root, `test/examples/contributing-${name}.ts`),
      text,
    ]),
  );
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.getSourceFile = (path, language, ...more) => {
    const text = texts.get(path);
    return text === undefined
      ? getSourceFile(path, language, ...more)
      : ts.createSourceFile(path, text, language);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  const problems = [...texts.keys()].flatMap((path) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  });
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
});
