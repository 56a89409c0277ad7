import { Payload } from "./payload.js";

const NONE: readonly Payload<unknown>[] = [];

/** @internal The payloads of a value: the value itself, or its fields. */
export function payloadsIn(value: unknown): readonly Payload<unknown>[] {
  if (value instanceof Payload) return [value];
  if (value === null || typeof value !== "object" || value instanceof Uint8Array) return NONE;
  const fields = value as Readonly<Record<string, unknown>>;
  let found: Payload<unknown>[] | undefined;
  for (const name in fields) {
    const field = fields[name];
    if (!(field instanceof Payload)) continue;
    if (found === undefined) found = [field];
    else found.push(field);
  }
  return found ?? NONE;
}
