/** The options in the address of a comparison. */
import { addressOf, place } from "../../page/address.js";

/** The options of the present address, some of them changed. */
export function compareAddress(
  context: string | undefined,
  changed: Readonly<Record<string, string | undefined>> = {},
): string {
  const { expected, kind, row } = place.value.options;
  return addressOf("compare", context === undefined ? [] : ["context", context], {
    ...{ expected, kind, row },
    ...changed,
  });
}

/** The context that the address names. */
export function contextOfAddress(): string | undefined {
  const [of, id] = place.value.words;
  return of === "context" ? id : undefined;
}

/** Returns whether differences that are expected of honest nodes are left out. */
export function leavesOutExpected(): boolean {
  return place.value.options.expected === "hide";
}
