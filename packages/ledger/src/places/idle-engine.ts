/**
 * Databases that close their files while nobody uses them. A page may be open for days and be used now and then; a process
 * may open some hundred files. Closing and opening again costs milliseconds, and changes nothing that a reader sees: the
 * repository is locked by its usage database.
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
import { MerostoreError, RowIterator, SerialQueue } from "merostore/internal";

/** The databases of a place that have open files. */
export class OpenDatabases {
  /** One after another: an opening reads many files. */
  readonly openings = new SerialQueue();
  readonly #most: number;
  /** The least recently used first. */
  readonly #idle = new Set<IdleEngine>();
  #busy = 0;
  /** Those that are closing their files. */
  #closing = 0;
  /** Starts the uses that wait, in the order of the calls. */
  readonly #waiting: (() => void)[] = [];

  /** @param most databases that have open files although nobody reads or writes, and those that are used at once */
  constructor(most: number) {
    this.#most = most;
  }

  /** Called before a database is used. Settles when there is room for one more. A use must not wait for another's. */
  async begin(engine: IdleEngine): Promise<void> {
    const isOpen = this.#idle.delete(engine);
    while (!isOpen && !this.#hasRoom) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#busy++;
    this.#rest();
  }

  /** Called after a database was used. */
  end(engine: IdleEngine, canRest: boolean): void {
    this.#busy--;
    if (canRest) this.#idle.add(engine);
    this.#rest();
    this.#goOn();
  }

  get #hasRoom(): boolean {
    return this.#busy + this.#closing < this.#most;
  }

  #goOn(): void {
    if (this.#hasRoom) this.#waiting.shift()?.();
  }

  remove(engine: IdleEngine): void {
    this.#idle.delete(engine);
  }

  #rest(): void {
    for (const engine of this.#idle) {
      if (this.#idle.size + this.#busy <= this.#most) return;
      this.#idle.delete(engine);
      this.#closing++;
      void engine.rest().then(() => {
        this.#closing--;
        this.#goOn();
      });
    }
  }
}

/** An engine that closes its files when it is idle and others need theirs, and opens them for its next use. */
export class IdleEngine implements Engine {
  readonly #all: OpenDatabases;
  readonly #open: () => Promise<Engine>;
  /** The engine of the first opening. */
  #first: Engine | undefined;
  /** Undefined while the files are closed. */
  #engine: Promise<Engine> | undefined;
  /** The last closing of the files. */
  #resting: Promise<unknown> = Promise.resolve();
  #users = 0;
  /** Settles when the first of the present users may begin. */
  #started: Promise<void> = Promise.resolve();
  /** A database that could not be written stays as it is: what is on the disk may differ from what its page knows. */
  #mustStay = false;
  #closing: Promise<void> | undefined;

  private constructor(all: OpenDatabases, open: () => Promise<Engine>) {
    this.#all = all;
    this.#open = open;
  }

  /** @param open opens the database, now and whenever it is used again */
  static async open(all: OpenDatabases, open: () => Promise<Engine>): Promise<IdleEngine> {
    const engine = new IdleEngine(all, open);
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
    return this.#closing !== undefined;
  }

  /** Closes the files. Called only while nobody uses the engine. The next use has the error, if there is one. */
  rest(): Promise<void> {
    const engine = this.#engine;
    this.#engine = undefined;
    this.#resting = Promise.all([this.#resting, engine?.then((open) => open.close())]);
    return this.#resting.then(
      () => undefined,
      () => undefined,
    );
  }

  get(column: string, key: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#use((engine) => engine.get(column, key));
  }

  getMany(column: string, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    return this.#use((engine) => engine.getMany(column, keys));
  }

  scan(column: string, bounds?: Bounds, options?: ScanOptions): RawScan {
    this.#check();
    const chunks = (): AsyncIterableIterator<readonly RawRow[]> => this.#chunks(column, bounds, options);
    return {
      chunks,
      [Symbol.asyncIterator]: () => new RowIterator(chunks(), () => options?.signal?.throwIfAborted()),
    };
  }

  write(operations: readonly WriteOperation[], options?: WriteOptions): Promise<void> {
    return this.#use(async (engine) => {
      try {
        await engine.write(operations, options);
      } catch (error) {
        this.#mustStay = true;
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
    this.#mustStay = true;
    return this.#use((engine) => engine.snapshot());
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#all.remove(this);
    await this.#resting;
    await (await this.#engine)?.close();
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
      this.#engine ??= this.#resting.then(() => this.#all.openings.run(this.#open));
      opening = this.#engine;
      return await opening;
    } catch (error) {
      if (this.#engine === opening) this.#engine = undefined; // the next use tries again
      this.#end();
      throw error;
    }
  }

  /** A commit reads and writes several times: between, the files stay open. */
  #end(): void {
    setImmediate(() => {
      if (--this.#users === 0) this.#all.end(this, !this.#mustStay && !this.isClosed);
    });
  }

  #check(): void {
    if (this.isClosed) throw new MerostoreError("CLOSED", "the database is closed");
  }
}
