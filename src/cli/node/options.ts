/** Options of the commands that answer in words, and the opening of their database. */
import { blobFolder } from "../../blobs/index.js";
import { isMerostoreError } from "../../errors.js";
import { CalimeroNode, type Named, partialStore, type ThingKind } from "../../node/index.js";
import { bundleNames } from "../../state/index.js";
import type { Store } from "../../store/index.js";
import type { ExitStatus } from "../arguments/command.js";
import { json, reading, utc } from "../arguments/options.js";
import { sideNames } from "../arguments/side-names.js";
import {
  type DatabaseOptions,
  isEncrypted,
  type OpenDatabase,
  openDatabase,
  refuseLost,
} from "../database/database.js";
import { blobsOf } from "../database/database-folder.js";
import { type ReadNode, withRemarks } from "../database/unread.js";
import type { Terminal } from "../output/terminal.js";
import { withDatabases } from "../sql/databases.js";
import { Labels } from "./labels.js";
import { momentOf, type PastState } from "./moment.js";

/** The common options of these commands. */
export const nodeOptions = { ...reading, json, utc };

/** The column families of deltas and data, which answers about groups do not need. */
const OF_CONTEXTS = ["Delta", "State", "PrivateState"];

/** An open database of a node, with the labels of its things. */
export interface OpenNode extends OpenDatabase {
  /** The node; with `--at`, the node at that moment. */
  readonly node: CalimeroNode;
  readonly labels: Labels;
  /** The moment of `--at`; undefined without it. */
  readonly moment?: PastState | undefined;
}

/**
 * Opens the database of a command, runs it, and closes the database.
 *
 * @param options `at` is the moment of a namespace's log, and `of` the group of the question; with `partial` it runs on
 *   the readable rows if tables of deltas and of data are damaged
 */
export async function withNode(
  terminal: Terminal,
  db: string,
  options: DatabaseOptions & {
    readonly at?: string | undefined;
    readonly of?: string | undefined;
    readonly utc: boolean;
    readonly partial?: boolean;
  },
  run: (open: OpenNode) => Promise<ExitStatus>,
): Promise<ExitStatus> {
  await using opened = await openDatabase(terminal, db, options);
  if (await isEncrypted(opened, options)) return 3;
  const store = options.partial ? partialStore(opened, OF_CONTEXTS) : opened;
  const now = await nodeAt(store, db);
  const read: ReadNode[] = [{ store, node: now }];
  return await withRemarks(terminal, read, async () => {
    const past =
      options.at === undefined ? undefined : await momentOf(now, options.at, options.utc, options.of);
    const node = past?.then ?? now;
    if (past !== undefined) read.push({ store, node });
    return run({ db, store, node, labels: new Labels(terminal, node), moment: past?.moment });
  });
}

/** One of several open databases. */
export interface OpenSide extends OpenNode {
  /** Its unique name. */
  readonly name: string;
}

/**
 * Opens the databases of a command, runs it, and closes them.
 *
 * @param options with `partial` it runs on the readable rows if tables are damaged
 * @throws MerostoreError `DATABASE_DAMAGED` if writes of a database are known to be missing
 */
export async function withNodes(
  terminal: Terminal,
  paths: readonly string[],
  options: DatabaseOptions & { readonly partial?: boolean },
  run: (sides: readonly OpenSide[]) => Promise<ExitStatus>,
): Promise<ExitStatus> {
  return withDatabases(terminal, paths, options, async (stores) => {
    const names = sideNames(...paths);
    const sides: OpenSide[] = [];
    for (const [at, store] of stores.entries()) {
      if (await isEncrypted(store, options)) return 3;
      refuseLost(store);
      const part = options.partial ? partialStore(store) : store;
      const db = paths[at] as string;
      const node = await nodeAt(part, db);
      sides.push({ name: names[at] as string, db, store: part, node, labels: new Labels(terminal, node) });
    }
    const read = sides.length === 1 ? sides.map(({ store, node }) => ({ store, node })) : sides;
    return withRemarks(terminal, read, () => run(sides));
  });
}

/**
 * Returns the thing that a word means in the first node that knows it: a name may be known to only one of them.
 *
 * @throws MerostoreError as the first node does, if none knows it
 */
export async function meantBy(
  sides: readonly Pick<OpenSide, "node">[],
  typed: string,
  kinds: readonly ThingKind[],
): Promise<Named> {
  let refusal: unknown;
  for (const { node } of sides)
    try {
      return await node.resolve(typed, kinds);
    } catch (error) {
      if (!isMerostoreError(error, "UNKNOWN_NAME")) throw error;
      refusal ??= error;
    }
  throw refusal;
}

/**
 * The node of an open database. The blobs beside the database give names to applications that only their bundles name.
 */
export async function nodeAt(store: Store, db: string): Promise<CalimeroNode> {
  const blobs = blobsOf(db);
  return new CalimeroNode(store, {
    bundleName: blobs === undefined ? undefined : bundleNames(store, await blobFolder(blobs)),
  });
}

/** Options for printing a page about one thing. */
export interface PageOptions {
  readonly json: boolean;
  readonly utc: boolean;
}
