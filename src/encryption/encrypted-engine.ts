/**
 * An engine whose values are encrypted: it decrypts the values that it reads, and encrypts the values that it writes.
 */
import { UndecryptedBytes } from "../bytes/undecrypted.js";
import { SerialQueue } from "../collections/serial-queue.js";
import { refuseUndecrypted } from "../engine/arguments.js";
import type { ChunkSource, ScanPlan } from "../engine/chunk-source.js";
import type {
  ByteRange,
  Capabilities,
  ChangeBatch,
  Engine,
  EngineReader,
  EngineSnapshot,
  RawRow,
  Unflushed,
  WriteOperation,
} from "../engine/engine.js";
import { EngineBase } from "../engine/engine-base.js";
import type { Values } from "../engine/reader-base.js";
import { MerostoreError, type Warning } from "../errors.js";
import type { PlainTest } from "./plain-row.js";
import { ENCRYPTION_OVERHEAD, type EncryptionRule, encryptionRules } from "./rule.js";
import type { ValueCipher } from "./value-cipher.js";

/** The facts about the rows of a database when it is opened. */
export interface KnownRows {
  /** The rule for writing, if the caller gives one. */
  readonly named?: EncryptionRule | undefined;
  /** The rules of the decrypted rows. */
  readonly rules: readonly EncryptionRule[];
  /** True if there are rows, and none of the examined rows is encrypted. */
  readonly isPlain: boolean;
  /** The rule for writing into a database without rows. */
  readonly fallback: EncryptionRule;
  /** Returns whether a value is returned unchanged although it is not decrypted. */
  readonly takenAsPlain: PlainTest;
  /** True to return every value unchanged until a row is decrypted. */
  readonly readsPlain?: boolean;
  /** Warnings for the caller that opened the database, in sentences. */
  readonly warnings: readonly Warning[];
}

/** A row, and its stored form. */
export interface OpenedRow {
  /** The key, and the plain value: an {@link UndecryptedBytes} if the key does not decrypt it. */
  readonly row: RawRow;
  /** Its rule and key version; undefined if it was not decrypted. */
  readonly encryption: RowEncryption | undefined;
}

/** The stored form of an encrypted row. */
export interface RowEncryption {
  /** The rule of its associated data. */
  readonly rule: EncryptionRule;
  /** The version of its key, 0 to 255. */
  readonly version: number;
}

/**
 * Decrypts the values that an engine reads, and encrypts written values. Keys are not encrypted, so scans of keys cost
 * the same. A plain value is returned unchanged. If the key does not decrypt a value, its row has an error. Without a
 * key, this is so for every value that is not provably plain, and nothing can be written. Closing it closes the engine
 * and overwrites the key.
 */
export class EncryptedEngine extends EngineBase<EngineReader> {
  readonly capabilities: Capabilities;
  /** The revision's name at the creation of the database; undefined unless the engine stores it. */
  override readonly revision: string | undefined;
  /**
   * Returns the part of a column family that only the write-ahead log has; absent if the underlying engine does not
   * have it.
   */
  override unflushed?: (column: string) => Promise<Unflushed>;
  /** Moves to the present state of the database; absent if the underlying engine does not have it. */
  override refresh?: () => Promise<void>;
  /** Encrypts and writes many rows in the fastest way; absent if the underlying engine does not have it. */
  override load?: (column: string, rows: AsyncIterable<readonly RawRow[]>) => Promise<number>;
  /** Adds column families; absent if the underlying engine does not have it. */
  override addColumns?: (columns: readonly string[]) => Promise<void>;
  /** Yields the decrypted batches after a sequence number; absent if the underlying engine does not have it. */
  override changes?: (since: number) => AsyncIterableIterator<ChangeBatch>;
  readonly #base: Engine;
  readonly #cipher: ValueCipher | undefined;
  readonly #known: KnownRows;
  readonly #rules: Set<EncryptionRule>;
  /**
   * Passes batches to the underlying engine in the order of the calls, because their encryption may take different
   * times.
   */
  readonly #turns = new SerialQueue();

  /**
   * @param cipher undefined without the master key
   * @internal
   */
  constructor(base: Engine, cipher: ValueCipher | undefined, known: KnownRows) {
    super();
    this.#base = base;
    this.#cipher = cipher;
    this.#known = known;
    this.#rules = new Set(known.rules);
    this.revision = base.revision;
    this.capabilities = capabilitiesOf(base.capabilities);
    if (base.unflushed !== undefined) this.unflushed = async (column) => base.unflushed?.(column) as never;
    if (base.refresh !== undefined) this.refresh = async () => base.refresh?.();
    if (base.changes !== undefined) this.changes = (since) => this.#changes(since);
    if (base.addColumns !== undefined) this.addColumns = async (columns) => base.addColumns?.(columns);
    if (base.load !== undefined) this.load = (column, rows) => this.#load(column, rows);
  }

  get columns(): readonly string[] {
    return this.#base.columns;
  }

  /** True if there is a master key. Without it, no value is decrypted, and values that may be encrypted are marked. */
  get hasKey(): boolean {
    return this.#cipher !== undefined;
  }

  /** True if a row was decrypted, if values look encrypted, or if the database has no row. */
  get isEncrypted(): boolean {
    return this.#rules.size > 0 || !this.#known.isPlain;
  }

  get warnings(): readonly Warning[] {
    return [...this.#base.warnings, ...this.#known.warnings];
  }

  override get lost(): readonly string[] {
    return this.#base.lost ?? [];
  }

  /** The sequence number of the last write that reads see; undefined if the engine has none. */
  get sequence(): number | undefined {
    return this.#base.sequence;
  }

  /** The rules of the rows decrypted so far. */
  get rules(): readonly EncryptionRule[] {
    return encryptionRules.filter((rule) => this.#rules.has(rule));
  }

  /**
   * Reads all rows of a column family, each with its stored form.
   *
   * @throws MerostoreError `UNKNOWN_COLUMN_FAMILY`, `CLOSED`
   */
  async *openedRows(column: string): AsyncGenerator<readonly OpenedRow[], void, undefined> {
    this.checkOpen();
    for await (const rows of this.#base.scan(column).chunks()) yield await this.#open(column, rows);
  }

  protected override readView(): EngineReader {
    return this.#base;
  }

  protected override pin(): Promise<EngineReader> {
    return this.#base.snapshot();
  }

  protected override async release(view: EngineReader): Promise<void> {
    if (view !== this.#base) await (view as EngineSnapshot).close();
  }

  protected override async lookUp(
    column: string,
    keys: readonly Uint8Array[],
    view: EngineReader,
  ): Promise<Values> {
    const values = await view.getMany(column, keys);
    const places = [...values.keys()].filter((at) => values[at] !== undefined);
    const opened = await this.#open(
      column,
      places.map((at) => ({ key: keys[at] as Uint8Array, value: values[at] as Uint8Array })),
    );
    const plain: Values = new Array(keys.length).fill(undefined);
    for (const [at, { row }] of opened.entries()) plain[places[at] as number] = row.value;
    return plain;
  }

  protected override openScan(
    column: string,
    { gte: from, lt: to, reverse, limit, keysOnly }: ScanPlan,
    view: EngineReader,
  ): ChunkSource {
    const most = Number.isFinite(limit) ? limit : undefined;
    const chunks = view.scan(column, { gte: from, lt: to }, { reverse, limit: most, keysOnly }).chunks();
    return new DecryptedScan(chunks, (rows) => (keysOnly ? rows : this.#plain(column, rows)));
  }

  protected override apply(operations: readonly WriteOperation[], sync: boolean): Promise<void> {
    return this.#inTurn(async () => {
      const puts = operations.filter((operation) => operation.type === "put");
      const stored = await this.#encrypt(puts.map(({ value }) => value));
      const next = stored.values();
      const encrypted = operations.map((operation) =>
        operation.type === "put" ? { ...operation, value: next.next().value as Uint8Array } : operation,
      );
      return () => this.#base.write(encrypted, { owned: true, sync });
    });
  }

  protected override persist(): Promise<void> {
    return this.#inTurn(async () => () => this.#base.flush());
  }

  protected override size(column: string, range: Required<ByteRange>): Promise<number> {
    return this.#base.approximateSize(column, range);
  }

  protected override async shut(): Promise<void> {
    this.wipe();
    await this.#base.close();
  }

  protected override get readOnlyReason(): string {
    return `the engine ${this.#base.capabilities.engine} only reads here; open the database with writable: true`;
  }

  /**
   * Prepares a call of the underlying engine, and makes it after all earlier calls have begun. It does not wait for
   * their ends.
   */
  async #inTurn<T>(prepare: () => Promise<() => Promise<T>>): Promise<T> {
    const { done } = await this.#turns.run(async () => ({ done: (await prepare())() }));
    return done;
  }

  async #plain(column: string, rows: readonly RawRow[]): Promise<readonly RawRow[]> {
    return (await this.#open(column, rows)).map(({ row }) => row);
  }

  async #open(column: string, rows: readonly RawRow[]): Promise<readonly OpenedRow[]> {
    const decrypted = this.#cipher?.decrypt(rows.map(({ value }) => value)) ?? [];
    const found = decrypted instanceof Promise ? await decrypted : decrypted;
    for (const value of found) if (value !== undefined) this.#rules.add(value.rule);
    return rows.map((row, at) => {
      const value = found[at];
      if (value === undefined) return { row: this.#undecrypted(column, row), encryption: undefined };
      return { row: { key: row.key, value: value.plain }, encryption: value };
    });
  }

  /**
   * Overwrites the keys without closing the underlying engine. Nothing can be read or written afterwards.
   * @internal
   */
  wipe(): void {
    this.#cipher?.wipe();
  }

  /** Returns a plain value unchanged, and marks a possible ciphertext so that it does not decode. */
  #undecrypted(column: string, row: RawRow): RawRow {
    const { readsPlain = false, takenAsPlain } = this.#known;
    return (readsPlain && this.#rules.size === 0) || takenAsPlain(column, row)
      ? row
      : { key: row.key, value: UndecryptedBytes.view(row.value) };
  }

  async #encrypt(values: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
    if (this.#cipher === undefined)
      throw new MerostoreError("DATABASE_ENCRYPTED", "without the master key, values cannot be encrypted");
    return values.length === 0 ? [] : this.#cipher.encrypt(values, this.#ruleForWriting());
  }

  /** Returns the rule of the existing rows. @throws MerostoreError `ENCRYPTION_MIXED` */
  #ruleForWriting(): EncryptionRule {
    const { named, isPlain, fallback } = this.#known;
    const [rule, other] = this.rules;
    if (rule === undefined && isPlain)
      throw new MerostoreError(
        "ENCRYPTION_MIXED",
        "the rows of the database are not encrypted, and the new ones would be: open it without the master key, or encrypt it into a new database (encrypt)",
      );
    if (named !== undefined) {
      if (rule === undefined || this.#rules.has(named)) return named;
      throw new MerostoreError(
        "ENCRYPTION_MIXED",
        `the rows of the database are encrypted by the rule of ${rule}: nodes that decrypt them would not decrypt new ones by the rule of ${named}. Bring all rows under one rule in a new database (rekey)`,
      );
    }
    if (other !== undefined)
      throw new MerostoreError(
        "ENCRYPTION_MIXED",
        "the database has rows that only nodes of core-0.10 decrypt and rows that only nodes of core-0.11 do: name the rule for new rows (encryptionRule), or bring all rows under one rule in a new database (rekey)",
      );
    return rule ?? fallback;
  }

  #load(column: string, rows: AsyncIterable<readonly RawRow[]>): Promise<number> {
    this.checkOpen();
    this.checkColumn(column);
    return this.perform(`loading ${column}`, () => {
      const encrypt = (values: readonly Uint8Array[]) => this.#encrypt(values);
      const encrypted = async function* (): AsyncGenerator<readonly RawRow[]> {
        for await (const piece of rows) {
          for (const { value } of piece) refuseUndecrypted(value, column);
          const stored = await encrypt(piece.map(({ value }) => value));
          yield piece.map(({ key }, at) => ({ key, value: stored[at] as Uint8Array }));
        }
      };
      return this.#inTurn(async () => () => this.#base.load?.(column, encrypted()) as Promise<number>);
    });
  }

  async *#changes(since: number): AsyncGenerator<ChangeBatch, undefined, undefined> {
    this.checkOpen();
    const batches = this.#base.changes?.(since) as AsyncIterableIterator<ChangeBatch>;
    for await (const { sequence, operations } of batches) {
      const read: WriteOperation[] = [];
      for (const operation of operations) {
        if (operation.type !== "put") read.push(operation);
        else {
          const [opened] = await this.#open(operation.column, [operation]);
          read.push({ ...operation, value: (opened as OpenedRow).row.value });
        }
      }
      yield { sequence, operations: read };
    }
    return undefined;
  }
}

function capabilitiesOf({ limits, ...capabilities }: Capabilities): Capabilities {
  if (limits === undefined) return capabilities;
  const { valueBytes } = limits;
  return { ...capabilities, limits: { ...limits, valueBytes: valueBytes - ENCRYPTION_OVERHEAD } };
}

class DecryptedScan implements ChunkSource {
  readonly #chunks: AsyncIterator<readonly RawRow[], unknown, undefined>;
  readonly #plain: (rows: readonly RawRow[]) => readonly RawRow[] | Promise<readonly RawRow[]>;
  /** Rows that were read beyond the last request. */
  #rows: readonly RawRow[] = [];

  constructor(
    chunks: AsyncIterator<readonly RawRow[], unknown, undefined>,
    plain: (rows: readonly RawRow[]) => readonly RawRow[] | Promise<readonly RawRow[]>,
  ) {
    this.#chunks = chunks;
    this.#plain = plain;
  }

  async next(most: number): Promise<readonly RawRow[] | undefined> {
    if (this.#rows.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done === true) return undefined;
      this.#rows = await this.#plain(value);
    }
    const rows = this.#rows.slice(0, most);
    this.#rows = this.#rows.slice(most);
    return rows;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
