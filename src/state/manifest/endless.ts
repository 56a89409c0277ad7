/** Types that contain themselves in a way that no value can end. */
import type { TypeDefinition, TypeReference } from "./manifest.js";

/**
 * The name of a type that contains itself through aliases and fields alone, so that a value of it has no end; undefined
 * without such a type. A type may contain itself through a list, a map, an `Option`, an enum or a collection.
 */
export function endlessType(types: ReadonlyMap<string, TypeDefinition>): string | undefined {
  const done = new Set<string>();
  const open = new Set<string>();
  for (const start of types.keys()) {
    // A stack of its own: a chain of aliases may be longer than the stack of calls.
    const path: { readonly name: string; readonly next: Iterator<string> }[] = [];
    const enter = (name: string): void => {
      open.add(name);
      path.push({ name, next: containedIn(types.get(name)) });
    };
    if (!done.has(start)) enter(start);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const { done: ended, value: name } = last.next.next();
      if (ended === true) {
        open.delete(last.name);
        done.add(last.name);
        path.pop();
      } else if (open.has(name)) return name;
      else if (!done.has(name)) enter(name);
    }
  }
  return undefined;
}

/** The names of the types that every value of a type contains. */
function* containedIn(type: TypeDefinition | undefined): Generator<string, void> {
  if (type?.kind === "alias") yield* alwaysIn(type.target);
  else if (type?.kind === "record")
    for (const field of type.fields) if (!field.nullable) yield* alwaysIn(field.type);
}

function* alwaysIn(type: TypeReference): Generator<string, void> {
  if (type.kind === "reference") yield type.name;
  else if (type.kind === "record" && type.crdtType === undefined)
    for (const field of type.fields) if (!field.nullable) yield* alwaysIn(field.type);
}
