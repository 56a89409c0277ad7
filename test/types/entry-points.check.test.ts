/** The entry points of the package: their number, and that a name means one thing in all of them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};

/** The source of each entry point for programs, by its name. */
const sources = Object.entries(exports).flatMap(([name, target]) =>
  typeof target === "string" || name === "./internal"
    ? []
    : [{ name, file: join(root, target.types.replace("./dist/", "src/").replace(/\.d\.ts$/, ".ts")) }],
);

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config,
  ts.sys,
  root,
);
const shared = join(root, "src/internal.ts");
const program = ts.createProgram([...sources.map(({ file }) => file), shared], options);
const checker = program.getTypeChecker();

/** The names that an entry point exports, types included, each with its declaration. */
function namesOf(file: string): readonly (readonly [name: string, declared: ts.Symbol])[] {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file) as ts.SourceFile) as ts.Symbol;
  return checker
    .getExportsOfModule(module)
    .map((one) => [one.name, one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one]);
}

describe("entry points", () => {
  it("are fifteen for programs, and one for the packages of this repository", () => {
    expect(sources.map(({ name }) => name)).toHaveLength(15);
    expect(Object.keys(exports)).toHaveLength(17);
  });

  it("the first one exports at most 80 names", () => {
    expect(namesOf(sources[0]?.file as string).length).toBeLessThanOrEqual(80);
  });

  it("the one for the packages exports nothing that declarations leave out", () => {
    const isLeftOut = (one: ts.Symbol): boolean => one.getJsDocTags().some(({ name }) => name === "internal");
    expect(namesOf(shared).flatMap(([name, declared]) => (isLeftOut(declared) ? [name] : []))).toEqual([]);
  });

  it("give each name one meaning, apart from the plain names of older revisions", () => {
    const meanings = new Map<string, Map<ts.Symbol, string>>();
    for (const { name: entry, file } of sources) {
      if (/core-0|documented/.test(entry)) continue;
      for (const [name, declared] of namesOf(file)) {
        const known = meanings.get(name) ?? new Map();
        meanings.set(name, known.set(declared, entry));
      }
    }
    expect([...meanings].filter(([, known]) => known.size > 1).map(([name]) => name)).toEqual([]);
  });
});
