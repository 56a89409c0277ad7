import { sizeOf } from "../engine/abortable.js";
import type { ChangeBatch, Engine } from "../engine/engine.js";
import { RowIterator } from "../engine/row-iterator.js";
import { ChangesLost, isMerostoreError } from "../errors.js";
import { isFlag, isSignal, isWholeNumber, type OptionChecks } from "../options.js";
import { eitherSignal } from "../progress.js";
import type { Schema } from "../schemas/index.js";
import { type Change, ChangeReader } from "./change.js";
import { differencesOf } from "./compare-states.js";
import { KnownRows } from "./known-rows.js";

/** Options for watching a store. */
export interface WatchOptions {
  /** Ends the iteration, without an error, when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** The milliseconds between two looks at the files. Default 200. */
  readonly interval?: number | undefined;
  /**
   * Set `existed` of each change: whether the row existed before. This looks up each key in the database, and
   * occasionally refreshes the store. While much is written, `existed` is undefined.
   */
  readonly existed?: boolean | undefined;
  /**
   * If the log was deleted before it was read, compare the old rows with the present rows, and report the differences
   * after the rescan. Only for databases of at most so many bytes, and with `existed`. Default 0: never.
   */
  readonly compare?: number | undefined;
}

/** The checks of the options of `watch`. */
export const watchOptions: OptionChecks<WatchOptions & { readonly kinds?: readonly string[] | undefined }> = {
  signal: isSignal,
  interval: isWholeNumber(1),
  existed: isFlag,
  compare: isWholeNumber(0),
  kinds: (value) =>
    Array.isArray(value) && value.every((kind) => typeof kind === "string")
      ? undefined
      : "a list of kinds of rows",
};

const INTERVAL_MS = 200;

/** The most milliseconds for lookups in one pass over the changes. Later changes of the pass are not looked up. */
const LOOKING_MS = 500;

/** The number of operations that are looked up together. */
const GROUP = 512;

type Options = WatchOptions & { readonly kinds?: readonly string[] | undefined };

/**
 * The changes of a store as they come. Iterate it for single changes, or `chunks()` for arrays of changes that came
 * together, which is faster. It can be iterated once, and leaving the loop ends it.
 */
export class Changes<T> implements AsyncIterable<T> {
  readonly #chunks: AsyncGenerator<readonly T[], void, undefined>;
  readonly #end: () => void;

  /** @param end ends the wait for further chunks */
  constructor(chunks: AsyncGenerator<readonly T[], void, undefined>, end: () => void) {
    this.#chunks = chunks;
    this.#end = end;
  }

  /** The changes in non-empty arrays. Changes that were made together may be in two arrays. */
  chunks(): AsyncGenerator<readonly T[], void, undefined> {
    return this.#chunks;
  }

  /** Ends the iteration, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#end();
    await this.#chunks.return();
  }

  /** The changes, one by one. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return new RowIterator(this.#chunks);
  }
}

/** Returns the changes that a writer makes to a database after the state that reads see at the call. */
export function watchChanges(engine: Engine, schema: Schema, options: Options): Changes<Change> {
  const reader = new ChangeReader(schema, options.kinds);
  const over = new AbortController();
  const signal = options.signal ? eitherSignal(options.signal, over.signal) : over.signal;
  const changes = follow(engine, reader, { ...options, signal }, engine.sequence ?? 0);
  return new Changes(changes, () => over.abort());
}

async function* follow(
  engine: Engine,
  reader: ChangeReader,
  { signal, interval = INTERVAL_MS, existed, compare = 0 }: Options,
  begin: number,
): AsyncGenerator<readonly Change[], void, undefined> {
  let since = begin;
  let known: KnownRows | undefined;
  const isOver = (): boolean => signal?.aborted === true;
  /** Continues at the state that reads see now. */
  const start = async (): Promise<void> => {
    await known?.close();
    if (existed === true) ({ rows: known, sequence: since } = await KnownRows.open(engine));
    else since = engine.sequence ?? since;
  };
  try {
    if (existed === true) await start();
    while (!isOver()) {
      let isQuiet = true;
      try {
        const begun = performance.now();
        for await (const batches of groups(engine, since, reader)) {
          const were = await known?.apply(batches, since, performance.now() - begun < LOOKING_MS);
          const changes = batches.flatMap((batch) =>
            batch.operations.map((operation) => ({ batch, operation })),
          );
          since = batches.at(-1)?.sequence ?? since;
          if (isOver()) return;
          if (changes.length > 0) isQuiet = false;
          if (changes.length > 0)
            yield changes.map(({ batch, operation }, at) => reader.read(batch, operation, were?.[at]));
        }
      } catch (error) {
        if (!isMerostoreError(error, "CHANGES_LOST")) throw error;
        const replaced = error instanceof ChangesLost && error.isReplaced && ({ replaced: true } as const);
        await engine.refresh?.();
        const before = known?.snapshot;
        if (known === undefined || before === undefined || (await sizeOf(engine)) > compare) {
          await start();
          yield [{ type: "rescan", sequence: since, compared: false, ...replaced }];
          continue;
        }
        const old = known;
        try {
          ({ rows: known, sequence: since } = await KnownRows.open(engine));
          yield [{ type: "rescan", sequence: since, compared: true, ...replaced }];
          const batch = { sequence: since, operations: [] };
          for await (const found of differencesOf(before, known.snapshot ?? engine)) {
            const wanted = found.filter(({ operation }) => reader.wants(operation));
            if (isOver()) return;
            if (wanted.length > 0)
              yield wanted.map(({ operation, ...known }) => reader.read(batch, operation, known));
          }
        } finally {
          await old.close();
        }
        continue;
      }
      if (isQuiet && compare > 0) await known?.catchUp(since);
      await pause(interval, signal);
    }
  } catch (error) {
    if (!isMerostoreError(error, "CLOSED")) throw error; // closing the store ends its changes
  } finally {
    await known?.close();
  }
}

/** Yields the batches of a pass in groups, with their wanted operations. */
async function* groups(
  engine: Engine,
  since: number,
  reader: ChangeReader,
): AsyncGenerator<readonly ChangeBatch[], void, undefined> {
  let group: ChangeBatch[] = [];
  let size = 0;
  let failure: unknown;
  try {
    for await (const { sequence, operations } of engine.changes?.(since) ?? []) {
      const wanted = operations.filter((operation) => reader.wants(operation));
      group.push({ sequence, operations: wanted });
      size += wanted.length;
      if (size < GROUP) continue;
      yield group;
      group = [];
      size = 0;
    }
  } catch (error) {
    failure = error;
  }
  if (group.length > 0) yield group; // the batches before the failure
  if (failure !== undefined) throw failure;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
    if (signal?.aborted === true) end();
  });
}
