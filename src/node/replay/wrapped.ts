/** Operations inside another operation, since core-1.0: somebody signed them for an account, or its owner consented. */
import type { AnyGroupOp } from "../sentences/group.js";
import type { AnyRootOp } from "../sentences/root.js";

/** An operation that has another operation inside. */
interface Wrapper {
  readonly kind: "OnBehalf" | "RootGuarded";
}

/** An operation on a group that has no other one inside. */
export type EffectiveGroupOp = Exclude<AnyGroupOp, Wrapper>;

/** An operation on a namespace that has no other one inside. */
export type EffectiveRootOp = Exclude<AnyRootOp, Wrapper>;

/** The operation that has the effect: the inner operation, if it has one. */
export function effectOf<Op extends AnyGroupOp | AnyRootOp>(op: Op): Exclude<Op, Wrapper> {
  return (op.kind === "OnBehalf" || op.kind === "RootGuarded" ? op.op : op) as Exclude<Op, Wrapper>;
}

/** The key of the device whose account an operation was signed for; undefined if the signer is the author. */
export function authorOf(op: AnyGroupOp | AnyRootOp): Uint8Array | undefined {
  return op.kind === "OnBehalf" ? op.delegation.warrant.authorDeviceKey : undefined;
}
