import { partialStore } from "../../node/index.js";
import { command } from "../arguments/command.js";
import { json, opening } from "../arguments/options.js";
import { isEncrypted, openDatabase } from "../database/database.js";
import { blobsOf, databaseFolder } from "../database/database-folder.js";
import { undecodedTexts, unreadStatus } from "../database/unread.js";
import { nodeAt } from "../node/options.js";
import { countFamilies, remarkDamage, sum } from "./families.js";
import { folderSizes } from "./folder-sizes.js";
import { type ContextStatus, readNodeStatus } from "./node-facts.js";
import { quickCheck } from "./quick-check.js";

/** A number with its labels. */
interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Samples of one name, all gauges. */
interface Metric {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** Prints the numbers of a node for a monitoring system. */
export const metrics = command({
  words: "metrics <db>",
  description:
    "numbers for monitoring, in the text format of Prometheus: rows, sizes, pending deltas, findings",
  options: { ...opening, json },
  help: `Rows and bytes of each column family, files, changes that are only in the log; of each context the deltas, the pending
ones, the heads, and the seconds since the last change by its author's clock; findings of a quick check, which leaves
out column families of more than 2,000 rows: "merostore verify" checks everything. Reads every row once.

Examples:
  merostore metrics node/data
  merostore metrics node/data > node.prom
  merostore metrics node/data --json

Status 3 if a column family is damaged: its rows are counted up to the damage. Status 3 too if rows do not decode, 4 if
a newer node may have written them: stderr names their kinds.`,

  async run(terminal, { db }, options) {
    await using store = await openDatabase(terminal, db, options);
    if (await isEncrypted(store, options)) return 3;
    const families = await countFamilies(terminal, store);
    const part = partialStore(store);
    const node = await nodeAt(part, db);
    const status = await readNodeStatus({ store: part, node }, families);
    const check = await quickCheck(terminal, store, node, families);
    const files = Object.entries((await folderSizes(databaseFolder(db), blobsOf(db))) ?? {});
    const ofFiles = (what: "files" | "bytes"): Sample[] =>
      files.flatMap(([kind, found]) =>
        found === undefined ? [] : [{ labels: { kind }, value: found[what] }],
      );
    const ofFamilies = (what: "rows" | "bytes"): Sample[] =>
      families.flatMap((family) =>
        node.unread.leftOut?.(family.column, {}) !== undefined
          ? []
          : [{ labels: { column: family.column }, value: family[what] }],
      );
    const ofContexts = (
      name: string,
      help: string,
      numberOf: (one: ContextStatus) => number | undefined,
    ): Metric => {
      const samples = status.contexts.flatMap((one) => {
        const value = numberOf(one);
        const { id, name = "" } = one.context;
        return value === undefined ? [] : [{ labels: { context: id, name }, value }];
      });
      return metric(`context_${name}`, help, samples);
    };
    const now = Date.now();
    const all: readonly Metric[] = [
      metric("rows", "Rows of a column family.", ofFamilies("rows")),
      metric("row_bytes", "Bytes of keys and values of a column family.", ofFamilies("bytes")),
      metric("files", "Files of the database and of its blobs.", ofFiles("files")),
      metric("file_bytes", "Bytes of these files.", ofFiles("bytes")),
      metric("unflushed_changes", "Changes that are only in the write-ahead log.", [
        { labels: {}, value: sum(families, "unflushed") },
      ]),
      ofContexts("deltas", "Deltas of a context.", ({ deltas }) => deltas),
      ofContexts("pending_deltas", "Deltas that are not applied.", ({ pending }) => pending),
      ofContexts("heads", "Deltas that no applied delta follows.", ({ heads, isUnread }) =>
        isUnread ? undefined : heads.length,
      ),
      ofContexts("seconds_since_change", "Seconds since the newest head was made.", ({ changedAt }) =>
        changedAt === undefined ? undefined : Math.max(0, Math.round((now - changedAt) / 1_000)),
      ),
      metric(
        "group_pending_work",
        "Work on a group that the node still has to do.",
        status.groups.map(({ node: { group }, work }) => ({
          labels: { group: group.id, name: group.name ?? "" },
          value: work.length,
        })),
      ),
      metric("findings", "Findings of a quick check.", [
        { labels: { severity: "error" }, value: check.errors },
        { labels: { severity: "warning" }, value: check.warnings },
        { labels: { severity: "info" }, value: check.infos },
      ]),
      metric("checked_rows", "Rows that the quick check looked at.", [{ labels: {}, value: check.rows }]),
    ];
    for (const one of all)
      if (options.json) await terminal.json(one);
      else await terminal.lines(metricLines(one));
    const damaged = await remarkDamage(terminal, families);
    for (const text of undecodedTexts({ store, node })) terminal.remark(text);
    return damaged || unreadStatus({ store, node });
  },
});

function metric(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name: `merostore_${name}`, help, samples };
}

function metricLines({ name, help, samples }: Metric): string[] {
  if (samples.length === 0) return [];
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...samples.map(({ labels, value }) => {
      const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
      return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
    }),
  ];
}

/** The escaped text of a label. */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
