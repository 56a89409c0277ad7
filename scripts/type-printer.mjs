// Types of values as text: the fields or variants of named types, with their comments, and long types inside by their names.
import { dirname, relative } from "node:path";
import ts from "typescript";

/** Characters of a type that is shown in full inside another one, even if it has a name. */
const SHORT = 200;

/** Prints the types of the values of codecs. */
export class TypePrinter {
  #checker;
  /** The file and the name of each named type. */
  #names = new Map();
  /** The types by file and name. */
  #types = new Map();
  #codec;

  constructor(checker, sources) {
    this.#checker = checker;
    for (const source of sources) {
      const aliases = source.statements.filter(ts.isTypeAliasDeclaration);
      for (const { declarationList } of source.statements.filter(ts.isVariableStatement))
        for (const { name } of declarationList.declarations) {
          const codec = checker.getTypeAtLocation(name);
          if (codec.symbol?.name !== "Codec" || !aliases.some((alias) => alias.name.text === name.getText()))
            continue;
          this.#codec ??= codec.symbol.declarations[0].getSourceFile().fileName;
          this.#add(source.fileName, name.getText(), checker.getTypeArguments(codec)[0], true);
        }
      // Unions of variants that a module has for itself.
      for (const alias of aliases)
        if (!alias.modifiers && alias.type.getText().startsWith("EnumOf<"))
          this.#add(source.fileName, alias.name.text, checker.getTypeAtLocation(alias), false);
    }
  }

  #add(file, name, type, isExported) {
    if (!isComposed(type)) return;
    this.#types.set(`${file} ${name}`, type);
    if (!this.#names.has(type)) this.#names.set(type, { file, name, isExported });
  }

  /** The fields or variants of a named type of a file; undefined if the file has no such type. */
  definition(file, name) {
    const type = this.#types.get(`${file} ${name}`);
    return type && this.#whole(type, file, "");
  }

  /** The class of codecs, as a file refers to it. */
  codec(file) {
    return imported(file, this.#codec, "Codec");
  }

  /** The value of a row: the fields of a struct, the name of an enum. */
  valueOfRow(file, type) {
    return type.isUnion() ? this.#inside(type, file, "") : this.#whole(type, file, "");
  }

  /** A type inside another one. */
  #inside(type, file, indent) {
    const known = this.#names.get(type);
    const whole = this.#whole(type, file, indent);
    if (known === undefined || !(known.isExported || known.file === file)) return whole;
    if (whole.replaceAll(/\/\*\*.*?\*\/|\s+/gs, " ").length <= SHORT) return whole;
    return imported(file, known.file, known.name);
  }

  #whole(type, file, indent) {
    const { flags, symbol } = type;
    if (type.isUnion()) return this.#union(type, file, indent);
    const args = () => this.#checker.getTypeArguments(type).map((one) => this.#inside(one, file, indent));
    if (this.#checker.isTupleType(type)) return `readonly [${args().join(", ")}]`;
    if (this.#checker.isArrayType(type)) {
      const [of] = args();
      return `readonly ${/^[\w.]+$|^import\("[^"]+"\)\.\w+$|\}$/.test(of) && !of.includes(" | ") ? of : `(${of})`}[]`;
    }
    if (symbol?.name === "Uint8Array") return "Uint8Array";
    if (/^(?:ReadonlyMap|ReadonlySet)$/.test(symbol?.name)) return `${symbol.name}<${args().join(", ")}>`;
    if (symbol?.name === "Payload")
      return `${imported(file, symbol.declarations[0].getSourceFile().fileName, "Payload")}<${args().join(", ")}>`;
    if (flags & ts.TypeFlags.Object) {
      const inner = `${indent}    `;
      const fields = this.#checker.getPropertiesOfType(type).map((field) => {
        const comment = commentOf(field)?.map((line, at) => `${inner}${at === 0 ? "" : " "}${line}\n`) ?? [];
        const value = this.#inside(this.#checker.getTypeOfSymbol(field), file, inner);
        return `${comment.join("")}${inner}readonly ${field.name}: ${value};\n`;
      });
      return fields.length === 0 ? "{}" : `{\n${fields.join("")}${indent}}`;
    }
    return this.#checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  }

  #union(type, file, indent) {
    if (type.flags & ts.TypeFlags.Boolean) return "boolean";
    const booleans = type.types.filter(({ flags }) => flags & ts.TypeFlags.BooleanLiteral);
    const others = type.types.filter((one) => !booleans.includes(one) && !(one.flags & ts.TypeFlags.Null));
    const own = [...this.#names].find(
      ([part, at]) =>
        !at.isExported &&
        at.file === file &&
        part !== type &&
        part.types.every((one) => others.includes(one)),
    );
    if (own !== undefined) {
      const rest = others.filter((one) => !own[0].types.includes(one));
      return [own[1].name, ...rest.map((one) => this.#inside(one, file, indent))].join(" | ");
    }
    const named = this.#checker.getNonNullableType(type);
    const known = named !== type && this.#names.has(named);
    const texts = known
      ? [this.#inside(named, file, indent)]
      : others.map((one) => this.#inside(one, file, indent));
    if (booleans.length === 2) texts.push("boolean");
    if (type.types.some(({ flags }) => flags & ts.TypeFlags.Null)) texts.push("null");
    return texts.join(" | ");
  }
}

function isComposed(type) {
  if (type.isUnion()) return type.types.some(isComposed);
  return (type.flags & ts.TypeFlags.Object) !== 0 && type.symbol?.name !== "Uint8Array";
}

function imported(from, file, name) {
  if (from === file) return name;
  const path = relative(dirname(from), file).replace(/\.ts$/, ".js");
  return `import("${path.startsWith(".") ? path : `./${path}`}").${name}`;
}

/** The comment of a field where it is declared, in lines. */
export function commentOf(field) {
  const declaration = field.declarations?.[0];
  if (declaration === undefined) return undefined;
  const { text } = declaration.getSourceFile();
  const comment = ts.getLeadingCommentRanges(text, declaration.getFullStart())?.at(-1);
  if (comment === undefined || !text.startsWith("/**", comment.pos)) return undefined;
  return text.slice(comment.pos, comment.end).split(/\n\s*/);
}
