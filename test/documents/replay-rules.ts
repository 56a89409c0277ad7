/** docs/reference/replay-rules.md, from the docstrings of the replay that name a source. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { markdownTable } from "./markdown.js";

const FOLDER = new URL("../../src/state/replay/", import.meta.url).pathname;

/** The calls that change the tree of a replay. */
const CHANGES = /^(this\.#)?tree\.(put|remove|addChild|removeChild|dropChild|rememberDeleted)$/;

/** A source: a file with its lines, or with a function where no lines are known. */
const SOURCE =
  /^[\w/-]+\.(rs:\d+(-\d+)?(, \d+(-\d+)?)*|rs \(\w+\)( at [0-9a-f]{8})?|md( \(#\d+\))?)( for core-1\.0)?$/;

/** A rule, or a function that needs one. */
interface Documented {
  /** The file and the name. */
  readonly name: string;
  /** The text of its docstring. */
  readonly says: string;
  /** Files and lines; empty where the docstring names none. */
  readonly sources: readonly string[];
}

/** Returns the text of docs/reference/replay-rules.md. */
export function replayRulesDocument(): string {
  return [
    "# Rules of the replay",
    "",
    "`merostore state --at`, `why`, `verify` and others apply deltas as nodes do. This page lists the rules, each with its source:",
    "files and lines below `crates` of [Calimero core](https://github.com/calimero-network/core) at 051f0848e (0.11.0-rc.25), and for",
    "rules of core-1.0 the document or function that has them. The page is generated from the docstrings of `src/state/replay`: `npm run docs`.",
    "",
    ...markdownTable(
      ["rule", "source"],
      replayRules().map(({ says, sources }) => [says, sources.map((source) => `\`${source}\``).join(", ")]),
    ),
    "",
  ].join("\n");
}

/** The rules, by their files. */
export function replayRules(): readonly Documented[] {
  return sourceFiles().flatMap((file) => {
    const kinds = kindsOfMerges(file);
    return documentedIn(file)
      .filter(({ sources }) => sources.length > 0)
      .map((rule) => {
        const merged = kinds.get(rule.name)?.map((kind) => `\`${kind}\``);
        return merged === undefined
          ? rule
          : { ...rule, says: `Merges of ${merged.join(", ")}. ${rule.says}` };
      });
  });
}

/** Names of rules without a source: functions that change a state, merges of a kind, and sources without a place. */
export function rulesWithoutSource(): readonly string[] {
  return sourceFiles().flatMap((file) => {
    const documented = documentedIn(file);
    const has = (name: string): boolean =>
      documented.some((one) => one.sources.length > 0 && [name, file.fileName].includes(one.name));
    const unclear = documented.flatMap(({ name, sources }) =>
      sources.filter((source) => !SOURCE.test(source)).map((source) => `${name}: ${source}`),
    );
    const needed = [...changing(file), ...kindsOfMerges(file).keys()];
    return [...needed.filter((name) => !has(name)), ...unclear];
  });
}

function sourceFiles(): readonly ts.SourceFile[] {
  return readdirSync(FOLDER)
    .sort()
    .map((name) =>
      ts.createSourceFile(name, readFileSync(join(FOLDER, name), "utf8"), ts.ScriptTarget.Latest, true),
    );
}

/** The docstrings of a file: its own, under its name, and one for each documented declaration. */
function documentedIn(file: ts.SourceFile): readonly Documented[] {
  const found: Documented[] = [];
  const visit = (node: ts.Node): void => {
    for (const comment of ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)) {
      if (comment.parent !== node) continue;
      const sources = (comment.tags ?? [])
        .filter(({ tagName }) => tagName.text === "upstream")
        .flatMap(({ comment: text }) => plain(text).split("; "));
      const name = ts.isImportDeclaration(node) ? file.fileName : nameOf(node);
      found.push({ name, says: plain(comment.comment), sources });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The kinds of entities for each merge in the table of merges. */
function kindsOfMerges(file: ts.SourceFile): ReadonlyMap<string, readonly string[]> {
  const kinds = new Map<string, string[]>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === "MERGES")
      for (const property of (node.initializer as ts.ObjectLiteralExpression).properties)
        if (ts.isPropertyAssignment(property)) {
          const name = `${file.fileName} ${property.initializer.getText()}`;
          kinds.set(name, [...(kinds.get(name) ?? []), property.name.getText()]);
        }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return kinds;
}

/** The functions of a file that change the tree of a replay. */
function changing(file: ts.SourceFile): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node, name: string): void => {
    const inner = ts.isFunctionLike(node) && node.name !== undefined ? nameOf(node) : name;
    if (ts.isCallExpression(node) && CHANGES.test(node.expression.getText())) found.add(inner);
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(file, file.fileName);
  return found;
}

/** The file and the name of a declaration. */
function nameOf(node: ts.Node): string {
  const declaration = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : node;
  const name = declaration && ts.getNameOfDeclaration(declaration as ts.Declaration)?.getText();
  return `${node.getSourceFile().fileName} ${name ?? ""}`;
}

/** The text of a comment in one line. */
function plain(comment: ts.JSDocTag["comment"]): string {
  return (ts.getTextOfJSDocComment(comment) ?? "").replaceAll(/\s+/g, " ").trim();
}
