/** Checks how much a node of core-0.11 can read of a database of core-0.10 that nobody converted. Nothing is written. */
import { UndecryptedBytes } from "../bytes/undecrypted.js";
import { payloadsIn, ReadFailure } from "../codec/index.js";
import { abortable, sizeOf } from "../engine/abortable.js";
import {
  type Engine,
  type EngineOptions,
  isLocation,
  openEngine,
  type PathOrUrl,
  type RawRow,
} from "../engines/index.js";
import { invalidArgument } from "../errors.js";
import { ContextState011 } from "../keys/index.js";
import { checkOptions, isText, type OptionChecks } from "../options.js";
import { Pause } from "../pause.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import { type AnyRow, core010, core011 } from "../schemas/index.js";
import { conversions } from "./conversions.js";
import { DamagedIndexRows } from "./damaged-index-rows.js";
import { checkSource, isConvertedRevision } from "./source.js";

/** Options of {@link checkUpgrade}. */
export interface UpgradeOptions extends ProgressOptions {
  /** The revision of the node. */
  readonly to: "core-0.11";
  /** The engine that reads the database, as for `openEngine`. */
  readonly engine?: EngineOptions["engine"];
}

const upgradeOptions: OptionChecks<UpgradeOptions> = {
  to: isConvertedRevision,
  engine: isText,
  ...progressOptions,
};

/** The counts of the rows of a kind by the reading of a node. */
export interface UpgradedKind {
  /** Name of the column family. */
  readonly column: string;
  /** The kind in core-0.10; null for rows of no known kind. */
  readonly kind: string | null;
  /** In State: the index rows of entities, or the rows with their data. */
  readonly part?: "index rows" | "entry rows";
  /** All rows. */
  readonly rows: number;
  /** Rows that the node reads and understands. */
  readonly read: number;
  /** Rows that decode, but name something in their key or content that no longer exists. */
  readonly missed: number;
  /** Rows that do not decode. */
  readonly unreadable: number;
  /** Rows that nothing reads. */
  readonly unused: number;
  /** The consequence for the operator, in a sentence. */
  readonly means: string;
}

/** The answer for a database. */
export interface UpgradeCheck {
  /** All rows. */
  readonly rows: number;
  /** Rows that the node reads and understands. */
  readonly read: number;
  /** The counts of each kind. */
  readonly kinds: readonly UpgradedKind[];
}

type Verdict = "read" | "missed" | "unreadable" | "unused";
type StateHalf = UpgradedKind["part"];
type Mutable = { -readonly [Name in keyof UpgradedKind]: UpgradedKind[Name] };

/**
 * Decodes every row as a node of core-0.11 would, and counts the rows that the operator loses. A node does not convert
 * rows.
 *
 * @param source a folder, a URL, or an open engine, which stays open
 * @throws MerostoreError CONVERSION_UNSUPPORTED unless the database is of core-0.10; errors of opening and reading
 */
export async function checkUpgrade(
  source: PathOrUrl | Engine,
  options: UpgradeOptions,
): Promise<UpgradeCheck> {
  checkOptions("checkUpgrade", options, upgradeOptions);
  if (options?.to === undefined) throw invalidArgument("checkUpgrade needs the option to");
  if (!isLocation(source)) return check(source, options);
  await using engine = await openEngine(source, { engine: options.engine });
  return await check(engine, options);
}

async function check(source: Engine, options: UpgradeOptions): Promise<UpgradeCheck> {
  await using state = await abortable(source, options.signal).snapshot();
  await checkSource(state);
  const follower = new Follower(options, "rows", await sizeOf(source));
  const kinds = new Map<string, Mutable>();
  const countsOf = (column: string, known: AnyRow | undefined, part: StateHalf): Mutable => {
    const name = `${column} ${known?.kind} ${part}`;
    const counts = kinds.get(name) ?? empty(column, known, part);
    kinds.set(name, counts);
    return counts;
  };
  const damaged = new DamagedIndexRows();
  const pause = new Pause();
  let rows = 0;
  for (const column of state.columns) {
    for await (const chunk of state.scan(column).chunks()) {
      for (const row of chunk) {
        const known = core010.identify(column, row.key);
        const part = partOf(known, row);
        if (part !== undefined && !(row.value instanceof UndecryptedBytes))
          damaged.take(row, part === "index rows");
        const counts = countsOf(column, known, part);
        counts.rows++;
        counts[verdictOf(known, part, column, row)]++;
        follower.count(row.key.length + row.value.length);
        rows++;
      }
      follower.tell();
      await pause.ifLong();
    }
  }
  damaged.finish();
  if (damaged.count > 0) {
    const { COLUMN, KIND } = ContextState011;
    const entries = countsOf(COLUMN, core010.row(KIND), "entry rows");
    const indexes = countsOf(COLUMN, core010.row(KIND), "index rows");
    entries.rows -= damaged.count;
    entries.read -= damaged.count;
    indexes.rows += damaged.count;
    indexes.unreadable += damaged.count;
  }
  follower.end();
  const all = [...kinds.values()];
  return { rows, read: all.reduce((sum, { read }) => sum + read, 0), kinds: all };
}

function partOf(known: AnyRow | undefined, { key, value }: RawRow): StateHalf {
  if (known === undefined || known.kind !== ContextState011.KIND) return undefined;
  return known.shown(known.key.view(key), value) === known.value ? "entry rows" : "index rows";
}

function empty(column: string, known: AnyRow | undefined, part: StateHalf): Mutable {
  const counts = { rows: 0, read: 0, missed: 0, unreadable: 0, unused: 0 };
  const kind = known?.kind ?? null;
  const means = meaning(known, part);
  return part === undefined ? { column, kind, ...counts, means } : { column, kind, part, ...counts, means };
}

function meaning(known: AnyRow | undefined, part: StateHalf): string {
  if (known === undefined) return "No kind of row of core-0.10 has such a key.";
  if (part === "entry rows") return "The data of entries is there for readers who have their ids.";
  return conversions[known.kind as keyof typeof conversions].means;
}

function verdictOf(known: AnyRow | undefined, part: StateHalf, column: string, row: RawRow): Verdict {
  if (known === undefined || row.value instanceof UndecryptedBytes) return "unreadable";
  const { unconverted } = conversions[known.kind as keyof typeof conversions];
  if (unconverted === "never") return "unused";
  const next = core011.identify(column, row.key);
  if (next === undefined) return "unused";
  if (part === "entry rows") return "read";
  // An index row must decode as one: the node knows its kind from its key.
  const codec = part === "index rows" ? next.alternative : next.value;
  const value = codec?.readWhole(row.value);
  if (value === undefined || value instanceof ReadFailure) return "unreadable";
  if (payloadsIn(value).some((payload) => payload.value === undefined)) return "unreadable";
  return unconverted === "misses" ? "missed" : "read";
}
