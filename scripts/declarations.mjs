// The last step of `npm run declarations`: puts the comments of fields into the declarations, and removes those that no entry
// point leads to. The type of a codec follows from its fields, and the compiler prints such a type without their comments;
// editors would show none at `value.rootHash`.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Puts comments into the declarations in `dist` that the compiler wrote from `src`. */
function commentDeclarations(src, dist) {
  const { options, fileNames } = projectOf(join(root, "tsconfig.build.json"));
  const program = ts.createProgram(fileNames, options);
  const checker = program.getTypeChecker();
  for (const source of program.getSourceFiles()) {
    const path = relative(src, source.fileName);
    if (path.startsWith("..") || source.isDeclarationFile) continue;
    const file = join(dist, path.replace(/\.ts$/, ".d.ts"));
    const text = readFileSync(file, "utf8");
    const commented = insert(text, commentsOf(text, typesOf(source, checker), checker));
    if (commented !== text) writeFileSync(file, commented);
  }
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

/** The comment of a field where it is declared; the compiler prints those of the same module itself. */
function commentOf(field) {
  const declaration = field.declarations?.[0];
  if (declaration === undefined) return undefined;
  const { text } = declaration.getSourceFile();
  const comment = ts.getLeadingCommentRanges(text, declaration.getFullStart())?.at(-1);
  if (comment === undefined || !text.startsWith("/**", comment.pos)) return undefined;
  return text.slice(comment.pos, comment.end).split(/\n\s*/);
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
commentDeclarations(join(root, "src"), dist);
removeUnreached(dist);
