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
  /** The answer; undefined if the database does not give it. */
  readonly holds: boolean | undefined;
  /** The answer in words, without a full stop. */
  readonly says: string;
  /** The operation that decided it; undefined if no operation did, or it is not known. */
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
  /**
   * The reason in words: the first answer that is no, or that unread rows leave open; undefined if all answers are yes.
   */
  readonly reason: string | undefined;
  /** The questions, in their order. */
  readonly steps: readonly PermissionStep[];
}

/** A question about a permission. */
export interface PermissionQuestion {
  /** The node at the moment of the question. */
  readonly node: CalimeroNode;
  /** The present node. Its logs have the operations. */
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
