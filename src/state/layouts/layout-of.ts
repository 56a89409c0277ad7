/** The layout of State in a revision. */
import { invalidArgument } from "../../errors.js";
import { MIXED, type Schema } from "../../schemas/index.js";
import type { StateLayout } from "./layout.js";
import { oneRow } from "./one-row.js";
import { listed010, listed011 } from "./two-rows.js";

const layouts: readonly StateLayout[] = [oneRow, listed011, listed010];

/**
 * The layout of State in a schema.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a revision without entities, and for several revisions
 */
export function layoutOf(schema: Schema): StateLayout {
  const layout = layouts.find((one) => one.isOf(schema));
  if (layout === undefined)
    throw invalidArgument(
      schema.name === MIXED
        ? "State has rows of several revisions; to read those of one, name the revision"
        : `the revision ${schema.name} keeps no entities`,
    );
  return layout;
}
