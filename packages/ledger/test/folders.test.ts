/** The imports that each folder of src may have. Imports of types count. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = new URL("../src/", import.meta.url).pathname;

/** Folder, or file beside the folders → the other folders and files that its files may import. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  "timer.ts": [],
  "callbacks.ts": ["platform"],
  "objects.ts": [],
  "ledger-name.ts": [],
  "page-id.ts": [],
  tables: ["objects.ts"],
  pieces: ["objects.ts", "tables"],
  tree: ["objects.ts", "tables"],
  rows: ["ledger-name.ts", "objects.ts", "page-id.ts", "tables"],
  places: ["ledger-name.ts", "page-id.ts"],
  storage: ["objects.ts", "pieces", "rows", "tables", "timer.ts", "tree"],
  sync: ["callbacks.ts", "objects.ts", "pieces", "platform", "rows", "storage", "tables", "timer.ts"],
  page: ["callbacks.ts", "objects.ts", "platform", "storage", "sync", "tables", "timer.ts", "tree"],
  merging: ["callbacks.ts", "objects.ts", "page", "storage", "tables", "timer.ts", "tree"],
  repository: ["merging", "objects.ts", "page", "places", "rows", "storage", "sync"],
  verify: ["objects.ts", "pieces", "places", "rows", "storage", "tables", "tree"],
  "view.ts": ["merging", "page", "places", "repository", "rows", "storage", "tables"],
  commands: ["index.ts"],
  "repository-options.ts": [
    "ledger-name.ts",
    "merging",
    "pieces",
    "places",
    "repository",
    "rows",
    "storage",
    "sync",
  ],
  "ledger.ts": ["merging", "page", "page-id.ts", "places", "repository", "repository-options.ts"],
  "ledger-repository.ts": [
    "callbacks.ts",
    "ledger.ts",
    "places",
    "repository",
    "repository-options.ts",
    "sync",
  ],
  "no-folders.ts": ["places", "sync"],
  "index.ts": ["browser.ts", "places", "sync", "view.ts"],
  "browser.ts": [
    "callbacks.ts",
    "ledger-name.ts",
    "ledger-repository.ts",
    "ledger.ts",
    "merging",
    "objects.ts",
    "page",
    "page-id.ts",
    "pieces",
    "places",
    "repository",
    "repository-options.ts",
    "rows",
    "storage",
    "sync",
    "tables",
    "tree",
    "verify",
  ],
};

/** Folders that others import only through their index, or through its part for browsers. */
const indexed = ["places", "repository", "verify"];

interface Import {
  readonly file: string;
  readonly target: string;
}

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};

/** The imports between different folders, as paths within src. */
const imports: readonly Import[] = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), "utf8"));
    return importedFiles.flatMap(({ fileName }) => {
      const { resolvedModule } = ts.resolveModuleName(fileName, join(root, file), options, ts.sys);
      const target = relative(root, resolvedModule?.resolvedFileName ?? "/");
      return target.startsWith("..") || folderOf(target) === folderOf(file) ? [] : [{ file, target }];
    });
  });

function folderOf(path: string): string {
  return path.split("/")[0] as string;
}

describe("folders of the ledger", () => {
  it("import only those that they may", () => {
    const wrong = imports.filter(({ file, target }) => !allowed[folderOf(file)]?.includes(folderOf(target)));
    expect(wrong).toEqual([]);
  });

  it("import each other in no circle", () => {
    const done = new Set<string>();
    // Each round finishes the folders that import finished ones only.
    for (let size = -1; done.size > size; ) {
      size = done.size;
      for (const [folder, targets] of Object.entries(allowed))
        if (targets.every((target) => done.has(target))) done.add(folder);
    }
    expect(Object.keys(allowed).filter((folder) => !done.has(folder))).toEqual([]);
  });

  it("are imported through their index where they have one", () => {
    const wrong = imports.filter(
      ({ file, target }) =>
        file !== "browser.ts" && // the package's own index says for each file whether its exports are internal
        indexed.includes(folderOf(target)) &&
        !["index.ts", "browser.ts"].includes(target.slice(folderOf(target).length + 1)),
    );
    expect(wrong).toEqual([]);
  });
});
