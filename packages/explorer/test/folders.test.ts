/** The imports that each folder of the explorer may have: imports run down, and views do not know each other. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = new URL("../src/", import.meta.url).pathname;

/** The folders from the top down: each may import the ones after it. */
const LEVELS = ["shell", "views", "parts", "page", "worker", "client"] as const;

/** The worker's folders from the top down. */
const WORKER = ["past", "groups", "compare", "history", "rows", "state", "database"];

const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));

interface Import {
  readonly from: string;
  readonly target: string;
  readonly isType: boolean;
}

function importsOf(file: string): readonly Import[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement): Import[] => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const specifier = statement.moduleSpecifier;
    if (specifier === undefined || !ts.isStringLiteral(specifier)) return [];
    const { text } = specifier;
    const target = text.startsWith(".") ? relative(root, resolve(root, dirname(file), text)) : text;
    return [{ from: file, target, isType: isTypeOnly(statement) }];
  });
}

/** Returns whether nothing of the other module is there at run time. */
function isTypeOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  const clause = statement.importClause;
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = clause;
  if (name !== undefined || namedBindings === undefined || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.every((element) => element.isTypeOnly);
}

const imports = files.flatMap(importsOf);
const folderOf = (path: string) => path.split("/")[0] as (typeof LEVELS)[number];

describe("the explorer's folders", () => {
  it("import only what is below them", () => {
    const levels = imports.filter(({ from, target }) => from.includes("/") && target.includes("/"));
    const own = levels.filter(({ target }) => LEVELS.includes(folderOf(target)));
    expect(own.length).toBeGreaterThan(40);
    const upwards = own.filter(
      ({ from, target }) => LEVELS.indexOf(folderOf(target)) < LEVELS.indexOf(folderOf(from)),
    );
    expect(upwards).toEqual([]);
  });

  it("of the worker import only what is below them", () => {
    const levelOf = (path: string) =>
      path.startsWith("worker/") ? WORKER.indexOf(path.split("/")[1] as string) : -1;
    const pairs = imports
      .map(({ from, target }) => ({ from, target, own: levelOf(from), other: levelOf(target) }))
      .filter(({ own, other }) => own >= 0 && other >= 0 && own !== other);
    expect(pairs.length).toBeGreaterThan(60);
    expect(pairs.filter(({ own, other }) => other < own)).toEqual([]);
  });

  it("reach nothing outside, so that the page is made of what the package exports", () => {
    expect(imports.filter(({ target }) => target.startsWith(".."))).toEqual([]);
  });

  it("keep views apart", () => {
    const view = (path: string) => /^views\/([^/]+)\//.exec(path)?.[1];
    const between = imports.filter(
      ({ from, target }) => view(from) && view(target) && view(from) !== view(target),
    );
    expect(between).toEqual([]);
  });

  it("have of the worker only its types in the page", () => {
    const values = imports.filter(
      ({ from, target, isType }) => folderOf(from) !== "worker" && target.startsWith("worker/") && !isType,
    );
    expect(values).toEqual([]);
  });

  it("draw nothing in the worker", () => {
    const drawing = imports.filter(
      ({ from, target }) => folderOf(from) === "worker" && /^(?:preact|@preact|d3-)/.test(target),
    );
    expect(drawing).toEqual([]);
  });

  it("form no circle, types included", () => {
    const moduleAt = (target: string) => files.find((file) => target === file.replace(/\.tsx?$/, ".js"));
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
      else if (!done.has(file)) {
        for (const { from, target } of imports) {
          const imported = from === file ? moduleAt(target) : undefined;
          if (imported !== undefined) visit(imported, [...path, file]);
        }
        done.add(file);
      }
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });

  it("have files below 400 lines", () => {
    const long = files.filter((file) => readFileSync(join(root, file), "utf8").split("\n").length > 400);
    expect(long).toEqual([]);
  });
});
