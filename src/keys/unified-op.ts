import type { Id } from "../bytes/id.js";
import { Column } from "../columns/index.js";
import { keyParts } from "./key-parts.js";
import { id32, partsOf } from "./part.js";

/** The parts of a {@link ScopeUnifiedOp}. */
export interface ScopeUnifiedOpParts {
  /** The namespace or context, 32 bytes. */
  readonly scope: Id;
  /** The operation's id, 32 bytes; the value has it too. */
  readonly opId: Id;
}

const part = partsOf<ScopeUnifiedOpParts>();

/** An operation of a namespace or context. `scope (32) ‖ op_id (32)`, 64 bytes. Since core-0.11. */
export class ScopeUnifiedOp extends keyParts(
  "ScopeUnifiedOp",
  Column.UnifiedOp,
  undefined,
  part(id32("scope")),
  part(id32("opId")),
) {}
