// The last step of `npm run declarations`. The type of a codec follows from its fields. The compiler prints such a type without the
// names of the types inside and without comments, and an enum as the codecs of its fields: editors would show nothing at
// `value.rootHash`, and pages of codecs for an operation. Here each named type gets its fields or variants, with comments and the
// names of long types inside; declarations that no entry point leads to are removed.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { commentOf, TypePrinter } from "./type-printer.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Puts names and comments into the declarations in `dist` that the compiler wrote from `src`. */
function improveDeclarations(src, dist) {
  const { options, fileNames } = projectOf(join(root, "tsconfig.build.json"));
  const program = ts.createProgram(fileNames, options);
  const checker = program.getTypeChecker();
  const sources = program
    .getSourceFiles()
    .filter((source) => !relative(src, source.fileName).startsWith("..") && !source.isDeclarationFile);
  const printer = new TypePrinter(checker, sources);
  for (const source of sources) {
    const file = join(dist, relative(src, source.fileName).replace(/\.ts$/, ".d.ts"));
    const text = readFileSync(file, "utf8");
    const types = typesOf(source, checker);
    const named = withoutUnused(name(text, source.fileName, types, printer, checker));
    const commented = withLibrary(insert(named, commentsOf(named, types, checker)));
    if (commented !== text) writeFileSync(file, commented);
  }
}

/** Names the library of `await using` where a module needs it: programs that target an older one compile too. */
function withLibrary(text) {
  if (!/\b(AsyncDisposable|asyncDispose)\b/.test(text) || text.startsWith("/// ")) return text;
  return `/// <reference lib="esnext.disposable" />\n${text}`;
}

function projectOf(path) {
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, root);
}

/** The types of a module's variables, and of what its classes extend, by the names that they have in its declarations. */
function typesOf(source, checker) {
  const types = new Map();
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) {
        if (ts.isIdentifier(name)) types.set(name.text, checker.getTypeAtLocation(name));
      }
    } else if (ts.isClassDeclaration(statement) && statement.name !== undefined) {
      const base = statement.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
      const type = base && checker.getTypeAtLocation(base.types[0].expression);
      if (type !== undefined) types.set(`${statement.name.text}_base`, type);
    }
  }
  return types;
}

/** The declarations with the fields or variants of named types in place of what the compiler prints. */
function name(text, fileName, types, printer, checker) {
  const file = ts.createSourceFile("module.d.ts", text, ts.ScriptTarget.Latest, true);
  const changes = [];
  for (const statement of file.statements) {
    if (ts.isTypeAliasDeclaration(statement)) {
      const value = printer.definition(fileName, statement.name.text);
      if (value !== undefined) changes.push([statement.type, value]);
    } else if (ts.isVariableStatement(statement)) {
      for (const { name, type } of statement.declarationList.declarations) {
        const of = types.get(name.text);
        if (of === undefined || type === undefined) continue;
        if (printer.definition(fileName, name.text) !== undefined)
          changes.push([type, `${printer.codec(fileName)}<${name.text}>`]);
        else if (checker.isTupleType(of)) changes.push(...rowsIn(type, of));
      }
    }
  }
  /** The values of the rows in a list of rows. */
  function rowsIn(list, type) {
    const tuple = ts.isTypeOperatorNode(list) ? list.type : list;
    return (tuple.elements ?? []).flatMap((element, at) => {
      const row = checker.getTypeArguments(type)[at];
      const name = ts.isImportTypeNode(element) ? element.qualifier : element.typeName;
      const value = name?.getText() === "Row" && element.typeArguments?.[1];
      return value ? [[value, printer.valueOfRow(fileName, checker.getTypeArguments(row)[1])]] : [];
    });
  }
  let result = text;
  for (const [node, replacement] of changes.sort(([a], [b]) => b.pos - a.pos))
    result = result.slice(0, node.getStart()) + replacement + result.slice(node.end);
  return result;
}

/** The declarations without variables and types that are neither exported nor mentioned. */
function withoutUnused(text) {
  const file = ts.createSourceFile("module.d.ts", text, ts.ScriptTarget.Latest, true);
  const code = text.replaceAll(/\/\*\*.*?\*\/|"[^"\n]*"/gs, "");
  const isMentioned = (name) => code.match(new RegExp(`\\b${name.getText()}\\b(?!\\??:)`, "g"))?.length > 0;
  const unused = file.statements.find((statement) => {
    if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return false;
    if (ts.isTypeAliasDeclaration(statement))
      return code.match(new RegExp(`\\b${statement.name.text}\\b`, "g")).length === 1;
    return (
      ts.isVariableStatement(statement) &&
      !statement.declarationList.declarations.some(({ name }) => isMentioned(name))
    );
  });
  return unused === undefined
    ? text
    : withoutUnused(text.slice(0, unused.getFullStart()) + text.slice(unused.end));
}

/** The comments that fields in a text of declarations should have, with the fields. */
function commentsOf(text, types, checker) {
  const declarations = ts.createSourceFile("module.d.ts", text, ts.ScriptTarget.Latest, true);
  const found = [];

  /** Goes through a type as it is printed and the type itself, side by side. */
  function visit(node, type) {
    if (ts.isTypeLiteralNode(node)) {
      for (const member of node.members) {
        const field = ts.isPropertySignature(member) && checker.getPropertyOfType(type, member.name.text);
        if (!field) continue;
        const comment = commentOf(field);
        if (comment !== undefined) found.push({ member, comment });
        if (member.type !== undefined) visit(member.type, checker.getTypeOfSymbol(field));
      }
    } else if (ts.isTypeReferenceNode(node) || ts.isImportTypeNode(node)) {
      const name = (ts.isImportTypeNode(node) ? node.qualifier : node.typeName)?.getText();
      visitAll(
        node.typeArguments ?? [],
        type.aliasSymbol?.name === name ? type.aliasTypeArguments : argumentsOf(type),
      );
    } else if (ts.isArrayTypeNode(node)) visitAll([node.elementType], argumentsOf(type));
    else if (ts.isTupleTypeNode(node)) visitAll(node.elements, argumentsOf(type));
    else if (ts.isTypeOperatorNode(node) || ts.isParenthesizedTypeNode(node)) visit(node.type, type);
    else if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node)) {
      for (const one of node.types) {
        const same = type.types?.find((member) => fits(one, member));
        if (same !== undefined) visit(one, same);
      }
    }
  }

  function visitAll(nodes, types) {
    nodes.forEach((node, index) => {
      if (types?.[index] !== undefined) visit(node, types[index]);
    });
  }

  function argumentsOf(type) {
    return type.objectFlags & ts.ObjectFlags.Reference ? checker.getTypeArguments(type) : [];
  }

  /** Returns whether a member of a union was printed from this type. */
  function fits(node, type) {
    if (!ts.isTypeLiteralNode(node)) {
      const name = ts.isImportTypeNode(node) ? node.qualifier : node.typeName;
      const list = ts.isTypeOperatorNode(node) || ts.isArrayTypeNode(node) || ts.isTupleTypeNode(node);
      return list
        ? checker.isArrayLikeType(type)
        : name?.getText() === (type.aliasSymbol ?? type.symbol)?.name;
    }
    const fields = checker.getPropertiesOfType(type);
    return (
      fields.length === node.members.length &&
      node.members.every((member) => {
        const field = checker.getPropertyOfType(type, member.name?.text);
        return (
          field !== undefined &&
          (!ts.isLiteralTypeNode(member.type) ||
            checker.typeToString(checker.getTypeOfSymbol(field)) === member.type.getText())
        );
      })
    );
  }

  for (const statement of declarations.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, type } of statement.declarationList.declarations) {
      const of = types.get(name.text);
      if (of !== undefined && type !== undefined) visit(type, of);
    }
  }
  return found;
}

/** The text with the comments on lines of their own. */
function insert(text, comments) {
  const before = new Map();
  for (const { member, comment } of comments) {
    const start = member.getStart();
    const own = ts.getLeadingCommentRanges(text, member.getFullStart())?.at(-1);
    const lineStart = text.lastIndexOf("\n", start - 1) + 1;
    const indent = text.slice(lineStart, start);
    const lines = comment.map((line, index) => `${indent}${index === 0 ? "" : " "}${line}\n`);
    before.set(lineStart, { lines, from: own ? text.lastIndexOf("\n", own.pos) + 1 : lineStart });
  }
  let result = "";
  let at = 0;
  for (const [lineStart, { lines, from }] of [...before].sort(([a], [b]) => a - b)) {
    result += text.slice(at, from) + lines.join("");
    at = lineStart;
  }
  return result + text.slice(at);
}

/** Removes the declarations that no entry point of the package leads to: 40 % of the files. */
function removeUnreached(dist) {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const reached = new Set(
    JSON.stringify(exports)
      .match(/dist[^"]*\.d\.ts(?=")/g)
      .map((path) => join(root, path)),
  );
  // A set gives what was added to it in the meantime, too.
  for (const file of reached)
    for (const [, to] of readFileSync(file, "utf8").matchAll(/(?:from |import\(|import )"(\.[^"]+)\.js"/g))
      reached.add(join(dirname(file), `${to}.d.ts`));
  for (const name of readdirSync(dist, { recursive: true }))
    if (name.endsWith(".d.ts") && !reached.has(join(dist, name))) rmSync(join(dist, name));
}

const dist = join(root, "dist");
improveDeclarations(join(root, "src"), dist);
removeUnreached(dist);
