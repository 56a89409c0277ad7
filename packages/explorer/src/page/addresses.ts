/** The addresses of links: the address of each thing that views show. */
import type { RowOrder } from "../worker/rows/choice.js";
import { addressOf } from "./address.js";

/** A group or namespace. */
export function groupAddress(id: string): string {
  return addressOf("groups", [id]);
}

/** The history of a context, a namespace or a group, with one delta or operation selected if given. */
export function historyAddress(of: "context" | "namespace" | "group", id: string, at?: string): string {
  return addressOf("history", at === undefined ? [of, id] : [of, id, at]);
}

/** The data of a context, with one entity selected if given. */
export function stateAddress(contextId: string, entity?: string): string {
  return addressOf("state", [contextId], { entity });
}

/** The past of a context's data or of a group's members; at a delta or operation, beside a pinned one. */
export function timeAddress(of: "context" | "group", id: string, at?: string, pin?: string): string {
  return addressOf("time", [of, id], { at, pin });
}

/** The rows of a kind, with the given leading parts of their keys as hex; the row of a key in hex is selected. */
export function rowsAddress(
  kind: string,
  parts: Readonly<Record<string, string>> = {},
  key?: string,
  order?: RowOrder,
): string {
  return addressOf("rows", [kind], { ...parts, ...order, key });
}

/** The findings of all rules, or of one. */
export function checksAddress(rule?: string): string {
  return addressOf("checks", rule === undefined ? [] : [rule]);
}

/** Every row that has an id or a text. */
export function searchAddress(text: string): string {
  return addressOf("search", [], { for: text });
}

/** The address of the view that shows a thing; for a kind without a view, the address of a search for its id. */
export function thingAddress(kind: string | undefined, id: string): string {
  if (kind === "context") return historyAddress("context", id);
  if (kind === "group" || kind === "namespace") return groupAddress(id);
  return searchAddress(id);
}
