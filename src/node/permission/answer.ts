/** A question about the right of a member, and its answer. */
import type { Schema } from "../../schemas/index.js";
import type { StoreReader } from "../../store/browser.js";
import type { Operation } from "../history/operation.js";
import type { Named } from "../names.js";
import type { CalimeroNode } from "../node.js";
import type { ActionName } from "./actions.js";

/** One of the questions on which a permission depends. */
export interface PermissionStep {
  /** The question. */
  readonly question: "member" | "role" | "capability" | "owner" | "device" | "key";
  /** The answer; undefined where the database does not tell it. */
  readonly holds: boolean | undefined;
  /** The answer in words, without an end. */
  readonly says: string;
  /** The operation that decided it; undefined where none did, or none is known. */
  readonly operation: Operation | undefined;
}

/** The right of a member to do something. */
export interface Permission {
  /** The member. */
  readonly member: Named;
  /** The question. */
  readonly action: ActionName;
  /** The group. */
  readonly group: Named;
  /** True if no answer is no; undefined if rows that decide an answer cannot be read. */
  readonly allowed: boolean | undefined;
  /** The reason, in words: the first answer that is no, or that those rows leave open; undefined if there is none. */
  readonly reason: string | undefined;
  /** The questions, in their order. */
  readonly steps: readonly PermissionStep[];
}

/** A question about a permission. */
export interface PermissionQuestion {
  /** The node as of the moment. */
  readonly node: CalimeroNode;
  /** The node as it is now, whose logs have the operations. */
  readonly now: CalimeroNode;
  /** The store or snapshot of the node. */
  readonly reader: StoreReader<Schema>;
  /** The account, before core-0.11 the public key, 64 hex digits. */
  readonly member: Named;
  /** The action that is asked about. */
  readonly action: ActionName;
  /** The group, 64 hex digits. */
  readonly group: string;
  /** The last operation of the moment, 64 hex digits; undefined for now. */
  readonly until: string | undefined;
}
