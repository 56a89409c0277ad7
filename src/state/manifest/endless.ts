/** Types of a manifest that do not end, or only after many steps. */
import type { Field, TypeDefinition, TypeReference } from "./manifest.js";

/** Steps through aliases, and through the types in them. */
const DEEPEST = 128;

/** A step to a named type: through how many types it leads. */
interface Step {
  readonly name: string;
  readonly length: number;
}

/** A type that is being followed. */
interface Open extends Step {
  readonly next: Iterator<Step>;
  /** The most steps below it that were found. */
  depth: number;
}

/**
 * The name of an alias that contains itself through aliases alone, or nests more than 128 types, or of a type that
 * contains itself through aliases and fields alone, so that a value of it has no end; undefined without such a type. A
 * type may contain itself through a list, a map, an `Option`, an enum or a collection. Rust has no other types.
 */
export function endlessType(types: ReadonlyMap<string, TypeDefinition>): string | undefined {
  return findEndless(types, stepsOfAlias) ?? findEndless(types, stepsOfValue);
}

/** The name of a type with steps that lead to itself, or through more than 128 types. */
function findEndless(
  types: ReadonlyMap<string, TypeDefinition>,
  stepsOf: (type: TypeDefinition | undefined) => Iterator<Step>,
): string | undefined {
  const depths = new Map<string, number>();
  const open = new Set<string>();
  for (const start of types.keys()) {
    // A stack of its own: a chain of aliases may be longer than the stack of calls.
    const path: Open[] = [];
    const enter = (step: Step): void => {
      open.add(step.name);
      path.push({ ...step, next: stepsOf(types.get(step.name)), depth: 0 });
    };
    if (!depths.has(start)) enter({ name: start, length: 0 });
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      if (last.depth > DEEPEST) return last.name;
      const { done, value: step } = last.next.next();
      if (done === true) {
        path.pop();
        open.delete(last.name);
        depths.set(last.name, last.depth);
        const above = path.at(-1);
        if (above !== undefined) above.depth = Math.max(above.depth, last.length + last.depth);
        continue;
      }
      if (open.has(step.name)) return step.name;
      const below = depths.get(step.name);
      if (below === undefined) enter(step);
      else last.depth = Math.max(last.depth, step.length + below);
    }
  }
  return undefined;
}

/** The steps to the types that an alias names. Records and enums are resolved when they are read. */
function* stepsOfAlias(type: TypeDefinition | undefined): Generator<Step, void> {
  if (type?.kind === "alias") yield* stepsIn(type.target, 1);
}

/** The steps to the types that a type names. */
function* stepsIn(type: TypeReference, length: number): Generator<Step, void> {
  switch (type.kind) {
    case "reference":
      yield { name: type.name, length };
      break;
    case "list":
      yield* stepsIn(type.items, length + 1);
      break;
    case "map":
      yield* stepsIn(type.value, length + 1);
      break;
    case "tuple":
      for (const element of type.elements) yield* stepsIn(element, length + 1);
      break;
    case "record":
      if (type.innerType !== undefined) yield* stepsIn(type.innerType, length + 1);
      break;
    default:
  }
}

/** The steps to the types that every value of a type contains. They have no length: values may nest without a bound. */
function* stepsOfValue(type: TypeDefinition | undefined): Generator<Step, void> {
  if (type?.kind === "alias") yield* alwaysIn(type.target);
  else if (type?.kind === "record") yield* ofFields(type.fields);
}

function* alwaysIn(type: TypeReference): Generator<Step, void> {
  if (type.kind === "reference") yield { name: type.name, length: 0 };
  else if (type.kind === "record" && type.crdtType === undefined) yield* ofFields(type.fields);
}

function* ofFields(fields: readonly Field[]): Generator<Step, void> {
  for (const { type, nullable } of fields) if (!nullable) yield* alwaysIn(type);
}
