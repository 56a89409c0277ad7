/** An open database in the worker. Every question reads it. */
import { type KnownSchema, type Store, storeOn } from "merostore";
import { EncryptedEngine } from "merostore/engine";
import { type FileSet, openFiles } from "merostore/engine/files";
import { findPrivateEntities, type PrivateEntities } from "merostore/internal";
import { CalimeroNode } from "merostore/node";
import { bundleNames } from "merostore/state";
import type { BlobFiles } from "merostore/verify";
import { Kept } from "./kept.js";
import { type DatabaseSource, openSource } from "./sources.js";

/** The facts about an open database that the page keeps. */
export interface OpenedDatabase {
  /** The name of its folder. */
  readonly name: string;
  /** The database in commands: `merostore status LOCATION`. */
  readonly location: string;
  /** The revision by which its rows are read. */
  readonly revision: string;
  /** Problems that did not prevent opening, in sentences. */
  readonly warnings: readonly string[];
  /** True if its writes can be followed. */
  readonly isLive: boolean;
  /** True if it has blob files, which contain the manifests of applications. */
  readonly hasBlobs: boolean;
  /** True if its values are encrypted at rest. */
  readonly isEncrypted: boolean;
}

/** Browsers decrypt only in pages that come from this machine, or over https. */
function checkCanDecrypt(): void {
  if (globalThis.crypto?.subtle === undefined)
    throw new Error(
      "The browser decrypts nothing in a page that came over an unencrypted connection: open it on the machine that serves it.",
    );
}

/** Bytes of blocks that are cached for reads of single keys, in this worker and in the verifying one. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** The most bytes of the file IDENTITY that are read: an id has 36. */
const ID_BYTES = 64;

/** The id that RocksDB gave a database; undefined if it has none. */
async function identityIn(files: FileSet): Promise<string | undefined> {
  const file = await files.open("IDENTITY");
  if (file === undefined) return undefined;
  try {
    return new TextDecoder().decode(await file.read(0, new Uint8Array(Math.min(file.size, ID_BYTES))));
  } finally {
    file.close();
  }
}

/** The most indexes, graphs, logs and states that are cached: each may take megabytes. */
const MOST_KEPT = 32;

/** An open database. */
export class Database {
  /** The typed rows. */
  readonly store: Store<KnownSchema>;
  /** The files of blobs, if the source has them. */
  readonly blobs: BlobFiles | undefined;
  /** The facts that the page keeps. */
  readonly opened: OpenedDatabase;
  /** The node in words. All questions share the names and tables that it has read. */
  readonly node: CalimeroNode;
  /** The column families whose rows cannot be read, with the reasons, as far as reads have found them. */
  readonly damage: ReadonlyMap<string, string>;
  readonly #kept = new Kept(MOST_KEPT);
  readonly #files: FileSet;
  readonly #identity: string | undefined;

  private constructor(
    store: Store<KnownSchema>,
    blobs: BlobFiles | undefined,
    opened: OpenedDatabase,
    damage: ReadonlyMap<string, string>,
    files: FileSet,
    identity: string | undefined,
  ) {
    this.store = store;
    this.blobs = blobs;
    this.opened = opened;
    this.damage = damage;
    this.#files = files;
    this.#identity = identity;
    this.node = new CalimeroNode(store, { bundleName: blobs && bundleNames(store, blobs) });
  }

  /**
   * Opens a database for reading.
   *
   * @param typed the master key that a person typed; without it, the served key is used
   * @param isStrict whether a read of damaged bytes fails. Otherwise it leaves out the rows in them
   */
  static async open(source: DatabaseSource, typed?: Uint8Array, isStrict = false): Promise<Database> {
    const { name, location, files, blobs, key } = await openSource(source);
    const masterKey = typed ?? key;
    const damage = new Map<string, string>();
    const onDamage = (column: string, { message }: Error): void => {
      if (!damage.has(column)) damage.set(column, message);
    };
    const engine = await openFiles(files, {
      cacheBytes: CACHE_BYTES,
      acceptLogLoss: source.acceptLogLoss === true,
      onDamage: isStrict ? undefined : onDamage,
    });
    try {
      if (masterKey !== undefined) checkCanDecrypt();
      const store = await storeOn(engine, { masterKey });
      const { warnings, schema, detection } = store;
      const opened = {
        name,
        location,
        revision: schema.name,
        warnings: [
          ...warnings.map(({ message }) => message),
          ...(detection?.assumed ? [`Read as ${schema.name}: ${detection.reason}.`] : []),
        ],
        isLive: files.isLive === true,
        hasBlobs: blobs !== undefined,
        isEncrypted: store.raw instanceof EncryptedEngine && store.raw.isEncrypted,
      };
      return new Database(store, blobs, opened, damage, files, await identityIn(files));
    } catch (error) {
      await engine.close();
      throw error;
    } finally {
      key?.fill(0);
    }
  }

  /** Returns whether the files are gone or replaced since the opening; undefined if they are still there. */
  async loss(): Promise<"gone" | "replaced" | undefined> {
    const now = await identityIn(this.#files).catch(() => this.#identity);
    return now === this.#identity ? undefined : now === undefined ? "gone" : "replaced";
  }

  /**
   * Returns a cached result of a question, such as an index or a list, or makes it. Writes of rows, and many other
   * results, drop it.
   */
  kept<T>(name: string, make: () => T): T {
    return this.#kept.get(name, make);
  }

  /** The private entities. In databases of core-0.10, their rows alone do not show that they are private. */
  privateEntities(): Promise<PrivateEntities> {
    return this.kept("private entities", () => findPrivateEntities(this.store.raw, this.store.schema));
  }

  /** Shows the rows that were written since. */
  async refresh(): Promise<void> {
    await this.node.refresh();
    this.#kept.clear();
  }

  /** Closes the database. */
  async close(): Promise<void> {
    await this.store.close();
  }
}
