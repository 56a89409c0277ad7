import { command } from "./command.js";
import { lookFirst, openDatabase } from "./database.js";
import { writing } from "./options.js";
import { parseKey } from "./parts.js";

/** Deletes one row. Status 1 if there is none. */
export const deleteCommand = command({
  words: "delete <db> <kind> [parts...]",
  description: "delete one row",
  options: writing,
  help: `Stop the node first: only one process can write.

Example:
  merostore delete node/data Alias aliasKind=1 scope=11111111111111111111111111111111 name=lobby

Status 1 if the row does not exist.`,

  async run(terminal, { db, kind, parts }, options) {
    const { revision, key } = await lookFirst(db, options, ({ schema }) => ({
      revision: schema.name,
      key: parseKey(schema.row(kind).key, parts),
    }));
    await using store = await openDatabase(terminal, db, { ...options, revision }, true);
    if (!(await store.has(key))) {
      terminal.remark(`merostore: no such row in ${key.COLUMN}`);
      return 1;
    }
    await store.delete(key);
    await store.flush();
    terminal.remark(`merostore: deleted ${kind}`);
    return 0;
  },
});
