/** Long work: its progress, and a signal that ends it. */
import { isFunction, isSignal, type OptionChecks } from "./options.js";

/** The progress of long work. */
export interface Progress {
  /** The units that are done. At the end it equals `total`. */
  readonly done: number;
  /** All units: for rows an estimate until the end. Absent while unknown. */
  readonly total?: number | undefined;
  /** The thing that is counted. */
  readonly unit: "rows" | "bytes" | "files";
}

/** The option of work that reports no progress. */
export interface SignalOption {
  /**
   * Ends the work: it rejects with the `reason` of the signal, closes everything that it opened, and leaves nothing
   * incomplete.
   */
  readonly signal?: AbortSignal | undefined;
}

/** The check of {@link SignalOption}. */
export const signalOption: OptionChecks<SignalOption> = { signal: isSignal };

/** Options of long work. */
export interface ProgressOptions extends SignalOption {
  /** Called from time to time, and at the end. An error that it throws ends the work. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** The checks of {@link ProgressOptions}. */
export const progressOptions: OptionChecks<ProgressOptions> = { onProgress: isFunction, ...signalOption };

/** @internal The items of work, each of which counts as a row. */
export async function* followed<T>(
  items: AsyncIterable<T>,
  options: ProgressOptions,
): AsyncGenerator<T, void, undefined> {
  const follower = new Follower(options);
  for await (const item of items) {
    follower.add(1);
    yield item;
  }
  follower.end();
}

/** The greatest share of an estimate that is done before the end. */
const MOST = 0.99;

/** Reports the progress of work, and throws the reason of an aborted signal. */
export class Follower {
  /** Bytes of the whole work; 0 if unknown. */
  size: number;
  readonly #options: ProgressOptions;
  readonly #unit: Progress["unit"];
  #done = 0;
  #bytes = 0;

  constructor(options: ProgressOptions, unit: Progress["unit"] = "rows", size = 0) {
    options.signal?.throwIfAborted();
    this.#options = options;
    this.#unit = unit;
    this.size = size;
  }

  /** Counts more units, and for rows their bytes, to estimate the number of all rows. Reports it. */
  add(units: number, bytes = 0): void {
    this.#done += units;
    this.#bytes += bytes;
    this.tell();
  }

  /** Counts a row without a report. */
  count(bytes: number): void {
    this.#done++;
    this.#bytes += bytes;
  }

  /** Reports the progress. @throws the reason of the signal */
  tell(): void {
    const { signal, onProgress } = this.#options;
    signal?.throwIfAborted();
    const total = this.#total;
    const done = Math.min(this.#done, total ?? this.#done);
    onProgress?.({ done, unit: this.#unit, ...(total !== undefined && { total }) });
    signal?.throwIfAborted();
  }

  /** Reports the end of the work. @throws the reason of the signal */
  end(): void {
    this.#options.signal?.throwIfAborted();
    const done = (this.#unit === "bytes" && this.size) || this.#done;
    this.#options.onProgress?.({ done, total: done, unit: this.#unit });
  }

  get #total(): number | undefined {
    if (this.#unit === "bytes") return this.size || undefined;
    if (this.size === 0 || this.#bytes === 0) return undefined;
    return Math.ceil(this.#done / Math.min(MOST, this.#bytes / this.size));
  }
}

/** The signals that such a signal depends on. */
const held = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/**
 * A signal that aborts with the first of two. It holds both: `AbortSignal.any` alone does not, and Node then forgets a
 * signal of `AbortSignal.timeout` before its time.
 */
export function eitherSignal(one: AbortSignal, other: AbortSignal): AbortSignal {
  const either = AbortSignal.any([one, other]);
  held.set(either, [one, other]);
  return either;
}
