/**
 * Databases that close their files while nobody uses them. A page may be open for days and be used now and then, but a
 * process may open only some hundred files. Opening a database again takes some ten milliseconds, and its readers see
 * no difference: the usage database locks the repository.
 */
import type {
  Bounds,
  Engine,
  EngineSnapshot,
  RawRow,
  RawScan,
  ScanOptions,
  WriteOperation,
  WriteOptions,
} from "merostore/engine";
import { isMerostoreError, MerostoreError, RowScan, SerialQueue, soon } from "merostore/internal";

/** Attempts to open files that another process reads, and the milliseconds between them. */
const MOST_TRIES = 200;
const PAUSE = 50;

/** The databases of a place with open files: used ones, idle ones, and ones that must stay open. */
export class OpenDatabases {
  /** Runs openings one after another: each reads many files. */
  readonly openings = new SerialQueue();
  readonly #most: number;
  /** The idle databases, the least recently used first. */
  readonly #idle = new Set<IdleEngine>();
  /** The unused databases that must stay open. */
  readonly #kept = new Set<IdleEngine>();
  /** The used databases that must stay open. */
  readonly #usedKept = new Set<IdleEngine>();
  /** The number of other databases that are used. */
  #used = 0;
  /** The number of databases that are closing their files, for now or for good. */
  #closingFiles = 0;
  /** Starts the uses that wait, in the order of the calls. */
  readonly #waiting: (() => void)[] = [];

  /** @param most the most databases with open files. If as many must stay open, one other is open at a time. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Called before a database is used. Settles when its files may be open. A use must not wait for the use of another
   * database.
   */
  begin(engine: IdleEngine): Promise<void> {
    const isKept = this.#kept.delete(engine);
    if (isKept) this.#usedKept.add(engine);
    else if (this.#idle.delete(engine)) this.#used++;
    else return this.#wait();
    return Promise.resolve();
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#goOn();
    });
  }

  /** Called after a database was used, with the state of its files. */
  end(engine: IdleEngine, files: "idle" | "kept" | "closed"): void {
    if (!this.#usedKept.delete(engine)) this.#used--;
    if (files === "idle") this.#idle.add(engine);
    if (files === "kept") this.#kept.add(engine);
    this.#goOn();
  }

  /** Called when a database closes for good. If nobody uses it, its files count until they are closed. */
  remove(engine: IdleEngine, closed: Promise<void>): void {
    if (this.#idle.delete(engine) || this.#kept.delete(engine)) this.#countUntil(closed);
  }

  #countUntil(closed: Promise<void>): void {
    this.#closingFiles++;
    const ended = (): void => {
      this.#closingFiles--;
      this.#goOn();
    };
    closed.then(ended, ended);
  }

  get #hasRoom(): boolean {
    const kept = Math.min(this.#kept.size + this.#usedKept.size, this.#most - 1);
    return this.#used + this.#closingFiles + this.#idle.size + kept < this.#most;
  }

  /** Starts the waiting uses that have room, and closes files for the others. */
  #goOn(): void {
    while (this.#waiting.length > 0 && this.#hasRoom) {
      this.#used++;
      this.#waiting.shift()?.();
    }
    for (const engine of this.#idle) {
      if (this.#closingFiles >= this.#waiting.length) return;
      this.#idle.delete(engine);
      this.#countUntil(engine.closeFiles());
    }
  }
}

/** An engine that closes its files when it is idle and others need theirs, and opens them for its next use. */
export class IdleEngine implements Engine {
  readonly #all: OpenDatabases;
  readonly #open: () => Promise<Engine>;
  readonly #onClose: () => void;
  /** The engine of the first opening. */
  #first: Engine | undefined;
  /** Undefined while the files are closed. */
  #engine: Promise<Engine> | undefined;
  /** The closing of the files. The next use waits for it, and fails with its error. */
  #closingFiles: Promise<void> | undefined;
  #users = 0;
  /** Settles when the first of the present users may begin. */
  #started: Promise<void> = Promise.resolve();
  /**
   * True if the files must stay open: for a snapshot, or after a failed write, when the disk may differ from the state
   * that the page knows.
   */
  #isKept = false;
  #closed: Promise<void> | undefined;

  private constructor(all: OpenDatabases, open: () => Promise<Engine>, onClose: () => void) {
    this.#all = all;
    this.#open = open;
    this.#onClose = onClose;
  }

  /**
   * @param open opens the database, now and whenever it is used again
   * @param onClose called after `close`
   */
  static async open(
    all: OpenDatabases,
    open: () => Promise<Engine>,
    onClose: () => void,
  ): Promise<IdleEngine> {
    const engine = new IdleEngine(all, open, onClose);
    await engine.#use(async (first) => {
      engine.#first = first;
    });
    return engine;
  }

  get capabilities(): Engine["capabilities"] {
    return (this.#first as Engine).capabilities;
  }

  get warnings(): Engine["warnings"] {
    return (this.#first as Engine).warnings;
  }

  get columns(): Engine["columns"] {
    return (this.#first as Engine).columns;
  }

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  /** Closes the files. Called only while nobody uses the engine. The next use fails with an error of the closing. */
  async closeFiles(): Promise<void> {
    const engine = this.#engine;
    this.#engine = undefined;
    this.#closingFiles = engine?.then((open) => open.close());
    await this.#closingFiles?.catch(() => undefined);
  }

  get(column: string, key: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#use((engine) => engine.get(column, key));
  }

  getMany(column: string, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    return this.#use((engine) => engine.getMany(column, keys));
  }

  scan(column: string, bounds?: Bounds, options?: ScanOptions): RawScan {
    this.#check();
    const read = (keysOnly: boolean) =>
      this.#chunks(column, bounds, keysOnly ? { ...options, keysOnly } : options);
    return new RowScan(read, () => options?.signal?.throwIfAborted());
  }

  write(operations: readonly WriteOperation[], options?: WriteOptions): Promise<void> {
    return this.#use(async (engine) => {
      try {
        await engine.write(operations, options);
      } catch (error) {
        this.#isKept = true;
        throw error;
      }
    });
  }

  approximateSize(column: string, bounds?: Bounds): Promise<number> {
    return this.#use((engine) => engine.approximateSize(column, bounds));
  }

  flush(): Promise<void> {
    return this.#use((engine) => engine.flush());
  }

  snapshot(): Promise<EngineSnapshot> {
    this.#isKept = true;
    return this.#use((engine) => engine.snapshot());
  }

  close(): Promise<void> {
    if (this.#closed === undefined) {
      this.#closed = this.#close();
      this.#all.remove(this, this.#closed);
    }
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    try {
      await this.#closingFiles;
      // The use that opened the files has had the error of a failed opening.
      await (await this.#engine?.catch(() => undefined))?.close();
    } finally {
      this.#onClose();
    }
  }

  async *#chunks(
    column: string,
    bounds: Bounds | undefined,
    options: ScanOptions | undefined,
  ): AsyncGenerator<readonly RawRow[], void, undefined> {
    const engine = await this.#begin();
    try {
      yield* engine.scan(column, bounds, options).chunks();
    } finally {
      this.#end();
    }
  }

  async #use<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    const engine = await this.#begin();
    try {
      return await work(engine);
    } finally {
      this.#end();
    }
  }

  async #begin(): Promise<Engine> {
    this.#check();
    if (this.#users++ === 0) this.#started = this.#all.begin(this);
    let opening: Promise<Engine> | undefined;
    try {
      await this.#started;
      this.#check(); // it may be closed meanwhile
      this.#engine ??= this.#openFiles();
      opening = this.#engine;
      return await opening;
    } catch (error) {
      if (this.#engine === opening) this.#engine = undefined; // the next use tries again
      this.#end();
      throw error;
    }
  }

  async #openFiles(): Promise<Engine> {
    const closing = this.#closingFiles;
    this.#closingFiles = undefined;
    await closing;
    for (let tries = 1; ; tries++)
      try {
        return await this.#all.openings.run(this.#open);
      } catch (error) {
        const isAgain = this.#first !== undefined && isMerostoreError(error, "DATABASE_LOCKED");
        if (!isAgain || this.isClosed || tries === MOST_TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
  }

  /** The files stay open for a moment: a commit reads and writes several times. */
  #end(): void {
    soon(() => {
      if (--this.#users > 0) return;
      const closed = (): void => this.#all.end(this, "closed");
      if (this.#closed !== undefined) this.#closed.then(closed, closed);
      else if (this.#engine === undefined) closed();
      else this.#all.end(this, this.#isKept ? "kept" : "idle");
    });
  }

  #check(): void {
    if (this.isClosed) throw new MerostoreError("CLOSED", "the database is closed");
  }
}
