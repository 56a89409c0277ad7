import { command } from "../arguments/command.js";
import { withWholeIds } from "../arguments/ids.js";
import { dryRun, force, idLook, json, writing } from "../arguments/options.js";
import { parseKey } from "../arguments/parts.js";
import { lookFirst, openDatabase } from "../database/database.js";
import { changeOf, printChange, remarkChange, typedWriting, warnOfSecrets } from "./change.js";
import { saidAgainst, warnOfOperations } from "./signed-rows.js";

/** Deletes one row. Status 1 if the row is absent. */
export const deleteCommand = command({
  words: "delete <db> <kind> [parts...]",
  description: "delete one row",
  writes: true,
  options: { force, dryRun, json, ...writing, ...idLook },
  help: `Stop the node first: only one process can write.

Examples:
  merostore delete node/data Alias aliasKind=context scope=none name=lobby --dry-run
  merostore delete node/data Alias aliasKind=context scope=none name=lobby

The command shows the row, secrets redacted, and the "put" that brings it back. --dry-run shows the same and deletes
nothing. A row that signed operations made is deleted with --force alone; a dry run without it ends with status 2, as
the command would.

Status 1 if the row does not exist.`,

  async run(terminal, { db, kind, parts }, options) {
    const place = { db, options: typedWriting(options) };
    const { revision, change, against } = await lookFirst(db, options, async (store) => {
      const row = store.schema.row(kind);
      const key = parseKey(row.key, await withWholeIds(store, row.key, parts));
      const change = await changeOf(store, place, row, key, undefined);
      const against = change.same ? undefined : await saidAgainst(store, row, key, undefined);
      return { revision: store.schema.name, change, against };
    });
    const { key, before } = change;
    if (before === undefined) {
      terminal.remark(`no such row in ${key.COLUMN}`);
      return 1;
    }
    const status = warnOfOperations(terminal, kind, against, options);
    warnOfSecrets(terminal, db, change, "deleting this row");
    if (!options.dryRun) {
      await using store = await openDatabase(terminal, db, { ...options, revision }, true);
      await store.delete(key, { sync: true });
    }
    await printChange(terminal, db, change, options);
    remarkChange(terminal, `deleted ${kind}`, undefined, { dryRun: options.dryRun, same: false });
    return status;
  },
});
