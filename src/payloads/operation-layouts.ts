/** The operations of each revision: accounts or keys as authors, and the layouts that its nodes meet. */
import { GroupOp010 } from "./group-operation-010.js";
import { GroupOp011 } from "./group-operation-011.js";
import { RootOp010 } from "./namespace-operation-010.js";
import { RootOp011 } from "./namespace-operation-011.js";
import { type ReadableOperation, readableGroupOp, readableRootOp } from "./readable-operations.js";

/** The revision of a database's operations. The document's operations have the layout of core-0.10. */
export type OperationRevision = "core-0.10" | "core-0.11" | "core-1.0";

/** The operations of a revision. */
export interface OperationLayouts {
  /** The revision. */
  readonly revision: OperationRevision;
  /** True if accounts act, as since core-0.11; before, keys do. */
  readonly accounts: boolean;
  /** Operations on a group. */
  readonly group: ReadableOperation<unknown>;
  /** Operations on a namespace. */
  readonly root: ReadableOperation<unknown>;
}

/** The operations of core-0.10, where public keys act. */
export const operations010: OperationLayouts = {
  revision: "core-0.10",
  accounts: false,
  group: GroupOp010 as ReadableOperation<unknown>,
  root: RootOp010 as ReadableOperation<unknown>,
};

/** The operations of core-0.11. */
export const operations011: OperationLayouts = {
  revision: "core-0.11",
  accounts: true,
  group: GroupOp011 as ReadableOperation<unknown>,
  root: RootOp011 as ReadableOperation<unknown>,
};

/** The operations of core-1.0, in the layouts of several schemas. */
export const operations10: OperationLayouts = {
  revision: "core-1.0",
  accounts: true,
  group: readableGroupOp as ReadableOperation<unknown>,
  root: readableRootOp as ReadableOperation<unknown>,
};

/** The operations of all revisions. */
export const operationLayouts: Readonly<Record<OperationRevision, OperationLayouts>> = {
  "core-0.10": operations010,
  "core-0.11": operations011,
  "core-1.0": operations10,
};
