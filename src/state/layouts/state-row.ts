import type { AnyRow, Schema } from "../../schemas/index.js";

/** The rows of a schema that State has; undefined where there are none. */
export function stateRowOf(schema: Schema): AnyRow | undefined {
  return schema.rows.find(({ kind }) => kind === "ContextState");
}
