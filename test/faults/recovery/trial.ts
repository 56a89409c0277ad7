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
import { BLOCK_TRAILER } from "../../../src/lsm/format/checksum.js";
import { readLog } from "../../../src/lsm/format/log-records.js";
import type { Target } from "../../engines/files/damage/cases.js";
import type { Subject } from "../../engines/files/damage/databases.js";
import { regionsOf } from "../../engines/files/damage/regions.js";
import { type RecoveryCase, recoveryCases } from "./cases.js";
import { canBeFound, type RowTexts, survivingRows } from "./oracle.js";
import { type Place, type Places, placesOf } from "./places.js";

/** The result of a case. */
export interface RecoveryOutcome {
  readonly rows: number;
  /** Rows that must be there, by the oracle. */
  readonly expected: number;
  /** Findings of lost data. */
  readonly losses: number;
}

/** The number of rows outside of the damage that two programs save. */
export interface Comparison {
  /** Rows that are not damaged, by the oracle. */
  readonly outside: number;
  readonly recovered: number;
  readonly repaired: number;
  /** True if the other program could not repair the database. */
  readonly refused: boolean;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

export class RecoveryTrial {
  readonly cases: readonly RecoveryCase[];
  readonly #path: string;
  readonly #folder: string;
  readonly #originals: ReadonlyMap<string, Uint8Array>;
  readonly #places: Places;
  readonly #whole: RowTexts;

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
    this.cases = cases;
  }

  /**
   * @param folder a temporary one
   * @throws Error if the oracle and RocksDB have other rows, or this engine where RocksDB cannot open the database
   */
  static async of(
    { make, cases, isOursAlone }: Subject,
    seed: number,
    folder: string,
  ): Promise<RecoveryTrial> {
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
    await using engine = await (isOursAlone ? openFilesEngine : openRocksEngine)(path);
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
   * @param writes whether to write a new database and read it again; else the rows are taken as they come
   * @throws Error saying which rule is broken
   */
  async run({ files }: RecoveryCase, writes: boolean): Promise<RecoveryOutcome> {
    const findings: RecoveryFinding[] = [];
    try {
      for (const [name, bytes] of files) {
        if (bytes === undefined) unlinkSync(join(this.#path, name));
        else writeFileSync(join(this.#path, name), bytes);
      }
      const found = await (writes ? this.#recover(findings) : readRows(this.#path, findings));
      return this.#judge(files, found, findings);
    } finally {
      for (const name of files.keys())
        writeFileSync(join(this.#path, name), this.#originals.get(name) as Uint8Array);
    }
  }

  /**
   * Compares the rows that another program saves of a case with the rows of a recovery.
   *
   * @param repair repairs the database at a path, and returns its rows; undefined if it cannot
   */
  async compare(
    { files }: RecoveryCase,
    repair: (path: string) => RowTexts | undefined,
  ): Promise<Comparison> {
    const copy = mkdtempSync(join(this.#folder, "repaired-"));
    try {
      for (const [name, bytes] of this.#originals) {
        const left = files.has(name) ? files.get(name) : bytes;
        if (left !== undefined) writeFileSync(join(copy, name), left);
      }
      const recovered = await readRows(copy, []);
      const repaired = repair(copy);
      const expected = survivingRows(this.#places, this.#originals, files);
      return {
        outside: count(expected),
        recovered: shared(expected, recovered),
        repaired: shared(expected, repaired ?? new Map()),
        refused: repaired === undefined,
      };
    } finally {
      rmSync(copy, { recursive: true });
    }
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
    const expected = survivingRows(this.#places, this.#originals, files, this.#namesIn(files, found));
    const wrong = differences(expected, found);
    if (wrong.length > 0)
      throw new Error(
        `${wrong.length} rows differ: ${wrong[0]}; findings: ${JSON.stringify(findings).slice(0, 800)}`,
      );
    const losses = findings.filter(({ lost }) => lost).length;
    const left = survivingRows(this.#places, this.#originals, files);
    if (losses === 0 && !this.#isInvisible(files) && differences(this.#whole, left).length > 0)
      throw new Error("something is lost, and nothing says so");
    const manifest = files.get(this.#places.catalog.manifestName);
    const isUnguided =
      files.has(this.#places.catalog.manifestName) &&
      (manifest === undefined || readLog(manifest).end.kind !== "whole");
    const logs = new Set(
      findings.flatMap(({ file, lost }) => (file.endsWith(".log") && !lost ? [file] : [])),
    );
    for (const { place, isObsolete } of this.#places.entries)
      if (isUnguided && isObsolete && !files.has(place.file) && !logs.has(place.file))
        throw new Error(`nothing says that ${place.file} may be obsolete`);
    this.#checkPlaces(files, findings);
    const outside = findings.filter(({ file }) => !this.#originals.has(file));
    if (outside.length > 0 && ![...outside].every(({ file }) => file === "CURRENT"))
      throw new Error(`a finding names the file ${outside[0]?.file}`);
    return { rows: count(found), expected: count(expected), losses };
  }

  /** Throws if a finding about lost bytes names a file or bytes that were not damaged. */
  #checkPlaces(files: RecoveryCase["files"], findings: readonly RecoveryFinding[]): void {
    for (const { file, offset, bytes, lost, message } of findings) {
      if (!lost || bytes === 0) continue;
      if (!files.has(file)) throw new Error(`${file} is not damaged, and a finding says: ${message}`);
      const damaged = files.get(file);
      const original = this.#originals.get(file) as Uint8Array;
      if (damaged === undefined) continue;
      const isChanged = (at: number) => damaged[at] !== original[at];
      const end = Math.min(offset + bytes, original.length);
      if (end >= damaged.length && damaged.length < original.length) continue;
      if (this.#isLocked(file, files)) continue;
      // Without the properties of a table and the MANIFEST nothing tells a filter from a data block.
      if (files.has(this.#places.catalog.manifestName) && !this.#hasProperties(file, files)) continue;
      if (!Array.from({ length: end - offset }, (_, at) => offset + at).some(isChanged))
        throw new Error(
          `bytes ${offset} to ${end} of ${file} are not damaged, and a finding says: ${message}`,
        );
    }
  }

  /**
   * Returns whether a database looks like one of a killed node: only the end of the last log is missing, or the node
   * reserved it.
   */
  #isInvisible(files: RecoveryCase["files"]): boolean {
    const last = [...this.#originals.keys()].filter((name) => name.endsWith(".log")).at(-1);
    const changed = [...files].filter(([name]) => name.endsWith(".log"));
    const [name, bytes] = changed[0] ?? [];
    if (changed.length !== 1 || name !== last || name === undefined || bytes === undefined) return false;
    const original = this.#originals.get(name) as Uint8Array;
    const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
    if (Buffer.compare(bytes.subarray(0, end), original.subarray(0, end)) === 0) return true;
    // A length beyond the file with a wrong checksum, in the header of the last record, looks like an unfinished write.
    const { offset } = readLog(original).records.at(-1) ?? { offset: 0 };
    const first = bytes.findIndex((byte, at) => byte !== original[at]);
    return first >= offset && first < offset + 7 && readLog(bytes).end.kind === "torn";
  }

  /** Returns whether the dictionary of a table cannot be found: then undamaged blocks are lost too. */
  #isLocked(table: string, files: RecoveryCase["files"]): boolean {
    const { dictionary } =
      this.#places.entries.find((entry) => entry.place.file === table && entry.dictionary) ?? {};
    return !canBeFound(dictionary, (place) => this.#isAsItWas(place, files));
  }

  #isAsItWas({ file, start, end }: Place, files: RecoveryCase["files"]): boolean {
    const original = this.#originals.get(file) as Uint8Array;
    const bytes = files.get(file) ?? original;
    return Buffer.compare(bytes.subarray(start, end), original.subarray(start, end)) === 0;
  }

  /** Returns whether the properties of a table are undamaged. */
  #hasProperties(table: string, files: RecoveryCase["files"]): boolean {
    const handle = this.#places.blocks.get(table)?.find(({ name }) => name === "properties")?.handle;
    if (handle === undefined) return false;
    const end = handle.offset + handle.size + BLOCK_TRAILER;
    return this.#isAsItWas({ file: table, start: handle.offset, end }, files);
  }

  /**
   * The families under which a recovery has the changes of files.
   *
   * @throws Error if a file lost its family without need
   */
  #namesIn(files: RecoveryCase["files"], found: RowTexts): (file: string, column: string) => string {
    const { catalog } = this.#places;
    const isGuided = !files.has(catalog.manifestName);
    const isUnguided = !isGuided && files.get(catalog.manifestName) === undefined;
    const apart = new Set(found.keys());
    for (const name of found.keys())
      if (isGuided && name.startsWith("unknown-"))
        throw new Error(`the MANIFEST is whole, and rows are in ${name}`);
    for (const [number, table] of catalog.tables) {
      const name = `unknown-table-${number}`;
      const isKnown = this.#hasProperties(table, files);
      if (isKnown && found.has(name))
        throw new Error(`the properties of ${table} are whole, and its rows are in ${name}`);
      if (!isKnown && isUnguided) apart.add(name);
    }
    const tables = new Map([...catalog.tables].map(([number, name]) => [name, `unknown-table-${number}`]));
    const ids = new Map(catalog.manifest.columns.map(({ id, name }) => [name, `unknown-${id}`]));
    return (file, column) => {
      const unknown = tables.get(file) ?? ids.get(column);
      return unknown !== undefined && apart.has(unknown) ? unknown : column;
    };
  }
}

async function readRows(path: string, findings: RecoveryFinding[]): Promise<RowTexts> {
  const recovered = await readRecovered(folderFiles(path), {
    onFinding: (finding) => findings.push(finding),
    onRead: () => undefined,
    settled: () => undefined,
    writers: [],
  });
  return rowsOf(recovered.columns, (column) => recovered.rows(column));
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

/** Counts the rows that both sides have with the same value, under any family: the damage may hide its name. */
function shared(expected: RowTexts, found: RowTexts): number {
  const values = new Map<string, Set<string>>();
  for (const rows of found.values()) {
    for (const [key, value] of rows) {
      const seen = values.get(key);
      if (seen === undefined) values.set(key, new Set([value]));
      else seen.add(value);
    }
  }
  let both = 0;
  for (const rows of expected.values())
    for (const [key, value] of rows) if (values.get(key)?.has(value)) both++;
  return both;
}

/** The rows that only one side has, in words. */
function differences(expected: RowTexts, found: RowTexts): string[] {
  const wrong: string[] = [];
  for (const column of new Set([...expected.keys(), ...found.keys()])) {
    const [one, other] = [expected.get(column) ?? new Map(), found.get(column) ?? new Map()];
    for (const [key, value] of one)
      if (other.get(key) !== value)
        wrong.push(`${column} ${key} ${other.has(key) ? "is another" : "is missing"}`);
    for (const key of other.keys()) if (!one.has(key)) wrong.push(`${column} ${key} should not be there`);
  }
  return wrong;
}
