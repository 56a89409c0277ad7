/** Hashes of a group's state that operations assert: after a removal; before core-0.11, before each of this node's own. */
import { fromHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { groupStateHash } from "../../digests/index.js";
import type { AnyGroupOp } from "../sentences/group.js";
import type { ReplayOperation } from "./operations.js";
import type { Prepared } from "./prepared.js";
import { type ReplayedRows, UNKNOWN } from "./rows.js";

/** A hash of a group's state in an operation, compared with the hash of the replay. */
export interface HashCheck {
  readonly operation: ReplayOperation;
  readonly isEqual: boolean;
}

/** The number of members that may be hashed for one check: once for each application that the group may have had. */
const MOST_AT_ONCE = 200_000;
/** The number of members that may be hashed in total. */
const MOST_MEMBERS = 5_000_000;

/** Checks hashes while the operations are applied. */
export class HashChecks {
  readonly #rows: ReplayedRows;
  readonly #accounts: boolean;
  readonly #applications: readonly Uint8Array[];
  readonly #checks: HashCheck[] = [];
  #hashed = 0;

  constructor(
    { operations, applications }: Pick<Prepared, "operations" | "applications">,
    rows: ReplayedRows,
  ) {
    this.#rows = rows;
    this.#accounts = operations.accounts;
    this.#applications = applications;
  }

  /**
   * Checks the hash that the row of an operation in the group's own log asserts. Called before the operation is
   * applied.
   */
  before(group: string, op: AnyGroupOp, operation: ReplayOperation): void {
    const { stateHash } = operation.logRow ?? {};
    // The state before the deletion of a group is gone with its log.
    if (stateHash !== undefined && op.kind !== "GroupDelete") this.#check(group, stateHash, operation);
  }

  /** Checks the hash that a removal asserts. Called after the operation is applied. */
  after(group: string, op: AnyGroupOp, operation: ReplayOperation): void {
    if ((op.kind === "MemberRemoved" || op.kind === "MemberLeft") && "expectedGroupStateHash" in op)
      this.#check(group, op.expectedGroupStateHash, operation);
  }

  done(): readonly HashCheck[] {
    return this.#checks;
  }

  #check(group: string, expected: Uint8Array, operation: ReplayOperation): void {
    const meta = this.#rows.get("GroupMeta", group);
    if (meta === undefined) return;
    const { targetApplicationId: known } = meta;
    const candidates = known === UNKNOWN ? this.#applications : [known];
    const count = this.#rows.countOf("GroupMember", group) * candidates.length;
    if (count > MOST_AT_ONCE || this.#hashed + count > MOST_MEMBERS) return;
    this.#hashed += count;
    const members = Array.from(this.#rows.of("GroupMember", group), ({ ids, value }) => ({
      id: fromHex(ids[1] as string),
      role: value.role,
    }));
    const hashWith = (targetApplicationId: Uint8Array): Uint8Array =>
      groupStateHash({
        groupId: fromHex(group),
        admin: meta.adminIdentity,
        owner: this.#accounts ? meta.ownerIdentity : undefined,
        targetApplicationId,
        members,
      });
    const target = candidates.find((id) => equalBytes(hashWith(id), expected));
    // The hash proves which application the group had.
    if (known === UNKNOWN && target !== undefined)
      this.#rows.set("GroupMeta", [group], { ...meta, targetApplicationId: target });
    this.#checks.push({ operation, isEqual: target !== undefined });
  }
}
