/** A database of core-1.0 with a namespace and a context whose operations and deltas are signed. */

import { core10, type Schema } from "../../../src/schemas/index.js";
import type { Store } from "../../../src/store/index.js";
import { deltas } from "../../verify/governed/deltas.js";
import { governed } from "../../verify/governed/namespace.js";
import { type StoredRow, Subject } from "./subject.js";

/** Makes the database. Its context is in no group. */
export async function core10Subject(): Promise<Subject> {
  const stores = [(await governed()).store, (await deltas()).store] as unknown as readonly Store[];
  const rows: StoredRow[] = [];
  for (const { raw } of stores)
    for (const column of core10.columns)
      for await (const { key, value } of raw.scan(column, {})) rows.push({ column, key, value });
  return Subject.of("core-1.0/made", core10 as unknown as Schema, rows, undefined);
}
