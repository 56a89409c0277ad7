/** Recoveries of a database that is damaged again and again, compared with the oracle. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderFiles } from "../../../src/disk/folder.js";
import type { RecoveryFinding } from "../../../src/engines/files/recover/finding.js";
import { readRecovered } from "../../../src/engines/files/recover/recovered.js";
import {
  openFilesEngine,
  openRocksEngine,
  type RawRow,
  recoverDatabase,
} from "../../../src/engines/index.js";
import { readLog } from "../../../src/lsm/format/log-records.js";
import type { Target } from "../../engines/files/damage/cases.js";
import type { Subject } from "../../engines/files/damage/databases.js";
import { regionsOf } from "../../engines/files/damage/regions.js";
import { type RecoveryCase, recoveryCases } from "./cases.js";
import { everWritten, type RowTexts, survivingRows } from "./oracle.js";
import { type Places, placesOf } from "./places.js";

/** What came of a case. */
export interface RecoveryOutcome {
  readonly rows: number;
  /** Rows that must be there, by the oracle. */
  readonly expected: number;
  /** Findings that say that something is lost. */
  readonly losses: number;
}

const MISSING = "is missing";
const UNEXPECTED = "should not be there";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

export class RecoveryTrial {
  readonly cases: readonly RecoveryCase[];
  readonly #path: string;
  readonly #folder: string;
  readonly #originals: ReadonlyMap<string, Uint8Array>;
  readonly #places: Places;
  readonly #whole: RowTexts;
  readonly #written: ReadonlySet<string>;

  private constructor(
    folder: string,
    path: string,
    originals: ReadonlyMap<string, Uint8Array>,
    places: Places,
    whole: RowTexts,
    cases: readonly RecoveryCase[],
  ) {
    this.#folder = folder;
    this.#path = path;
    this.#originals = originals;
    this.#places = places;
    this.#whole = whole;
    this.#written = everWritten(places);
    this.cases = cases;
  }

  /**
   * @param folder a temporary one
   * @throws Error if the oracle and RocksDB have other rows
   */
  static async of({ make, cases }: Subject, seed: number, folder: string): Promise<RecoveryTrial> {
    const path = await make(folder);
    const originals = new Map<string, Uint8Array>();
    const targets: Target[] = [];
    for (const name of readdirSync(path).toSorted()) {
      const bytes = new Uint8Array(readFileSync(join(path, name)));
      originals.set(name, bytes);
      const regions = await regionsOf(name, bytes);
      if (regions.length > 0) targets.push({ name, bytes, regions });
    }
    const places = await placesOf(path);
    const whole = survivingRows(places, originals, new Map());
    await using engine = await openRocksEngine(path);
    const wrong = differences(whole, await rowsOf(engine.columns, (column) => engine.scan(column).chunks()));
    if (wrong.length > 0) throw new Error(`the oracle is wrong: ${wrong[0]}`);
    const names = targets.map(({ name }) => name);
    return new RecoveryTrial(
      folder,
      path,
      originals,
      places,
      whole,
      recoveryCases(targets, names, cases, seed),
    );
  }

  /**
   * Recovers a case.
   *
   * @param writes into a new database, which is read again; otherwise the rows are taken as they come
   * @throws Error saying which rule is broken
   */
  async run({ files }: RecoveryCase, writes: boolean): Promise<RecoveryOutcome> {
    const findings: RecoveryFinding[] = [];
    try {
      for (const [name, bytes] of files) {
        if (bytes === undefined) unlinkSync(join(this.#path, name));
        else writeFileSync(join(this.#path, name), bytes);
      }
      const found = await (writes ? this.#recover(findings) : this.#read(findings));
      return this.#judge(files, found, findings);
    } finally {
      for (const name of files.keys())
        writeFileSync(join(this.#path, name), this.#originals.get(name) as Uint8Array);
    }
  }

  async #read(findings: RecoveryFinding[]): Promise<RowTexts> {
    const recovered = await readRecovered(folderFiles(this.#path), {
      onFinding: (finding) => findings.push(finding),
      onRead: () => undefined,
      fits: undefined,
    });
    return rowsOf(recovered.columns, (column) => recovered.rows(column));
  }

  async #recover(findings: RecoveryFinding[]): Promise<RowTexts> {
    const target = join(mkdtempSync(join(this.#folder, "new-")), "db");
    await recoverDatabase(this.#path, target, { onFinding: (finding) => findings.push(finding) });
    await using engine = await openFilesEngine(target);
    const rows = await rowsOf(engine.columns, (column) => engine.scan(column).chunks());
    rmSync(target, { recursive: true });
    return rows;
  }

  #judge(
    files: RecoveryCase["files"],
    found: RowTexts,
    findings: readonly RecoveryFinding[],
  ): RecoveryOutcome {
    const expected = survivingRows(this.#places, this.#originals, files);
    const named = this.#named(found);
    for (const [column, rows] of named)
      for (const [key, value] of rows)
        if (!this.#written.has(`${column} ${key} ${value}`))
          throw new Error(`a row of ${column} was never written: ${key}`);
    // The rows of a table without a family are apart from others of the same keys.
    const isApart = [...found.keys()].some((column) => column.startsWith("unknown-table-"));
    // Without the MANIFEST a log counts for all families: what it still has of a lost table comes back.
    const isGuided = [...files].every(
      ([name, bytes]) => bytes !== undefined || !/^(?:CURRENT|MANIFEST)/.test(name),
    );
    const all = differences(expected, named);
    const wrong = all.filter(
      (one) => !(isApart && !one.endsWith(MISSING)) && !(!isGuided && one.endsWith(UNEXPECTED)),
    );
    if (wrong.length > 0)
      throw new Error(
        `${wrong.length} rows differ: ${wrong[0]}; findings: ${JSON.stringify(findings).slice(0, 800)}`,
      );
    const losses = findings.filter(({ lost }) => lost).length;
    const isInvisible = [...files].some(
      ([name, bytes]) => bytes !== undefined && name.endsWith(".log") && readLog(bytes).end.kind === "whole",
    );
    if (losses === 0 && !isInvisible && differences(this.#whole, named).length > 0)
      throw new Error("something is lost, and nothing says so");
    const outside = findings.filter(({ file }) => !this.#originals.has(file));
    if (outside.length > 0 && ![...outside].every(({ file }) => file === "CURRENT"))
      throw new Error(`a finding names the file ${outside[0]?.file}`);
    return { rows: count(named), expected: count(expected), losses };
  }

  /** Families that have only their id, under their names. */
  #named(found: RowTexts): RowTexts {
    const { columns, liveFiles } = this.#places.catalog.manifest;
    const names = new Map<string, string>([
      ...columns.map(({ id, name }) => [`unknown-${id}`, name] as const),
      ...liveFiles.map(({ number, column }) => [`unknown-table-${number}`, column] as const),
    ]);
    const named = new Map<string, ReadonlyMap<string, string>>();
    for (const [column, rows] of [...found].toSorted(
      ([a], [b]) => Number(names.has(b)) - Number(names.has(a)),
    )) {
      const name = names.get(column) ?? column;
      named.set(name, new Map([...(named.get(name) ?? []), ...rows]));
    }
    return named;
  }
}

async function rowsOf(
  columns: readonly string[],
  scan: (column: string) => AsyncIterable<readonly RawRow[]>,
): Promise<RowTexts> {
  const found = new Map<string, Map<string, string>>();
  for (const column of columns) {
    const rows = new Map<string, string>();
    let last = "";
    for await (const piece of scan(column)) {
      for (const { key, value } of piece) {
        if (rows.size > 0 && hex(key) <= last) throw new Error(`the rows of ${column} are out of order`);
        last = hex(key);
        rows.set(last, hex(value));
      }
    }
    if (rows.size > 0) found.set(column, rows);
  }
  return found;
}

function count(rows: RowTexts): number {
  return [...rows.values()].reduce((sum, { size }) => sum + size, 0);
}

/** What one side has and the other has not, in words. */
function differences(expected: RowTexts, found: RowTexts): string[] {
  const wrong: string[] = [];
  for (const column of new Set([...expected.keys(), ...found.keys()])) {
    const [one, other] = [expected.get(column) ?? new Map(), found.get(column) ?? new Map()];
    for (const [key, value] of one)
      if (other.get(key) !== value) wrong.push(`${column} ${key} ${other.has(key) ? "is another" : MISSING}`);
    for (const key of other.keys()) if (!one.has(key)) wrong.push(`${column} ${key} ${UNEXPECTED}`);
  }
  return wrong;
}
