import { existsSync } from "node:fs";
import { copyBytes } from "../../bytes/bytes.js";
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { count, counted } from "../../bytes/quantity.js";
import { pairs, rowsOfStore } from "../../diff/index.js";
import { backupDatabase } from "../../engines/index.js";
import { invalidArgument } from "../../errors.js";
import { CalimeroNode, partialStore } from "../../node/index.js";
import { selectRows } from "../../schemas/index.js";
import type { Store } from "../../store/index.js";
import { command } from "../arguments/command.js";
import { kindOfLocation } from "../arguments/location.js";
import { text } from "../arguments/option-kinds.js";
import { dryRun, force, json, writing } from "../arguments/options.js";
import { parseSelection } from "../arguments/selection.js";
import { lookFirst, openDatabase, refuseFile, refuseLost } from "../database/database.js";
import { databaseFolder } from "../database/database-folder.js";
import { printTable } from "../output/table.js";
import { shellWord } from "../output/text.js";
import { commandLine, typedWriting } from "../rows/change.js";
import { followsFromOperations } from "../rows/signed-rows.js";

/** Replaces the rows of a context by the rows of a backup. */
export const restore = command({
  words: "restore <from> <db>",
  description: "replace the rows of one context by those of a backup",
  writes: true,
  options: {
    context: text("<context>", "the context: its name, its id, or the first digits of its id"),
    keep: text(
      "<folder>",
      "where the database is copied to first: by default DB.before-restore, or with -2, -3 and so on",
    ),
    force: { ...force, description: "replace rows that the database has, or remove them all" },
    dryRun,
    json,
    ...writing,
  },
  help: `Stop the node first: only one process can write.

Examples:
  merostore backup node/data backups/today
  merostore restore --context lobby backups/today node/data --force

All rows whose keys name the context become those of the backup, state, deltas, heads,
private state, identities. They change in one write, as a whole or not at all. Rows that follow from signed operations
stay as they are: the group to which the context belongs, and its members.

--force is needed if the database has rows of the context, if the backup has none, or if it is of another node. A dry
run without it ends with status 2, as the restoration would. The database is copied first; the command that is printed
as undo takes the rows from that copy. For a whole database: merostore db copy BACKUP NEW

A node that goes on from older rows may never again agree with its peers about what it had written after the backup:
restore what its peers do not have, or lost too.`,

  async run(terminal, { from, db }, options) {
    const { context, dryRun, keep = freeName(`${db.replace(/\/+$/, "")}.before-restore`) } = options;
    if (context === undefined)
      throw invalidArgument(
        `name a context with --context; for a whole database: merostore db copy ${shellWord(from)} NEW`,
      );
    refuseFile(from);
    if (kindOfLocation(db) === "server") throw invalidArgument("restore writes to folders, not to servers");
    // The engine that is named is for writing: the backup may have tables that it cannot read.
    await using backup = await openDatabase(terminal, from, { ...options, engine: undefined });
    refuseLost(backup);
    const found = await lookFirst(db, options, async (store) => {
      if (store.schema.name !== backup.schema.name)
        throw invalidArgument(`the backup is of ${backup.schema.name}, the database of ${store.schema.name}`);
      const { contextId } = await parseSelection({ context }, store, backup);
      const changes = await changesOf(store, backup, contextId as Uint8Array);
      return { ...changes, revision: store.schema.name, isForeign: await isOfAnotherNode(store, backup) };
    });
    const { id, operations, kinds, stored, saved, isForeign } = found;
    const same = operations.length === 0;
    if (isForeign && !same)
      terminal.remark(
        "the backup is of another node: its own rows of the context, private ones too, replace this node's",
      );
    const why =
      saved === 0
        ? "the backup has no row of the context: all would be removed"
        : stored > 0
          ? `the database has ${counted(stored, "row")} of the context`
          : "the backup is of another node";
    const isRefused = !same && !options.force && (stored > 0 || saved === 0 || isForeign);
    if (isRefused && !dryRun)
      throw invalidArgument(`${why}. To ${stored > 0 ? "replace them" : "restore it all the same"}: --force`);
    if (!same && !dryRun) {
      // Opened before the copy: a database that a node has open is refused without leaving a copy behind.
      await using store = await openDatabase(terminal, db, { ...options, revision: found.revision }, true);
      await backupDatabase(databaseFolder(db), keep);
      await store.raw.write(operations, { sync: true }).catch((error: unknown) => {
        terminal.remark(`the database as it was: ${keep}`);
        throw error;
      });
    }
    // The undo opens the same database.
    const words = ["restore", "--context", id, keep, db, "--force", ...typedWriting(options)];
    const undo = same || dryRun ? null : commandLine(words);
    if (options.json) {
      const rows = [...kinds].map(([kind, changed]) => ({ kind, ...changed }));
      await terminal.json({ context: id, rows, changed: !same && !dryRun, undo });
    } else if (!same) {
      const cells = [...kinds].map(([kind, one]) => [kind, one.added, one.changed, one.removed]);
      const head = ["", "added", "changed", "removed"];
      await printTable(terminal, [head, ...cells], { right: [1, 2, 3], cut: [0] });
      if (undo !== null) await terminal.line(`undo: ${undo}`);
    }
    if (same) terminal.remark("the database has the rows of the backup: nothing was written");
    else if (dryRun)
      terminal.remark(
        `nothing was written: this was a --dry-run${isRefused ? `. Without --force it will be refused: ${why}` : ""}`,
      );
    else terminal.remark(`${totals([...kinds.values()])}; the database as it was: ${keep}`);
    return isRefused ? 2 : 0;
  },
});

/** Returns whether both sides have keys of their own, and none in common. Damaged tables are left out. */
async function isOfAnotherNode(store: Store, backup: Store): Promise<boolean> {
  const { publicKeys: own } = await new CalimeroNode(partialStore(store)).own();
  const { publicKeys: saved } = await new CalimeroNode(partialStore(backup)).own();
  return own.size > 0 && saved.size > 0 && ![...own].some((key) => saved.has(key));
}

/** The name, or the first free one of `NAME-2`, `NAME-3` and so on. */
function freeName(name: string): string {
  let free = name;
  for (let number = 2; existsSync(free); number++) free = `${name}-${number}`;
  return free;
}

/** `2 rows added, 1 changed, 1 removed` */
function totals(kinds: readonly RowCounts[]): string {
  const sum = (how: keyof RowCounts) => kinds.reduce((all, one) => all + one[how], 0);
  return `${counted(sum("added"), "row")} added, ${count(sum("changed"))} changed, ${count(sum("removed"))} removed`;
}

/** The numbers of rows of a kind that a restore writes or removes. */
interface RowCounts {
  added: number;
  changed: number;
  removed: number;
}

/** The writes that turn the rows of a context into the rows of the backup, and the numbers of rows on each side. */
async function changesOf(store: Store, backup: Store, contextId: Uint8Array) {
  type Writes = Extract<Parameters<Store["raw"]["write"]>[0][number], { readonly type: "put" | "delete" }>;
  const operations: Writes[] = [];
  const kinds = new Map<string, RowCounts>();
  const selected = selectRows({ contextId });
  let [stored, saved] = [0, 0];
  const columns = [...new Set([...store.columns, ...backup.columns])];
  for (const column of columns) {
    const ranges = selected.ranges(column, store.schema, backup.schema);
    for await (const some of pairs(rowsOfStore(store), rowsOfStore(backup), column, ranges))
      for (const [now, then] of some) {
        const key = (now ?? then)?.key as Uint8Array;
        const row = selected.has(store.schema, column, key) ? store.schema.identify(column, key) : undefined;
        if (row === undefined || followsFromOperations(row)) continue;
        if (now !== undefined) stored++;
        if (then !== undefined) saved++;
        if (now?.value !== undefined && then?.value !== undefined && equalBytes(now.value, then.value))
          continue;
        const changed = kinds.get(row.kind) ?? { added: 0, changed: 0, removed: 0 };
        kinds.set(row.kind, changed);
        changed[then === undefined ? "removed" : now === undefined ? "added" : "changed"]++;
        const place = { column, key: copyBytes(key) };
        if (then?.value === undefined) operations.push({ type: "delete", ...place });
        else operations.push({ type: "put", ...place, value: copyBytes(then.value) });
      }
  }
  return { id: toHex(contextId), operations, kinds, stored, saved };
}
