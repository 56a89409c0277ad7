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

/** Options of watching a store. */
export interface WatchOptions {
  /** Ends the iteration, without an error, when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds between two looks at the files. Default 200. */
  readonly interval?: number | undefined;
  /**
   * Say of each change whether there was such a row before: `existed`. It takes a look into the database for each
   * key, and refreshes the store now and then. While much is written it is left undefined.
   */
  readonly existed?: boolean | undefined;
  /**
   * When the log was deleted before it was read: compare the rows of before with those of now, and report the
   * differences after the rescan. For databases of at most so many bytes, with `existed`. Default 0: never.
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

/** The time that one pass over the changes may spend on looking rows up, in milliseconds; the rest of it does without. */
const LOOKING_MS = 500;

/** The number of operations that are looked up together. */
const GROUP = 512;

type Options = WatchOptions & { readonly kinds?: readonly string[] | undefined };

/**
 * Changes as they come. Iterate it for one after the other, or `chunks()` for arrays of those that came together, which
 * is faster. One iteration; leaving the loop ends it.
 */
export class Changes<T> implements AsyncIterable<T> {
  readonly #chunks: AsyncGenerator<readonly T[], void, undefined>;
  readonly #end: () => void;

  /** @param end ends a wait for further chunks */
  constructor(chunks: AsyncGenerator<readonly T[], void, undefined>, end: () => void) {
    this.#chunks = chunks;
    this.#end = end;
  }

  /** The changes in arrays, none of them empty. Changes that were made together may be in two. */
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

/** The changes of a database as a writer makes them, from the state on that reads see at the call. */
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
  /** Moves to the state that reads see now. */
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
    if (!isMerostoreError(error, "CLOSED")) throw error; // with the store its changes end
  } finally {
    await known?.close();
  }
}

/** The batches of a pass, several together, with those of their operations that are wanted. */
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
  if (group.length > 0) yield group; // what came before a failure
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
