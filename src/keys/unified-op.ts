import { Column } from "../columns/index.js";
import { keyParts } from "./key-parts.js";
import { id32 } from "./part.js";

/** An operation of a namespace or context. `scope (32) ‖ op_id (32)`, 64 bytes. Since core-0.11. */
export class ScopeUnifiedOp extends keyParts(
  "ScopeUnifiedOp",
  Column.UnifiedOp,
  undefined,
  id32("scope"),
  id32("opId"),
) {}
