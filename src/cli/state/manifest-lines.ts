/** A manifest as lines of text. */
import type { Field, Manifest, Method, TypeDefinition, TypeReference } from "../../state/index.js";
import { wrapped } from "../output/lines.js";
import { printable } from "../output/text.js";

/** The types, methods and events of a manifest. */
export function manifestLines(manifest: Manifest, width: number | undefined): string[] {
  const { types, methods, events, privateStructs = [] } = manifest;
  const secret = new Set(privateStructs.map(({ type }) => type));
  const section = (title: string, lines: readonly string[][]): string[] =>
    lines.length === 0 ? [] : ["", title, ...lines.flat()];
  const line = (text: string, indent: number): string[] =>
    wrapped(" ".repeat(indent) + text, width, indent + 4);
  return [
    ...section(
      "types",
      [...types].map(([name, type]) => {
        const mark = name === manifest.stateRoot ? "  the state" : secret.has(name) ? "  private state" : "";
        return [
          ...line(`${printable(name)}${definitionText(type)}${mark}`, 2),
          ...partsOf(type).flatMap((part) => line(part, 4)),
        ];
      }),
    ),
    ...section(
      "methods",
      methods.map((method) => line(methodText(method), 2)),
    ),
    ...section(
      "events",
      events.map(({ name, payload }) =>
        line(`${printable(name)}${payload ? `: ${typeText(payload)}` : ""}`, 2),
      ),
    ),
  ];
}

function definitionText(type: TypeDefinition): string {
  if (type.kind === "alias") return ` = ${typeText(type.target)}`;
  return type.kind === "bytes" ? ` = ${typeText(type)}` : "";
}

/** The fields of a record, the variants of an enum. */
function partsOf(type: TypeDefinition): readonly string[] {
  if (type.kind === "record") return type.fields.map(fieldText);
  if (type.kind !== "variant") return [];
  return type.variants.map(
    ({ name, payload }) => `| ${printable(name)}${payload ? `(${typeText(payload)})` : ""}`,
  );
}

function methodText(method: Method): string {
  const { name, params, returns, returnsNullable, errors, intent, xcallCallable, xcallCallers } = method;
  const result = returns === undefined || returns.kind === "unit" ? "" : ` -> ${typeText(returns)}`;
  const marks = [
    ...(intent === undefined ? [] : [intent === "read_only" ? "reads only" : "writes"]),
    ...(errors.length === 0
      ? []
      : [
          `errors ${errors.map(({ code, payload }) => `${printable(code)}${payload ? `(${typeText(payload)})` : ""}`).join(", ")}`,
        ]),
    ...(xcallCallable === undefined
      ? []
      : [
          xcallCallable
            ? `callable from other contexts${xcallCallers ? ` (${printable(xcallCallers)})` : ""}`
            : "not callable from other contexts",
        ]),
  ];
  const end = marks.length === 0 ? "" : `  ${marks.join("; ")}`;
  return `${printable(name)}(${params.map(fieldText).join(", ")})${result}${returnsNullable ? "?" : ""}${end}`;
}

function fieldText({ name, type, nullable }: Field): string {
  return `${printable(name)}: ${typeText(type)}${nullable ? "?" : ""}`;
}

/** A type on one line: `unordered_map<string, lww_register<u64>>`. */
function typeText(type: TypeReference): string {
  switch (type.kind) {
    case "reference":
      return printable(type.name);
    case "bytes":
      return type.size === undefined ? "bytes" : `bytes[${type.size}]`;
    case "list":
      return `${type.crdtType ?? "list"}<${typeText(type.items)}>`;
    case "map":
      return `${type.crdtType ?? "map"}<${typeText(type.key)}, ${typeText(type.value)}>`;
    case "tuple":
      return `(${type.elements.map(typeText).join(", ")})`;
    case "record":
      if (type.crdtType === undefined) return `{ ${type.fields.map(fieldText).join(", ")} }`;
      return `${type.crdtType}${type.innerType === undefined ? "" : `<${typeText(type.innerType)}>`}`;
    default:
      return type.kind;
  }
}
