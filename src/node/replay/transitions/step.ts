/** One operation while it is applied. */
import { isZeros } from "../../../bytes/bytes.js";
import { fromHex, toHex } from "../../../bytes/hex.js";
import type { Hints } from "../hints.js";
import { type ReplayedMeta, type ReplayedRows, UNKNOWN } from "../rows.js";
import type { CheckedSignatures } from "../signatures.js";

/** An operation, and the data that it is applied to. Ids are 64 hex digits. */
export interface Step {
  readonly rows: ReplayedRows;
  readonly namespace: string;
  /** The group that it is about; the namespace for one on the namespace. */
  readonly group: string;
  /** The public key of its author, who signed it or let another key sign. */
  readonly signer: string;
  /** True if that is a key of this node. */
  readonly isOwn: boolean;
  /** True if this node made the operation, or signed it for another node. */
  readonly isMadeHere: boolean;
  /** The account of the signer, before core-0.11 its key. */
  readonly actor: string;
  readonly hints: Hints;
  /** Accounts by the public keys that their devices sign with, as the namespace knows them. */
  readonly accounts: Map<string, string>;
  /** Keys of applications that operations have set so far, 64 hex digits each. */
  readonly appKeys: Set<string>;
  readonly signatures: CheckedSignatures;
  /** Devices whose applications an operation named, 64 hex digits each. Their bindings are uncertain. */
  readonly scoped: Set<string>;
}

/** The effect of each kind of an operation. A kind without a transition does not compile. */
export type Transitions<Op extends { readonly kind: string }> = {
  readonly [K in Op["kind"]]: (op: Extract<Op, { readonly kind: K }>, step: Step) => void;
};

/** Applies an operation. */
export function apply<Op extends { readonly kind: string }>(
  transitions: Transitions<Op>,
  op: Op,
  step: Step,
): void {
  (transitions[op.kind as Op["kind"]] as (op: Op, step: Step) => void)(op, step);
}

/** The transition of an operation that changes no row. */
export const nothing = (): void => undefined;

/** Changes fields of a group's row; does nothing without a row. */
export function changeMeta({ rows }: Step, group: string, fields: Partial<ReplayedMeta>): void {
  const meta = rows.get("GroupMeta", group);
  if (meta !== undefined) rows.set("GroupMeta", [group], { ...meta, ...fields });
}

/** A context becomes one of a group, and takes part in choosing the group's application. */
export function registerContext(
  step: Step,
  { contextId, applicationId }: { readonly contextId: string; readonly applicationId: Uint8Array },
): void {
  const { rows, group } = step;
  const before = rows.get("ContextGroupRef", contextId);
  if (before !== undefined && toHex(before) !== group)
    rows.remove("GroupContextIndex", toHex(before), contextId);
  rows.set("GroupContextIndex", [group, contextId], null);
  rows.set("ContextGroupRef", [contextId], fromHex(group));
  const target = rows.get("GroupMeta", group)?.targetApplicationId;
  if (target !== undefined && target !== UNKNOWN && isZeros(target) && !isZeros(applicationId))
    changeMeta(step, group, { targetApplicationId: applicationId });
}
