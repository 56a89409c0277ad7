/** Hashes of a group's state that operations assert: after a removal; before core-0.11, before each of this node's own. */
import { fromHex, toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { groupStateHash } from "../../digests/index.js";
import type { AnyGroupOp } from "../sentences/group.js";
import { readApplications } from "../tables/applications.js";
import { type NodeReader, rowsOf } from "../tables/rows.js";
import type { Operations, ReplayOperation } from "./operations.js";
import type { LogRow } from "./pairing.js";
import { type ReplayedRows, UNKNOWN } from "./rows.js";

/** A hash of a group's state, as an operation has it and as the replay leads to it. */
export interface HashCheck {
  readonly operation: ReplayOperation;
  readonly group: string;
  readonly isEqual: boolean;
}

/** So many members are hashed in all: each check takes all members of its group. */
const MOST_MEMBERS = 20_000_000;

/** Checks hashes while the operations are applied. */
export class HashChecks {
  readonly #operations: Operations;
  readonly #rows: ReplayedRows;
  readonly #applications: readonly Uint8Array[];
  readonly #checks: HashCheck[] = [];
  #hashed = 0;

  private constructor(operations: Operations, rows: ReplayedRows, applications: readonly Uint8Array[]) {
    this.#operations = operations;
    this.#rows = rows;
    this.#applications = applications;
  }

  static async make(reader: NodeReader, operations: Operations, rows: ReplayedRows): Promise<HashChecks> {
    const ids = new Set((await readApplications(reader)).keys());
    for await (const groups of rowsOf(reader, "GroupMeta"))
      for (const { value } of groups) ids.add(toHex(value.targetApplicationId));
    return new HashChecks(operations, rows, [...ids].map(fromHex));
  }

  /** Before an operation: what its row in the group's own log asserts. */
  before(group: string, op: AnyGroupOp, row: LogRow | undefined, operation: ReplayOperation): void {
    // What was before the deletion of a group is gone with its log.
    if (row?.stateHash !== undefined && op.kind !== "GroupDelete")
      this.#check(group, row.stateHash, operation);
  }

  /** After an operation: what a removal asserts. */
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
    const members = [...this.#rows.of("GroupMember", group)].map(({ ids, value }) => ({
      id: fromHex(ids[1] as string),
      role: value.role,
    }));
    this.#hashed += members.length;
    if (this.#hashed > MOST_MEMBERS) return;
    const hashWith = (targetApplicationId: Uint8Array): Uint8Array =>
      groupStateHash({
        groupId: fromHex(group),
        admin: meta.adminIdentity,
        owner: this.#operations.accounts ? meta.ownerIdentity : undefined,
        targetApplicationId,
        members,
      });
    const { targetApplicationId: known } = meta;
    const target = (known === UNKNOWN ? this.#applications : [known]).find((id) =>
      equalBytes(hashWith(id), expected),
    );
    // The hash proves which application the group had.
    if (known === UNKNOWN && target !== undefined)
      this.#rows.set("GroupMeta", [group], { ...meta, targetApplicationId: target });
    this.#checks.push({ operation, group, isEqual: target !== undefined });
  }
}
