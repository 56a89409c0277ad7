/** A database whose files are damaged, one after another, and read by both engines. */

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFilesEngine } from "../../../../src/engines/files/open-folder.js";
import { openRocksEngine } from "../../../../src/engines/index.js";
import { readLog } from "../../../../src/lsm/format/log-records.js";
import { type DamageCase, damageCases, type Target } from "./cases.js";
import { copyInto, type Subject } from "./databases.js";
import { type Keys, readAll } from "./reading.js";
import { regionsOf, wholeRecordsBefore } from "./regions.js";
import { type Ending, errorsOf, judge, type Rows } from "./verdict.js";

/** The result of a case. */
export interface Outcome {
  readonly ending: Ending;
  /** The errors of this engine. */
  readonly errors: readonly string[];
}

export class Trial {
  readonly cases: readonly DamageCase[];
  readonly #folder: string;
  readonly #path: string;
  readonly #originals: ReadonlyMap<string, Uint8Array>;
  readonly #whole: Rows;
  readonly #keys: Keys;
  readonly #isOursAlone: boolean;
  /** The rows of the database with a log that ends early, by log and end. */
  readonly #cut = new Map<string, Promise<Rows>>();

  private constructor(
    folder: string,
    path: string,
    targets: readonly Target[],
    whole: Rows,
    cases: readonly DamageCase[],
    isOursAlone: boolean,
  ) {
    this.#isOursAlone = isOursAlone;
    this.#folder = folder;
    this.#path = path;
    this.#originals = new Map(targets.map(({ name, bytes }) => [name, bytes]));
    this.#whole = whole;
    this.#keys = new Map(Array.from(whole, ([column, rows]) => [column, rows.map(({ key }) => key)]));
    this.cases = cases;
  }

  /** @param folder a temporary one, for the database and copies of it */
  static async of({ make, cases, isOursAlone }: Subject, seed: number, folder: string): Promise<Trial> {
    const path = await make(folder);
    const targets: Target[] = [];
    for (const name of readdirSync(path).toSorted()) {
      const bytes = new Uint8Array(readFileSync(join(path, name)));
      const regions = await regionsOf(name, bytes);
      if (regions.length > 0) targets.push({ name, bytes, regions });
    }
    const isAlone = isOursAlone === true;
    const whole = await rowsOf(path, isAlone);
    return new Trial(folder, path, targets, whole, damageCases(targets, cases, seed), isAlone);
  }

  /**
   * The ending of a case, and its errors.
   *
   * @param everyWay whether to read backward and by key as well
   * @throws Error saying which rule is broken
   */
  async run(damage: DamageCase, everyWay: boolean): Promise<Outcome> {
    const path = this.#path;
    const keys = everyWay ? this.#keys : undefined;
    const file = join(path, damage.file);
    writeFileSync(file, damage.bytes);
    try {
      const onDisk = filesOf(path);
      const files = await readAll(() => openFilesEngine(path), keys);
      if (filesOf(path) !== onDisk) throw new Error("something on disk has changed");
      const isAsked = !this.#isOursAlone && !neverEnds(damage);
      const rocks = isAsked ? await readAll(() => openRocksEngine(path), keys) : undefined;
      const isLog = damage.file.endsWith(".log");
      const ending = judge(files, rocks, {
        whole: this.#whole,
        before: isLog ? await this.#rowsBefore(damage) : undefined,
        invisible: isLog && readLog(damage.bytes).end.kind === "whole",
        isOursAlone: this.#isOursAlone,
      });
      return { ending, errors: errorsOf(files).map(([, error]) => (error as Error).message) };
    } finally {
      writeFileSync(file, this.#originals.get(damage.file) as Uint8Array);
    }
  }

  /** The rows of the database with a log that ends before the damaged record, and with empty logs after it. */
  #rowsBefore({ file, at }: DamageCase): Promise<Rows> {
    const log = this.#originals.get(file) as Uint8Array;
    const end = wholeRecordsBefore(log, at);
    const place = `${file} ${end}`;
    const found = this.#cut.get(place) ?? this.#readCut(file, log.subarray(0, end));
    this.#cut.set(place, found);
    return found;
  }

  async #readCut(file: string, log: Uint8Array): Promise<Rows> {
    const copy = copyInto(this.#folder, this.#path);
    for (const [name, bytes] of this.#originals) {
      if (name.endsWith(".log") && name > file) writeFileSync(join(copy, name), "");
      else writeFileSync(join(copy, name), name === file ? log : bytes);
    }
    return rowsOf(copy, this.#isOursAlone);
  }
}

/**
 * Returns whether RocksDB looks at a log forever: at a record of the kind for reused files, after records of another
 * kind (`Reader::ReadPhysicalRecord` gives `kBadRecord` without going on).
 */
function neverEnds({ file, bytes }: DamageCase): boolean {
  if (!file.endsWith(".log")) return false;
  const { end } = readLog(bytes);
  return end.kind === "damaged" && end.why.includes("of a kind that this log has not");
}

/** All rows by RocksDB; by this engine if RocksDB cannot open the database, because other tests check those rows. */
async function rowsOf(path: string, isOursAlone: boolean): Promise<Rows> {
  const { opening, forward } = await readAll(() =>
    isOursAlone ? openFilesEngine(path) : openRocksEngine(path),
  );
  if (opening !== undefined) throw opening.error;
  return new Map(Array.from(forward, ([column, { rows }]) => [column, rows]));
}

/** Names, sizes and times of all files. */
function filesOf(path: string): string {
  return readdirSync(path)
    .map((name) => {
      const { size, mtimeNs, ctimeNs } = statSync(join(path, name), { bigint: true });
      return `${name}: ${size} bytes, ${mtimeNs}, ${ctimeNs}`;
    })
    .join("\n");
}
