/** The engine that reads a database's files. */

import { checkRange, isEmptyRange } from "../../engine/arguments.js";
import type {
  ByteRange,
  Capabilities,
  Engine,
  EngineSnapshot,
  Unflushed,
  WriteOperation,
  WriteOptions,
} from "../../engine/engine.js";
import { Lifecycle } from "../../engine/lifecycle.js";
import { MerostoreError } from "../../errors.js";
import { FilesReader } from "./files-reader.js";
import type { State } from "./state.js";

/** Opens the database once more, as it is now. */
export type Reopen = () => Promise<State>;

export class FilesEngine extends FilesReader implements Engine {
  readonly capabilities: Capabilities = {
    engine: "files",
    writable: false,
    persistent: true,
    syncedWrites: false,
  };
  readonly #name: string;
  readonly #reopen: Reopen;
  #state: State;

  /** @param name the database, for messages */
  constructor(name: string, state: State, reopen: Reopen) {
    super(new Lifecycle("engine"));
    this.#name = name;
    this.#state = state;
    this.#reopen = reopen;
  }

  get warnings(): readonly string[] {
    const { loss } = this.#state;
    return loss === undefined ? [] : [loss.sentence];
  }

  protected override state(): State {
    return this.#state;
  }

  /** Goes over to the state in which the files are now; scans and snapshots that were begun stay with theirs. */
  async refresh(): Promise<void> {
    await this.life.run(async () => {
      const next = await this.#reopen();
      this.#state.release();
      this.#state = next;
    });
  }

  async write(_operations: readonly WriteOperation[], _options?: WriteOptions): Promise<void> {
    throw this.#readOnly("write");
  }

  async flush(): Promise<void> {
    throw this.#readOnly("flush");
  }

  async snapshot(): Promise<EngineSnapshot> {
    this.life.check();
    return new FilesSnapshot(this.#state, this.life);
  }

  async approximateSize(column: string, range?: ByteRange): Promise<number> {
    this.life.check();
    const family = this.family(column);
    const checked = checkRange(range);
    return this.life.run(async () => (isEmptyRange(checked) ? 0 : family.size(checked)));
  }

  async unflushed(column: string): Promise<Unflushed> {
    this.life.check();
    const { changes, bytes } = this.family(column).memtable;
    return { entries: changes, bytes };
  }

  close(): Promise<void> {
    return this.life.close(async () => this.#state.release());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #readOnly(what: string): MerostoreError {
    this.life.check();
    return new MerostoreError(
      "READ_ONLY",
      `cannot ${what}: the engine files only reads, and ${this.#name} was opened with it; pass writable: true to open it for writing`,
    );
  }
}

class FilesSnapshot extends FilesReader implements EngineSnapshot {
  readonly #state: State;
  readonly #owner: Lifecycle;

  constructor(state: State, owner: Lifecycle) {
    super(new Lifecycle("snapshot"));
    this.#state = state.retain();
    this.#owner = owner;
    owner.own(this);
  }

  protected override state(): State {
    return this.#state;
  }

  close(): Promise<void> {
    return this.life.close(async () => {
      this.#state.release();
      this.#owner.disown(this);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
