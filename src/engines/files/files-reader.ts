/** Reading one state of a database from its files: shared by the engine and its snapshots. */

import { checkBytes, checkKeys, checkScan, unknownColumn } from "../../engine/arguments.js";
import { ChunkedScan } from "../../engine/chunked-scan.js";
import type { ByteRange, EngineReader, RawScan, ScanOptions } from "../../engine/engine.js";
import type { Lifecycle } from "../../engine/lifecycle.js";
import { isMerostoreError } from "../../errors.js";
import { FilesScan } from "./files-scan.js";
import type { Family } from "./read/family.js";
import type { State } from "./state.js";

export abstract class FilesReader implements EngineReader {
  protected readonly life: Lifecycle;

  constructor(life: Lifecycle) {
    this.life = life;
  }

  get columns(): readonly string[] {
    return [...this.state().families.keys()];
  }

  /** The state that a read beginning now sees. */
  protected abstract state(): State;

  async get(column: string, key: Uint8Array): Promise<Uint8Array | undefined> {
    this.life.check();
    const family = this.family(column);
    checkBytes(key, "the key of a get from", column);
    const [value] = await this.#reading(() => family.getMany([key]));
    return value;
  }

  async getMany(column: string, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    this.life.check();
    const family = this.family(column);
    checkKeys(keys, column);
    return this.#reading(() => family.getMany(keys));
  }

  scan(column: string, range?: ByteRange, options?: ScanOptions): RawScan {
    this.life.check();
    this.family(column);
    const { isEmpty, limit, keysOnly, ...bounds } = checkScan(range, options);
    return new ChunkedScan(() => {
      this.life.check();
      const family = this.family(column);
      return new FilesScan(
        isEmpty ? undefined : () => family.scan(bounds, keysOnly),
        limit,
        this.state(),
        this.life,
      );
    });
  }

  /** @throws MerostoreError UNKNOWN_COLUMN_FAMILY, or DATABASE_DAMAGED when its files cannot be read */
  protected family(column: string): Family {
    const { families } = this.state();
    const family = families.get(column);
    if (family === undefined) throw unknownColumn(column, [...families.keys()]);
    if (isMerostoreError(family)) throw family;
    return family;
  }

  /** Reads, with the files kept open until it is done. */
  #reading<T>(read: () => Promise<T>): Promise<T> {
    return this.life.run(async () => {
      const state = this.state().retain();
      try {
        return await read();
      } finally {
        state.release();
      }
    });
  }
}
