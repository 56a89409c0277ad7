/** The pair of nodes in the address of a fleet, and the context or namespace in which they are compared. */
import { addressOf, place } from "../../page/address.js";

/** A chosen pair. */
export interface Chosen {
  readonly of: "context" | "group";
  readonly id: string;
  /** The places of both nodes. */
  readonly a: number;
  readonly b: number;
}

/** The pair of the address; undefined without one. */
export function chosenOfAddress(): Chosen | undefined {
  const [of, id] = place.value.words;
  const { a, b } = place.value.options;
  if ((of !== "context" && of !== "group") || id === undefined) return undefined;
  if (![a, b].every((place) => place !== undefined && /^\d{1,4}$/.test(place))) return undefined;
  return { of, id, a: Number(a), b: Number(b) };
}

/** The address of a pair. */
export function chosenAddress({ of, id, a, b }: Chosen): string {
  return addressOf("fleet", [of, id], { a: `${a}`, b: `${b}` });
}
