/** Reads everything that is still readable in a damaged database: its column families, and their rows in key order. */

import { compareBytes } from "../../../bytes/order.js";
import { append } from "../../../collections/lists.js";
import type { RawRow } from "../../../engine/engine.js";
import {
  type DamagedCatalog,
  type NamedTable,
  readDamagedCatalog,
} from "../../../lsm/catalog/damaged-catalog.js";
import { logName, tableName } from "../../../lsm/catalog/file-names.js";
import type { FileSet } from "../../../lsm/source.js";
import { ALL, longestRead, MemtableIterator } from "../read/block-iterator.js";
import { Cursor } from "../read/cursor.js";
import type { Memtable } from "../read/memtable.js";
import { Merge } from "../read/merge.js";
import { Tombstones } from "../read/tombstones.js";
import { whyOf } from "./block-reading.js";
import { type DamagedLog, readDamagedLogs } from "./damaged-logs.js";
import { type DamagedTable, openDamagedTable } from "./damaged-table.js";
import { DamagedTablesIterator, type NumberedTable, type RecoveryEvents } from "./damaged-tables.js";
import {
  type FamilyHints,
  type FamilyName,
  type NameSource,
  nameFamilies,
  nameOfTable,
  type RowWriter,
} from "./families.js";
import { factsOf, finding } from "./finding.js";
import { sampleOfLogs, sampleOfTable } from "./samples.js";
import { tellTable } from "./table-findings.js";

/** The bytes of the longest read of one level. */
const LONGEST_READ = 1024 * 1024;

/** The message for a log that is read without a complete MANIFEST. */
const UNGUIDED_LOG =
  "the log was read without a whole MANIFEST: it may be obsolete, and a newer log may be missing. Compaction sets sequence numbers to 0: such a row of a table counts as older than any version of it in the log, even if it is newer";

/** A column family that is at least partly readable. */
interface Family {
  readonly name: string;
  /** The source of the name: the weakest source among its rows. */
  source: NameSource;
  readonly tables: NumberedTable[];
  readonly memtables: Memtable[];
}

/** A damaged database, open for one reading of all its rows. */
export interface Recovered {
  /** True if a whole MANIFEST names the files. */
  readonly isManifestWhole: boolean;
  /** Names of the column families. */
  readonly columns: readonly string[];
  /** The source of the name of a column family. */
  source(column: string): NameSource;
  /** The bytes of the tables that will be read. */
  readonly bytes: number;
  /** Yields the readable rows of a family, in key order, in pieces. */
  rows(column: string): AsyncGenerator<readonly RawRow[]>;
}

/** Options for reading a damaged database. */
interface RecoveredOptions extends RecoveryEvents {
  /** The programs that may have written it, the likeliest first. */
  readonly writers: readonly RowWriter[];
}

/**
 * Reads the catalog, the ends of the tables and the logs of a damaged database, and reports findings about them.
 * Findings about blocks of rows are reported while `rows` reads them.
 *
 * @throws MerostoreError FORMAT_UNSUPPORTED, ENGINE_FAILED
 */
export async function readRecovered(files: FileSet, options: RecoveredOptions): Promise<Recovered> {
  const { onFinding } = options;
  const catalog = await readDamagedCatalog(files);
  for (const { file, message, lost } of catalog.notes) onFinding(finding(file, message, { lost }));
  const opened = await openTables(files, catalog, options);
  const logs = await readDamagedLogs(catalog, takenBy(catalog), options);
  const families = await familiesOf(catalog, opened, logs, options);
  return {
    isManifestWhole: catalog.isWhole,
    columns: [...families.keys()],
    source: (column) => families.get(column)?.source ?? "file",
    bytes: opened.reduce((sum, { table }) => sum + table.size, 0),
    async *rows(column) {
      const family = families.get(column);
      if (family !== undefined) yield* rowsOf(files, family, options);
    },
  };
}

interface OpenedTable {
  readonly named: NamedTable;
  readonly table: DamagedTable;
}

async function openTables(
  files: FileSet,
  { tables, missing, droppedIds }: DamagedCatalog,
  { onFinding, settled }: RecoveryEvents,
): Promise<OpenedTable[]> {
  for (const live of missing)
    onFinding(finding(tableName(live.number), "the table is missing", factsOf(live)));
  const opened: OpenedTable[] = [];
  for (const named of tables) {
    const { name, live } = named;
    let found: DamagedTable | string;
    let size = live?.size ?? 0;
    try {
      const source = await files.open(name);
      if (source === undefined) found = "the file is gone";
      else {
        size = source.size;
        try {
          found = await openDamagedTable(source, name, live);
        } finally {
          source.close();
        }
      }
    } catch (error) {
      found = whyOf(error);
    }
    if (typeof found === "string")
      onFinding(
        finding(name, `nothing of the table can be read: ${found}`, {
          ...(live && factsOf(live)),
          bytes: size,
        }),
      );
    else if (live === undefined && droppedIds.has(found.origin?.columnId ?? -1))
      onFinding(finding(name, "the column family of the table was dropped", { lost: false }));
    else {
      tellTable(found, onFinding);
      opened.push({ named, table: found });
    }
    await settled();
  }
  return opened;
}

/** Returns a function that tells whether a family needs a log. Tables have the writes of earlier logs. */
function takenBy({ columns, isWhole, droppedIds }: DamagedCatalog) {
  const first = new Map(columns.map(({ id, logNumber }) => [id, logNumber]));
  return (log: number, column: number): boolean => {
    const from = first.get(column);
    if (from === undefined) return !isWhole && !droppedIds.has(column);
    return log >= from;
  };
}

async function familiesOf(
  catalog: DamagedCatalog,
  opened: readonly OpenedTable[],
  logs: readonly DamagedLog[],
  { onFinding, writers }: RecoveredOptions,
): Promise<Map<string, Family>> {
  const known = new Map<number, string>([[0, "default"], ...catalog.olderNames]);
  for (const { table } of opened) {
    const { column, columnId } = table.origin ?? {};
    if (column !== undefined && columnId !== undefined) known.set(columnId, column);
  }
  for (const { id, name } of catalog.columns) known.set(id, name);
  const options = catalog.optionsColumns;
  const hints: FamilyHints = { known, options, writers };
  const families = new Map<string, Family>();
  const familyOf = (name: string, source: NameSource = "file"): Family => {
    const family = families.get(name) ?? { name, source, tables: [], memtables: [] };
    families.set(name, family);
    if (family.source === "file") family.source = source;
    return family;
  };
  for (const { name } of catalog.columns) familyOf(name);
  for (const name of options ?? []) if (name !== "") familyOf(name);
  const tell = (file: string, what: string, { name, source }: FamilyName): void => {
    if (source === "file") return;
    const message = source === "none" ? `its rows are in ${name}` : `its rows look like those of ${name}`;
    onFinding(finding(file, `nothing tells ${what}: ${message}`, { lost: false }));
  };
  for (const { named, table } of opened) {
    const { number } = named;
    const column = columnOf(named, table, known);
    const family: FamilyName =
      column === undefined
        ? nameOfTable(number, await sampleOfTable(catalog.files, { table, number, column: "" }), hints)
        : { name: column, source: "file" };
    tell(named.name, "which column family the table belongs to", family);
    familyOf(family.name, family.source).tables.push({ table, number, column: family.name });
  }
  const memtables = new Map<number, Memtable[]>();
  for (const log of logs) for (const [id, memtable] of log.memtables) append(memtables, id, memtable);
  const samples = new Map(Array.from(memtables, ([id, some]) => [id, sampleOfLogs(some)]));
  const names = nameFamilies(samples, hints);
  const told = new Set<number>();
  for (const { number, memtables } of logs) {
    if (!catalog.isWhole && memtables.size > 0)
      onFinding(finding(logName(number), UNGUIDED_LOG, { lost: false }));
    for (const [id, memtable] of memtables) {
      const family = names.get(id) as FamilyName;
      if (!told.has(id)) tell(logName(number), `the name of the column family ${id}`, family);
      told.add(id);
      familyOf(family.name, family.source).memtables.push(memtable);
    }
  }
  return families;
}

/** Returns the family of a table, as the table names it, or else the MANIFEST. */
function columnOf(
  { live }: NamedTable,
  { origin }: DamagedTable,
  known: ReadonlyMap<number, string>,
): string | undefined {
  const id = origin?.columnId;
  return (id === undefined ? undefined : known.get(id)) ?? origin?.column ?? live?.column;
}

async function* rowsOf(
  files: FileSet,
  { tables, memtables }: Family,
  events: RecoveryEvents,
): AsyncGenerator<readonly RawRow[]> {
  const deletions = [
    ...tables.flatMap(({ table }) => table.rangeDeletions),
    ...memtables.flatMap(({ rangeDeletions }) => rangeDeletions),
  ];
  const levels = levelsOf(tables);
  const read = longestRead(levels.length, LONGEST_READ);
  const cursors = [
    ...levels.map((level) => new Cursor(new DamagedTablesIterator(files, level, read, events), ALL)),
    ...memtables.map((memtable) => new Cursor(new MemtableIterator(memtable, ALL, false), ALL)),
  ];
  const tombstones = Tombstones.of(deletions);
  const merge = new Merge(cursors, { reverse: false, keysOnly: false, asEntries: false, tombstones });
  try {
    for (;;) {
      const rows = await merge.next(CHUNK);
      await events.settled();
      if (rows === undefined) return;
      yield rows;
    }
  } finally {
    await Promise.all(cursors.map((cursor) => cursor.close()));
  }
}

/** The number of rows in a piece. */
const CHUNK = 1000;

/** Divides tables into few levels of tables that do not overlap, each in key order. */
function levelsOf(tables: readonly NumberedTable[]): NumberedTable[][] {
  const sorted = tables
    .filter(({ table }) => table.last !== undefined)
    .toSorted((a, b) => compareFirst(a.table, b.table));
  const levels: NumberedTable[][] = [];
  for (const one of sorted) {
    const level = levels.find((others) => isAfter(one.table, others.at(-1)?.table));
    if (level === undefined) levels.push([one]);
    else level.push(one);
  }
  return levels;
}

function compareFirst(a: DamagedTable, b: DamagedTable): number {
  if (a.first === undefined || b.first === undefined)
    return Number(a.first !== undefined) - Number(b.first !== undefined);
  return compareBytes(a.first, b.first);
}

function isAfter({ first }: DamagedTable, before: DamagedTable | undefined): boolean {
  return first !== undefined && before?.last !== undefined && compareBytes(before.last, first) < 0;
}
