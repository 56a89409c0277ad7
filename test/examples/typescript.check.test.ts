/** Every example of TypeScript in README and in docstrings compiles against the built package, and runs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { docstringExamples, documentBlocks, type Example, root } from "./examples.js";
import { toModule } from "./given.js";
import { copyOf, makeTemplate } from "./place.js";

const examples = [...documentBlocks("ts"), ...docstringExamples()].map((example, index) => ({
  ...example,
  file: `example-${index}`,
}));

/** The entry point of each name that the packages export. */
async function exportedNames(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const folder of [root, join(root, "packages/ledger")]) {
    const { name, exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      name: string;
      exports: Readonly<Record<string, string | { readonly default: string }>>;
    };
    for (const [path, target] of Object.entries(exports)) {
      if (typeof target === "string" || path.startsWith("./internal")) continue;
      const module = (await import(join(folder, target.default))) as object;
      for (const exported of Object.keys(module))
        if (!found.has(exported)) found.set(exported, `${name}${path.slice(1)}`);
    }
  }
  return found;
}

/** The options of a strict program for Node and for a page. */
const options: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2024.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  types: ["node"],
  declaration: true,
  skipLibCheck: true,
};

/** The options of a program that a bundler resolves. */
const bundled: ts.CompilerOptions = {
  ...options,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  noEmit: false,
};

let template = "";
const problems = new Map<string, string[]>();

beforeAll(async () => {
  template = await makeTemplate();
  const exported = await exportedNames();
  const files = examples.map(({ text, file }) => {
    const path = join(template, `${file}.ts`);
    writeFileSync(path, toModule(text, exported));
    return path;
  });
  // The last program is the one that runs.
  for (const program of [ts.createProgram(files, bundled), ts.createProgram(files, options)])
    for (const { file, messageText } of [
      ...ts.getPreEmitDiagnostics(program),
      ...program.emit().diagnostics,
    ]) {
      const name = basename(file?.fileName ?? "", ".ts");
      problems.set(name, [...(problems.get(name) ?? []), ts.flattenDiagnosticMessageText(messageText, "\n")]);
    }
}, 600_000);
afterAll(() => rmSync(template, { recursive: true, force: true }));

async function run(file: string): Promise<{ readonly status: number | null; readonly stderr: string }> {
  using copy = copyOf(template);
  const child = spawn(process.execPath, [`${file}.js`], {
    cwd: copy.path,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 170_000,
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [status] = (await once(child, "close")) as [number | null];
  return { status, stderr };
}

/** Examples that need a page, or a server. */
const needsMore = ({ text }: Example) => /\bdocument\.|\bnavigator\.|"postgres:/.test(text);

describe.concurrent("examples", () => {
  it.each(examples)("$name", async (example) => {
    expect(problems.get(example.file) ?? []).toEqual([]);
    if (!needsMore(example)) expect(await run(example.file)).toEqual({ status: 0, stderr: "" });
  });
});
