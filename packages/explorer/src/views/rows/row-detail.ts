import type { Answer } from "../../page/worker-client.js";

/** A row with its fields and bytes. */
export type RowDetail = NonNullable<Answer<"rowDetail">>;
