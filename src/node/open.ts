/** Opens a folder as a node. It needs Node.js; the other files of `src/node` run anywhere. */

import type { Schema } from "../schemas/index.js";
import { type OpenOptions, openStore, type PathOrUrl, type Store } from "../store/index.js";
import { CalimeroNode } from "./node.js";

/** Options of {@link openNode}: those of `openStore` that concern reading. */
export interface NodeOptions extends Omit<OpenOptions, "writable" | "create"> {
  /** The revision of the rows; detected without it. */
  readonly schema?: Schema | undefined;
}

/** A node whose database is open for reading. Close it at the end, or declare it with `await using`. */
export class OpenNode extends CalimeroNode implements AsyncDisposable {
  /** The database: rows, ids and bytes as they are. `close` closes it. */
  readonly store: Store;

  /** @internal */
  constructor(store: Store) {
    super(store);
    this.store = store;
  }

  /** Closes the database. Later questions are refused with `CLOSED`. */
  close(): Promise<void> {
    return this.store.close();
  }

  /** Closes the database: `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/**
 * Opens a node's database for reading and answers questions about it. For a store that is already open:
 * `new CalimeroNode(store)`.
 *
 * @param location the folder that holds the file CURRENT, or a URL, as `openStore` takes it
 * @throws MerostoreError as `openStore`: `DATABASE_NOT_FOUND`, `NOT_A_DATABASE`, `DATABASE_DAMAGED`, `REVISION_UNKNOWN`, …
 * @example
 * await using node = await openNode("node/data");
 * for (const { member, role } of await node.members("office")) console.log(member.name ?? member.id, role);
 */
export async function openNode(location: PathOrUrl, options: NodeOptions = {}): Promise<OpenNode> {
  const { schema, ...reading } = { ...options, writable: false };
  return new OpenNode(
    await (schema === undefined ? openStore(location, reading) : openStore(location, { ...reading, schema })),
  );
}
