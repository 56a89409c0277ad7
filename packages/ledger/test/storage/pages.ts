/** Pages in memory, and the contents of their databases. */

import { type Engine, openMemoryEngine } from "merostore/engine";
import { fromHex, toHex } from "merostore/internal";
import { listOf } from "../../../../test/support/lists.js";
import { isInline, type ObjectIdentifier, pieceType } from "../../src/objects.js";
import { type Edge, eagerEdges, edgesOfNode, mergeEdges } from "../../src/pieces/edges.js";
import type { KeySegments, KeyValues } from "../../src/rows/key-template.js";
import {
  commitRow,
  eagerEdgeRow,
  lazyEdgeRow,
  objectRow,
  type PieceStatus,
  statusRows,
} from "../../src/rows/page-rows.js";
import { COLUMN, type Row } from "../../src/rows/row.js";
import type { Commit } from "../../src/storage/commit.js";
import { Journal } from "../../src/storage/journal.js";
import { PageStorage, type StorageOptions } from "../../src/storage/page-storage.js";
import { decodeFileIndex } from "../../src/tables/file-index.js";
import type { Priority, TreeEntry } from "../../src/tables/tree-node.js";
import { entryRuns } from "../../src/tree/iterate.js";
import { KEY_INDEX, named, text } from "../inputs.js";

/** A page whose clock is set by hand. */
export class TestPage {
  readonly storage: PageStorage;
  readonly #clock: { now: bigint };

  private constructor(storage: PageStorage, clock: { now: bigint }) {
    this.storage = storage;
    this.#clock = clock;
  }

  static async open(
    options: Partial<StorageOptions> = {},
    engine: Engine = openMemoryEngine({ columns: [COLUMN] }),
  ): Promise<TestPage> {
    const clock = { now: 1000n };
    const storage = await PageStorage.open(engine, {
      rollingHash: "V1",
      keyIndex: KEY_INDEX,
      prune: false,
      collection: "never",
      clock: () => clock.now,
      ...options,
    });
    return new TestPage(storage, clock);
  }

  /** Sets the time of the next commits, in nanoseconds since the epoch. */
  set now(time: bigint) {
    this.#clock.now = time;
  }

  get engine(): Engine {
    return this.storage.engine;
  }

  journal(): TestJournal {
    return new TestJournal(this.storage);
  }

  headCommits(): Promise<readonly Commit[]> {
    return this.storage.heads.withCommits(async (heads) => heads);
  }

  /** The commit of the only head. */
  async head(): Promise<Commit> {
    const [head, ...others] = await this.headCommits();
    if (head === undefined || others.length > 0) throw new Error(`${1 + others.length} heads`);
    return head;
  }

  /** Commits changes, one nanosecond after the last ones. Throws if they change nothing. */
  async commit(
    parents: readonly [Commit] | readonly [Commit, Commit],
    edit: (journal: TestJournal) => void,
  ): Promise<Commit> {
    const journal = this.journal();
    edit(journal);
    const commit = await this.storage.commit(parents, journal.contents);
    this.#clock.now++;
    if (commit === undefined) throw new Error("nothing was changed");
    return commit;
  }

  /** {@link TestPage.commit} after the only head. */
  async edit(edit: (journal: TestJournal) => void): Promise<Commit> {
    return this.commit([await this.head()], edit);
  }

  async entries({ root }: Commit): Promise<TreeEntry[]> {
    return (await listOf(entryRuns(this.storage.objects, root))).flat();
  }

  /** Keys and values of a state of the page, as text. */
  async contents(commit: Commit): Promise<Record<string, string>> {
    const contents: Record<string, string> = {};
    for (const { key, value } of await this.entries(commit))
      contents[Buffer.from(key).toString()] = Buffer.from(await this.storage.objects.whole(value)).toString();
    return contents;
  }

  /** All rows as hex digits. */
  async rows(): Promise<Record<string, string>> {
    const rows: Record<string, string> = {};
    for await (const { key, value } of this.engine.scan(COLUMN)) rows[toHex(key)] = toHex(value);
    return rows;
  }

  /** The parts of the keys of all rows of a kind. Keys of other kinds may begin like these. */
  async partsOf<const S extends KeySegments>(row: Row<S, unknown>): Promise<KeyValues<S>[]> {
    const all: KeyValues<S>[] = [];
    for await (const { key } of this.engine.scan(COLUMN, row.range())) {
      const parts = row.key.parse(key);
      if (parts !== undefined) all.push(parts);
    }
    return all;
  }

  /** The digests of stored pieces. */
  async pieceNames(): Promise<string[]> {
    return (await this.partsOf(objectRow)).map(({ digest }) => toHex(digest)).sort();
  }

  /** The digests of pieces with a status. */
  async withStatus(status: PieceStatus): Promise<string[]> {
    return (await this.partsOf(statusRows[status])).map(({ identifier }) => named(identifier)).sort();
  }

  /** Stored commits. */
  async commits(): Promise<Commit[]> {
    const ids = await this.partsOf(commitRow);
    return Promise.all(ids.map(({ commit }) => this.storage.commits.get(commit)));
  }

  /** Source, kind and destination of each stored edge between pieces. */
  async storedEdges(): Promise<string[]> {
    const eager = (await this.partsOf(eagerEdgeRow)).map((parts) => ["eager", parts] as const);
    const lazy = (await this.partsOf(lazyEdgeRow)).map((parts) => ["lazy", parts] as const);
    return [...eager, ...lazy]
      .map(([kind, { source, destination }]) => `${toHex(source)} ${kind} ${toHex(destination)}`)
      .sort();
  }

  /** {@link TestPage.storedEdges} as they follow from the contents of the stored pieces. */
  async expectedEdges(): Promise<string[]> {
    const edges: string[] = [];
    for (const name of await this.pieceNames()) {
      const source = { keyIndex: KEY_INDEX, digest: fromHex(name) };
      for (const { digest, priority } of await this.edgesOf(source))
        edges.push(`${name} ${priority} ${toHex(digest)}`);
    }
    return edges.sort();
  }

  /** The edges that follow from the content of a piece. */
  async edgesOf({ keyIndex, digest }: ObjectIdentifier): Promise<readonly Edge[]> {
    const content = await this.storage.pieces.read(digest);
    if (content === undefined) throw new Error(`the piece ${toHex(digest)} is missing`);
    const index = pieceType(digest) === "index" ? decodeFileIndex(content).children : [];
    const ofIndex = eagerEdges(index.map(({ identifier }) => identifier.digest));
    const isNode = ((digest[0] as number) & 4) !== 0;
    const ofNode = isNode ? edgesOfNode(await this.storage.objects.node({ keyIndex, digest })) : [];
    return mergeEdges(ofIndex, ofNode);
  }

  /** The pieces that can be reached from the roots of these commits. */
  async reachable(commits: readonly Commit[]): Promise<string[]> {
    const found = new Map<string, ObjectIdentifier>();
    const open = commits.map(({ root }) => root);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (isInline(next.digest) || found.has(named(next))) continue;
      found.set(named(next), next);
      for (const { digest } of await this.edgesOf(next)) open.push({ keyIndex: KEY_INDEX, digest });
    }
    return [...found.keys()].sort();
  }
}

/** A journal of text. */
export class TestJournal {
  readonly #storage: PageStorage;
  readonly #journal = new Journal();

  constructor(storage: PageStorage) {
    this.#storage = storage;
  }

  put(key: string, value: string | Uint8Array, priority: Priority = "eager"): void {
    const { root, pieces } = this.#storage.values.split(typeof value === "string" ? text(value) : value);
    this.#journal.put(text(key), root, priority, pieces);
  }

  /** A value that is stored already. */
  putReference(key: string, value: ObjectIdentifier, priority: Priority = "eager"): void {
    this.#journal.put(text(key), value, priority);
  }

  delete(key: string): void {
    this.#journal.delete(text(key));
  }

  clear(): void {
    this.#journal.clear();
  }

  get contents(): Journal["contents"] {
    return this.#journal.contents;
  }
}
