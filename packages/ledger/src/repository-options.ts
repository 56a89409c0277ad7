/** Options of repositories and their ledgers. */
import {
  checkFields,
  copyBytes,
  describeValue,
  invalidArgument,
  isBytes,
  isFunction,
  isMerostoreError,
  isOneOf,
  isText,
  isWholeNumber,
  type OptionCheck,
  type OptionChecks,
  type PathOrUrl,
} from "merostore/internal";
import { ledgerNameOf } from "./ledger-name.js";
import type { Resolvers } from "./merging/resolver.js";
import type { Permutation, RollingHash } from "./pieces/rolling-hash.js";
import { ledgerFolder, namedPlace, PLACES, type Place } from "./places/browser.js";
import { type LedgerSettings, Repository } from "./repository/index.js";
import { type Clock, checkedClock } from "./rows/object-parts.js";
import type { CollectionPolicy } from "./storage/background-collector.js";
import type { Cloud } from "./sync/cloud.js";

/**
 * The storage format of pages. Open a repository with the same format each time, on all devices: another format gives
 * the same contents other ids. All content stays readable.
 */
export interface FormatOptions {
  /** The way in which values and tree nodes are cut into pieces: `V3` by default. */
  readonly rollingHash?: RollingHash | undefined;
  /** Changes the places where values are cut, so that others cannot predict them. */
  readonly permutation?: Permutation | undefined;
  /** The number of the encryption key that identifiers name, a u32: 1 unless given. Nothing is encrypted here. */
  readonly keyIndex?: number | undefined;
}

const FORMAT_OPTIONS: OptionChecks<FormatOptions> = {
  rollingHash: isOneOf(["V1", "V2", "V3"]),
  permutation: isFunction,
  keyIndex: isWholeNumber(0, 0xffff_ffff),
};

/**
 * Checks an option that is a storage format.
 * @throws MerostoreError INVALID_ARGUMENT, which names the wrong field
 */
const isFormat: OptionCheck = (value) => {
  checkFields("the format of a ledger", value as FormatOptions, FORMAT_OPTIONS);
  return undefined;
};

/** Options of {@link openRepository}, for all ledgers of a repository. */
export interface RepositoryOptions {
  /** The engine of the pages in a folder: LevelDB by default. With either engine, a commit survives a power failure. */
  readonly engine?: "leveldb" | "rocksdb" | undefined;
  /** The storage format: see {@link FormatOptions}. */
  readonly format?: FormatOptions | undefined;
  /** The pieces that are removed once nothing refers to them. Default `eager-live-references`: all of them. */
  readonly garbageCollection?: CollectionPolicy | undefined;
  /**
   * The old commits that stay on this device. `prune` removes the commits before the newest common ancestor of all
   * commits in use, and the pieces that only they refer to. It is the default without a cloud, for pages that never
   * were in one. `keep` removes none: each put then leaves the pieces that it has replaced, some 70 kB in a page of ten
   * thousand entries (docs/ledger.md). With a cloud only `keep` is possible. Open a repository with the same value each
   * time: one opening with `prune` removes the history.
   */
  readonly history?: "prune" | "keep" | undefined;
  /** The cloud that pages are synced to, see {@link folderCloud}. */
  readonly cloud?: Cloud | undefined;
  /** The clock of commits: the clock of the system unless given. */
  readonly clock?: Clock | undefined;
}

/** Checks an option that is the name of a ledger. */
export const isName: OptionCheck = (value) =>
  isBytes(value) || isText(value) === undefined ? undefined : "a string or bytes";

/** Checks of {@link RepositoryOptions}. */
export const REPOSITORY_OPTIONS: OptionChecks<RepositoryOptions> = {
  engine: isOneOf(["leveldb", "rocksdb"]),
  format: isFormat,
  garbageCollection: isOneOf(["never", "eager-root-nodes", "eager-live-references"]),
  history: isOneOf(["prune", "keep"]),
  cloud: has<Cloud>(["connect"]),
  clock: isFunction,
};

/** Copies options, which their caller may change. */
export function copiedOptions<Options extends RepositoryOptions>(options: Options | undefined): Options {
  return { ...(options as Options), format: { ...options?.format } };
}

const isPlace = has<Place>(["openUsage", "ledgers", "pages", "openPage", "deletePage"]);

/**
 * Returns the name of a ledger that a program passes.
 * @throws MerostoreError INVALID_ARGUMENT
 */
export function checkedName(given: string | Uint8Array): string {
  const name = isBytes(given) ? ledgerNameOf(copyBytes(given)) : given;
  ledgerFolder(name);
  return name;
}

/**
 * Returns the repository of a place, which must be released.
 * @throws MerostoreError INVALID_ARGUMENT, and the errors of opening an engine
 */
export async function sharedRepository(
  place: PathOrUrl | Place,
  { engine = "leveldb", cloud, history }: RepositoryOptions,
): Promise<Repository> {
  if (cloud !== undefined && history === "prune")
    throw invalidArgument('a ledger with a cloud keeps its history: leave out history: "prune"');
  const named = namedPlace(place, engine);
  if (named !== undefined) return Repository.share(named.name, named.place);
  const given = checkedPlace(place);
  for (;;)
    try {
      return await Repository.share(given, given);
    } catch (error) {
      if (given.untilFree === undefined || !isMerostoreError(error, "DATABASE_LOCKED")) throw error;
      await given.untilFree();
    }
}

/** Options of the pages of a ledger. */
export function settingsOf(options: RepositoryOptions, resolvers: Resolvers): LedgerSettings {
  const { cloud, clock, garbageCollection = "eager-live-references" } = options;
  const { history = cloud === undefined ? "prune" : "keep" } = options;
  const { rollingHash = "V3", permutation, keyIndex = 1 } = options.format ?? {};
  return {
    resolvers,
    cloud,
    keepsHistory: options.history === "keep",
    prunesSynced: options.history === "prune",
    storage: {
      rollingHash,
      permutation,
      keyIndex,
      clock: clock && checkedClock(clock),
      prune: history === "prune",
      collection: garbageCollection,
    },
  };
}

function checkedPlace(place: PathOrUrl | Place): Place {
  if (isPlace(place) === undefined) return place as Place;
  throw invalidArgument(`the place of a ledger must be ${PLACES}, not ${describeValue(place)}`);
}

/** Checks an option that is an object with these methods. */
function has<T>(methods: readonly (string & keyof T)[]): OptionCheck {
  return (value) =>
    methods.every((name) => typeof (value as Partial<T> | null | undefined)?.[name] === "function")
      ? undefined
      : `an object with the methods ${methods.join(", ")}`;
}
