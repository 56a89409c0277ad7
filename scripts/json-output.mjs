// The JSON Schema of what each command prints with --json, derived from the types of what it prints.
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Functions whose text is the JSON of their argument. */
const WRITERS = new Set(["toJsonLine", "JSON.stringify"]);
/** Nested objects beyond this depth are any. */
const DEEPEST = 12;

/** The schema of the lines of each command, by its words: `blobs list`. */
export function jsonOutput() {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return new Schemas(ts.createProgram([`${root}src/cli/program.ts`], options)).all();
}

/** The text of the file that has the schemas: a line for each command. */
export function jsonOutputFile() {
  const lines = Object.entries(jsonOutput())
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `${JSON.stringify(name)}:${JSON.stringify(schema)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

class Schemas {
  #checker;
  #program;
  /** The expressions whose schemas are being made. */
  #open = new Set();

  constructor(program) {
    this.#program = program;
    this.#checker = program.getTypeChecker();
  }

  all() {
    const found = {};
    const file = this.#program.getSourceFile(`${root}src/cli/program.ts`);
    const add = (symbol, path) => {
      const declaration = this.#declarationOf(symbol);
      const value = declaration?.initializer;
      if (value === undefined) return;
      const object = ts.isCallExpression(value) ? value.arguments[0] : value;
      if (object === undefined || !ts.isObjectLiteralExpression(object)) return;
      const property = (name) => object.properties.find((one) => one.name?.getText() === name);
      const words = property("words")?.initializer;
      if (words !== undefined && ts.isStringLiteral(words)) {
        const schemas = this.#schemasOf(object);
        if (schemas.length > 0) found[`${path}${words.text.split(" ")[0]}`] = ofLines(schemas);
        return;
      }
      const name = property("name")?.initializer?.text;
      const commands = this.#listOf(property("commands"));
      if (name !== undefined && commands !== undefined)
        for (const one of commands.elements) add(this.#checker.getSymbolAtLocation(one), `${path}${name} `);
    };
    for (const statement of file.statements)
      if (ts.isImportDeclaration(statement))
        for (const one of statement.importClause?.namedBindings?.elements ?? [])
          add(this.#checker.getSymbolAtLocation(one.name), "");
    return found;
  }

  /** The list that a property has, written there or in a constant of its name. */
  #listOf(property) {
    const list =
      property && ts.isShorthandPropertyAssignment(property)
        ? this.#checker.getShorthandAssignmentValueSymbol(property)?.valueDeclaration?.initializer
        : property?.initializer;
    const value = list && skipWrappers(list);
    return value && ts.isArrayLiteralExpression(value) ? value : undefined;
  }

  /** The declaration of a symbol behind imports. */
  #declarationOf(symbol) {
    if (symbol === undefined) return undefined;
    const real = symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
    return real.valueDeclaration ?? real.declarations?.[0];
  }

  /** The schemas of all lines of JSON that the code of a command can print. */
  #schemasOf(start) {
    const visited = new Set();
    const schemas = new Map();
    const visit = (node) => {
      if (visited.has(node)) return;
      visited.add(node);
      const walk = (one) => {
        for (const written of this.#printedBy(one)) {
          const schema = this.#ofExpression(written, 0);
          schemas.set(JSON.stringify(schema), schema);
        }
        if (ts.isIdentifier(one) || ts.isPrivateIdentifier(one)) {
          const declaration = this.#declarationOf(this.#checker.getSymbolAtLocation(one));
          const place = declaration?.getSourceFile().fileName ?? "";
          const isCode =
            declaration &&
            (ts.isFunctionLike(declaration) || isFunctionConst(declaration) || isTable(declaration));
          if (isCode && place.startsWith(`${root}src/cli/`) && !place.endsWith("/terminal.ts"))
            visit(declaration);
        }
        ts.forEachChild(one, walk);
      };
      ts.forEachChild(node, walk);
    };
    visit(start);
    return [...schemas.values()];
  }

  /** The expressions whose JSON a call prints: of a value, or of texts; none of anything else. */
  #printedBy(one) {
    if (!ts.isCallExpression(one) || !ts.isPropertyAccessExpression(one.expression)) return [];
    const { name } = one.expression;
    const [printed] = one.arguments;
    if (printed === undefined) return [];
    if (name.text === "json" && /\bterminal$/.test(one.expression.expression.getText())) return [printed];
    return ["line", "lines"].includes(name.text) ? this.#writtenIn(printed) : [];
  }

  /** The expressions whose JSON a text has; none of other texts. */
  #writtenIn(expression, depth = 0) {
    const one = ts.skipPartiallyEmittedExpressions(expression);
    if (depth > 6) return [];
    const below = (inner) => this.#writtenIn(inner, depth + 1);
    if (ts.isParenthesizedExpression(one) || ts.isAwaitExpression(one)) return below(one.expression);
    if (ts.isConditionalExpression(one)) return [...below(one.whenTrue), ...below(one.whenFalse)];
    if (ts.isCallExpression(one)) {
      if (WRITERS.has(one.expression.getText())) return [one.arguments[0]];
      const code = this.#codeOf(one.expression);
      const made = mapped(one);
      if (made !== undefined) return made.flatMap(below);
      return code === undefined ? [] : returnsOf(code).flatMap(below);
    }
    if (ts.isArrayLiteralExpression(one)) return one.elements.flatMap(below);
    if (ts.isIdentifier(one)) {
      const declaration = this.#declarationOf(this.#checker.getSymbolAtLocation(one));
      if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return [];
      const list = declaration.parent.parent;
      if (ts.isForOfStatement(list)) return below(list.expression);
      return declaration.initializer === undefined ? [] : below(declaration.initializer);
    }
    // The mark of output that is cut is a text.
    if (ts.isStringLiteralLike(one) && one.text.startsWith("{")) return [one];
    return [];
  }

  /** The function that an expression calls, if its code is in this project. */
  #codeOf(expression) {
    const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    const declaration = this.#declarationOf(this.#checker.getSymbolAtLocation(name));
    if (declaration === undefined) return undefined;
    const code = isFunctionConst(declaration) ? declaration.initializer : declaration;
    if (!ts.isFunctionLike(code) || code.body === undefined) return undefined;
    return code.getSourceFile().fileName.startsWith(`${root}src/`) ? code : undefined;
  }

  /** The schema of an expression: of a literal by its fields, of a call by what it returns where its type says nothing. */
  #ofExpression(expression, depth) {
    // A value that contains others of its form has no end.
    if (this.#open.has(expression)) return {};
    this.#open.add(expression);
    const schema = this.#ofWritten(expression, depth);
    this.#open.delete(expression);
    return schema;
  }

  #ofWritten(expression, depth) {
    const one = skipWrappers(expression);
    if (ts.isStringLiteralLike(one) && one.text.startsWith("{")) return ofMark(JSON.parse(one.text));
    if (ts.isObjectLiteralExpression(one)) return this.#ofLiteral(one, depth);
    if (ts.isConditionalExpression(one))
      return anyOf([this.#ofExpression(one.whenTrue, depth), this.#ofExpression(one.whenFalse, depth)]);
    if (ts.isBinaryExpression(one) && one.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
      return this.#ofExpression(one.right, depth);
    const constant = this.#constantOf(one);
    if (constant && ts.isObjectLiteralExpression(constant)) return this.#ofLiteral(constant, depth);
    const made = mapped(one);
    if (made?.every((value) => ts.isObjectLiteralExpression(value)))
      return { type: "array", items: anyOf(made.map((value) => this.#ofLiteral(value, depth))) };
    const given = this.#checker.getTypeAtLocation(one);
    const type = this.#checker.getAwaitedType(given) ?? given;
    if (!this.#isVague(type)) return this.#ofType(type, depth, []);
    if (ts.isCallExpression(one)) {
      const code = this.#codeOf(one.expression);
      if (code !== undefined) return anyOf(returnsOf(code).map((value) => this.#ofExpression(value, depth)));
      if (made !== undefined)
        return { type: "array", items: anyOf(made.map((value) => this.#ofExpression(value, depth))) };
    }
    return constant === undefined ? {} : this.#ofExpression(constant, depth);
  }

  /** The value of a constant that an expression names. */
  #constantOf(expression) {
    if (!ts.isIdentifier(expression)) return undefined;
    const declaration = this.#declarationOf(this.#checker.getSymbolAtLocation(expression));
    const value = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    return value && skipWrappers(value);
  }

  #ofLiteral(literal, depth) {
    let schema = { type: "object", properties: {}, required: [], additionalProperties: false };
    for (const property of literal.properties) {
      if (ts.isSpreadAssignment(property)) {
        const spread = skipWrappers(property.expression);
        const value = this.#constantOf(spread) ?? spread;
        const isOptional = ts.isBinaryExpression(value) || ts.isConditionalExpression(value);
        schema = merged(schema, this.#ofSpread(spread, depth), isOptional);
        continue;
      }
      const name = ts.isComputedPropertyName(property.name) ? undefined : property.name.text;
      if (name === undefined) {
        schema.additionalProperties = {};
        continue;
      }
      const value = ts.isShorthandPropertyAssignment(property) ? property.name : property.initializer;
      const type = ts.isShorthandPropertyAssignment(property)
        ? this.#checker.getTypeOfSymbol(this.#checker.getShorthandAssignmentValueSymbol(property))
        : this.#checker.getTypeAtLocation(value);
      schema.properties[name] =
        this.#isVague(type) || this.#isWritten(skipWrappers(value))
          ? this.#ofExpression(value, depth + 1)
          : this.#ofType(type, depth + 1, []);
      const isMissing = type.flags & ts.TypeFlags.Union ? type.types.some(isUndefined) : isUndefined(type);
      schema.required = [...schema.required.filter((one) => one !== name), ...(isMissing ? [] : [name])];
    }
    return schema;
  }

  /** Returns whether the fields of a value are written there: a spread of an object leaves them out of its type. */
  #isWritten(value) {
    const constant = this.#constantOf(value) ?? value;
    return ts.isObjectLiteralExpression(constant) || mapped(constant)?.every(ts.isObjectLiteralExpression);
  }

  #ofSpread(spread, depth) {
    if (ts.isConditionalExpression(spread)) {
      const sides = [spread.whenTrue, spread.whenFalse].map((side) =>
        this.#ofSpread(skipWrappers(side), depth),
      );
      return merged(merged(emptyObject(), sides[0], true), sides[1], true);
    }
    return this.#ofExpression(spread, depth);
  }

  /** Returns whether a type says nothing of its fields. */
  #isVague(type) {
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive)) return true;
    if (type.aliasSymbol?.name === "Json") return true;
    if (type.isUnion()) return type.types.some((one) => this.#isVague(one));
    const element = this.#checker.isArrayType(type) ? this.#checker.getTypeArguments(type)[0] : undefined;
    return element !== undefined && this.#isVague(element);
  }

  #ofType(type, depth, above) {
    const { flags } = type;
    if (type.aliasSymbol?.name === "Json" || depth > DEEPEST || above.includes(type)) return {};
    if (flags & ts.TypeFlags.BooleanLiteral) return { type: "boolean" };
    if (type.isStringLiteral()) return { enum: [type.value] };
    if (type.isNumberLiteral()) return { type: "number" };
    if (flags & ts.TypeFlags.StringLike) return { type: "string" };
    if (flags & ts.TypeFlags.NumberLike) return { type: "number" };
    if (flags & ts.TypeFlags.BooleanLike) return { type: "boolean" };
    if (flags & ts.TypeFlags.Null) return { type: "null" };
    if (type.isUnion())
      return anyOf(
        type.types.filter((one) => !isUndefined(one)).map((one) => this.#ofType(one, depth, above)),
      );
    if (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))
      return this.#ofObject(type, depth, [...above, type]);
    return {};
  }

  #ofObject(type, depth, above) {
    const checker = this.#checker;
    if (checker.isTupleType(type))
      return {
        type: "array",
        items: anyOf(checker.getTypeArguments(type).map((one) => this.#ofType(one, depth + 1, above))),
      };
    if (checker.isArrayType(type) || type.symbol?.name === "ReadonlyArray")
      return { type: "array", items: this.#ofType(checker.getTypeArguments(type)[0], depth + 1, above) };
    const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    const properties = {};
    const required = [];
    for (const property of checker.getPropertiesOfType(type)) {
      const of = checker.getTypeOfSymbol(property);
      if (of.getCallSignatures().length > 0) continue;
      properties[property.name] = this.#ofType(of, depth + 1, above);
      const isMissing =
        property.flags & ts.SymbolFlags.Optional ||
        (of.isUnion() && of.types.some(isUndefined)) ||
        isUndefined(of);
      if (!isMissing) required.push(property.name);
    }
    const additionalProperties = index === undefined ? false : this.#ofType(index, depth + 1, above);
    return { type: "object", properties, required, additionalProperties };
  }
}

/** What `list.map((one) => …)` makes of each; undefined of another expression. */
function mapped(expression) {
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression))
    return undefined;
  const [code] = expression.arguments;
  const isMap = ["map", "flatMap"].includes(expression.expression.name.text);
  return isMap && code && ts.isFunctionLike(code) ? returnsOf(code).map(skipWrappers) : undefined;
}

function skipWrappers(expression) {
  let one = expression;
  while (
    ts.isParenthesizedExpression(one) ||
    ts.isAwaitExpression(one) ||
    ts.isAsExpression(one) ||
    ts.isSatisfiesExpression(one)
  )
    one = one.expression;
  return one;
}

function isUndefined(type) {
  return (type.flags & ts.TypeFlags.Undefined) !== 0;
}

function isFunctionConst(declaration) {
  const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
}

/** Returns whether a declaration is a constant object, which may be a table of functions. */
function isTable(declaration) {
  const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  return value !== undefined && ts.isObjectLiteralExpression(skipWrappers(value));
}

/** The expressions that a function returns or yields. */
function returnsOf(code) {
  if (!ts.isBlock(code.body)) return [code.body];
  const found = [];
  const walk = (node) => {
    if (ts.isFunctionLike(node)) return;
    if ((ts.isReturnStatement(node) || ts.isYieldExpression(node)) && node.expression)
      found.push(node.expression);
    ts.forEachChild(node, walk);
  };
  ts.forEachChild(code.body, walk);
  return found;
}

function ofMark(mark) {
  const properties = Object.fromEntries(
    Object.entries(mark).map(([name, value]) => [name, { enum: [value] }]),
  );
  return { ...emptyObject(), properties, required: Object.keys(mark) };
}

function emptyObject() {
  return { type: "object", properties: {}, required: [], additionalProperties: false };
}

/** An object with the properties of another; those of an optional one need not be there. */
function merged(schema, other, isOptional) {
  if (other.anyOf) return other.anyOf.reduce((sum, one) => merged(sum, one, true), schema);
  if (other.type !== "object")
    return other.type === undefined && Object.keys(other).length === 0
      ? { ...schema, additionalProperties: {} }
      : schema;
  const properties = { ...schema.properties };
  for (const [name, one] of Object.entries(other.properties))
    properties[name] = isOptional && properties[name] ? anyOf([properties[name], one]) : one;
  const required = isOptional ? schema.required : [...new Set([...schema.required, ...other.required])];
  const open = [schema, other].find((one) => one.additionalProperties !== false);
  return {
    type: "object",
    properties,
    required,
    additionalProperties: open === undefined ? false : open.additionalProperties,
  };
}

/** The schema of all lines of a command; that of a value of any form stands beside the schemas of the others. */
function ofLines(schemas) {
  const described = schemas.filter((one) => Object.keys(one).length > 0);
  if (described.length === 0 || described.length === schemas.length) return anyOf(schemas);
  const { anyOf: all = [anyOf(described)] } = anyOf(described);
  return { anyOf: [...all, { description: "the value that is at a path, of any form" }] };
}

/** One schema for what fits any of several. */
function anyOf(schemas) {
  const flat = schemas.flatMap((one) => one.anyOf ?? [one]);
  if (flat.some((one) => Object.keys(one).length === 0)) return {};
  const unique = [...new Map(flat.map((one) => [JSON.stringify(one), one])).values()];
  const words = unique.filter((one) => one.enum).flatMap((one) => one.enum);
  const others = unique.filter((one) => !one.enum);
  const all = [...(words.length > 0 ? [{ enum: [...new Set(words)].toSorted() }] : []), ...others];
  return all.length === 1 ? all[0] : { anyOf: all };
}
