/** Objections of signed operations to changes of the rows that follow from them. */

import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { invalidArgument } from "../../errors.js";
import type { AnyKey } from "../../keys/index.js";
import { memberFacts, type RowFact, replayFacts } from "../../node/index.js";
import type { AnyRow } from "../../schemas/index.js";
import type { Store } from "../../store/index.js";
import { isSmall } from "../database/small.js";
import type { Terminal } from "../output/terminal.js";

/** Returns whether rows of a kind can follow from operations. */
export function followsFromOperations({ kind, column }: AnyRow): boolean {
  return column === "Group" || kind === "ContextGroupRef" || kind === "ContextServiceName";
}

/**
 * The objection of the signed operations of the database to a change of a row, in words; undefined if they have none.
 *
 * @param value undefined for a deletion
 */
export async function saidAgainst(
  store: Store,
  row: AnyRow,
  key: AnyKey,
  value: unknown,
): Promise<string | undefined> {
  if (!followsFromOperations(row)) return undefined;
  const overlay = store.overlay();
  if (value === undefined) overlay.delete(key);
  else overlay.put(key as never, value as never);
  for await (const fact of replayFacts(overlay))
    if (fact.fact === "row" && fact.kind === row.kind && equalBytes(fact.key.bytes, key.bytes))
      return reason(fact);
  return undefined;
}

/**
 * The contradictions of signed operations to rows of a group's members, by id. None if there are many rows of groups.
 */
export async function saidAgainstMembers(store: Store, group: string): Promise<ReadonlyMap<string, string>> {
  const against = new Map<string, string>();
  if (!(await isSmall(store, "Group"))) return against;
  for await (const fact of memberFacts(store, group)) {
    if (fact.fact !== "row") continue;
    const said = fact.status === "unconfirmed" ? undefined : reason(fact);
    if (said !== undefined) against.set(toHex(fact.key.bytes.subarray(-32)), said);
  }
  return against;
}

/** The contradiction of signed operations to the row of a fact, in words; undefined if there is none. */
function reason({ status, operation, fields }: RowFact): string | undefined {
  const { kind = "an operation", id } = operation ?? {};
  const by = id === undefined ? kind : `${kind} (operation ${id.slice(0, 8)})`;
  if (status === "missing") return `${by} made it`;
  if (status === "differs") return `${by} set it otherwise: ${fields.join(", ")}`;
  if (status !== "without operation" && status !== "unconfirmed") return undefined;
  return operation === undefined ? "no operation makes such a row" : `${by} removed it`;
}

/**
 * Warns of a change that operations contradict. Without `force` it is not made.
 *
 * @returns the status of a dry run, which is the status of the change
 */
export function warnOfOperations(
  terminal: Terminal,
  kind: string,
  against: string | undefined,
  { force, dryRun }: { readonly force: boolean; readonly dryRun: boolean },
): 0 | 2 {
  if (against === undefined) return 0;
  const warning = `${kind} follows from signed operations, and ${against}; other nodes do not get this change`;
  if (!force && !dryRun) throw invalidArgument(`${warning}. To write it anyway: --force`);
  terminal.remark(`${warning}${force ? "" : ". Without --force it will be refused"}`);
  return force ? 0 : 2;
}
