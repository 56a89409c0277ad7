/** The options in the address of a comparison. */
import { addressOf, place } from "../../page/address.js";

/** A context or group in an address. */
export interface ComparedThing {
  readonly of: "context" | "group";
  readonly id: string;
}

/** The options of the present address, with some changed. */
export function compareAddress(
  thing: ComparedThing | undefined,
  changed: Readonly<Record<string, string | undefined>> = {},
): string {
  const { expected, kind, row, of, with: other } = place.value.options;
  return addressOf("compare", thing === undefined ? [] : [thing.of, thing.id], {
    ...{ expected, kind, row, of, with: other },
    ...changed,
  });
}

/** The context or group that the address names. */
export function thingOfAddress(): ComparedThing | undefined {
  const [of, id] = place.value.words;
  return (of === "context" || of === "group") && id !== undefined ? { of, id } : undefined;
}

/** Returns whether expected differences of correct nodes are hidden. */
export function leavesOutExpected(): boolean {
  return place.value.options.expected === "hide";
}
