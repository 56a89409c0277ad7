/** Following a path into the application's data. */
import { isBytes } from "../bytes/bytes.js";
import { StateCollection } from "./collections/collection.js";
import { StateCounter } from "./collections/counter.js";
import { StateMap } from "./collections/map.js";
import { StateSet } from "./collections/set.js";
import { StateShared } from "./collections/shared.js";
import { StateVector } from "./collections/vector.js";
import type { PathStep } from "./path.js";
import { StateError, type StateProblem } from "./problem.js";
import { keyName, PairsValue, RegisterValue, VariantValue } from "./types/values.js";

/** Something with a value, or a problem. */
interface Valued {
  readonly value: unknown;
  readonly problem: StateProblem | undefined;
}

/** Returns the value at the end of the steps; undefined if nothing is there. @throws StateError */
export async function stepInto(part: Valued, steps: readonly PathStep[]): Promise<unknown> {
  let value = contentOf(part);
  for (const step of steps) {
    value = await next(value, step);
    if (value === undefined) return undefined;
  }
  return value;
}

function contentOf({ value, problem }: Valued): unknown {
  if (problem !== undefined) throw new StateError(problem);
  return value;
}

async function next(from: unknown, step: PathStep): Promise<unknown> {
  const value = await inside(from);
  if (isBytes(step))
    return value instanceof StateCollection ? orNothing(await value.entryOf(step)) : undefined;
  if (value instanceof StateMap || value instanceof StateSet) return orNothing(await value.get(String(step)));
  if (value instanceof StateVector)
    return typeof step === "number" ? orNothing(await value.get(step)) : undefined;
  if (value instanceof StateCounter) return (await value.slots()).get(String(step));
  if (value instanceof StateCollection || typeof value !== "object" || value === null) return undefined;
  if (value instanceof Uint8Array) return undefined;
  if (Array.isArray(value)) return typeof step === "number" ? value[step] : undefined;
  if (value instanceof VariantValue) return value.name === step ? value.payload : undefined;
  if (value instanceof PairsValue) return value.pairs.find(([key]) => keyName(key) === String(step))?.[1];
  return Object.hasOwn(value, step) ? (value as Readonly<Record<string, unknown>>)[String(step)] : undefined;
}

/** Returns the value in a register or a shared value: paths have no step for these. */
async function inside(value: unknown): Promise<unknown> {
  if (value instanceof RegisterValue) return inside(value.value);
  if (value instanceof StateShared) return inside(orNothing(await value.value()));
  return value;
}

function orNothing(part: Valued | undefined): unknown {
  return part === undefined ? undefined : contentOf(part);
}
