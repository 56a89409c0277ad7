/** A database in memory whose rows are spoilt one at a time, and the findings that verification adds. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { equalBytes } from "../../../src/bytes/order.js";
import { entryStateKey, indexStateKey } from "../../../src/digests/index.js";
import type { Engine, WriteOperation } from "../../../src/engines/index.js";
import { openMemoryEngine } from "../../../src/engines/memory/index.js";
import { ContextState011, Generic, scopeBytes } from "../../../src/keys/index.js";
import { replayFacts } from "../../../src/node/index.js";
import { revisionOf, type Schema } from "../../../src/schemas/index.js";
import { type Store, storeOn } from "../../../src/store/index.js";
import {
  allRules,
  type BlobFiles,
  blobFolder,
  type Finding,
  type Rule,
  type Severity,
  verifyStore,
} from "../../../src/verify/index.js";
import { listOf } from "../../support/lists.js";
import { RememberingWork } from "../../support/remembering-work.js";
import { kindOf } from "./fields.js";
import { Reach } from "./reach.js";

/** A row of a fixture. */
export interface StoredRow {
  readonly column: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A new value of a row; a row without one is deleted. */
export interface Change {
  readonly column: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** A new finding: a rule, and whether it names the row that was spoilt or another one. */
export interface News {
  readonly rule: string;
  readonly elsewhere: boolean;
}

/** A finding that a database gets when rows are deleted. */
export interface Notice {
  readonly rule: string;
  readonly severity: Severity;
}

/** The rules about a single row: other rows do not change their findings. */
const BY_THEMSELVES = allRules.filter(({ name }) => name === "row-decodes" || name === "row-canonical");

/** The scope of rows about contexts whose state is being fetched. */
const SYNC = scopeBytes("sync-in-progres") as Uint8Array;

/** The rules about rows together. */
const TOGETHER = allRules.filter(({ checks }) => checks.some(({ kind }) => kind !== undefined));

export class Subject {
  readonly name: string;
  readonly schema: Schema;
  readonly rows: readonly StoredRow[];
  readonly #store: Store;
  readonly #alone: Engine;
  readonly #blobs: BlobFiles | undefined;
  readonly #reach: Reach;
  /** The column families and keys of the data of entities. */
  readonly #data = new Set<string>();
  readonly #work = new RememberingWork();
  /** The findings in the database as it is, by the names of the rules that ran. */
  readonly #before = new Map<string, readonly Finding[]>();

  private constructor(
    name: string,
    rows: readonly StoredRow[],
    store: Store,
    blobs: BlobFiles | undefined,
    reach: Reach,
  ) {
    this.name = name;
    this.rows = rows;
    this.schema = store.schema;
    this.#store = store;
    this.#blobs = blobs;
    this.#reach = reach;
    for (const { column, key, value } of rows) {
      if ((column !== "State" && column !== "PrivateState") || key.length !== ContextState011.SIZE) continue;
      const { contextId, stateKey } = ContextState011.fromBytes(key);
      // Index rows begin with the id of their entity.
      const id = value.subarray(0, 32);
      if (id.length === 32 && equalBytes(indexStateKey(id), stateKey))
        this.#data.add(
          `${column} ${toHex(new ContextState011({ contextId, stateKey: entryStateKey(id) }).bytes)}`,
        );
    }
    this.#alone = openMemoryEngine({ columns: store.schema.columns });
  }

  /**
   * @param fixtures the folder of all fixtures
   * @param name one of them, after its revision: `core-0.11/node-a`
   */
  static async open(fixtures: string, name: string): Promise<Subject> {
    const schema = revisionOf(name.split("/")[0] as string) as Schema;
    const lines = readFileSync(join(fixtures, name, "rows.jsonl"), "utf8")
      .trimEnd()
      .split("\n");
    const rows = lines.map((line): StoredRow => {
      const { column, key, value } = JSON.parse(line) as { column: string; key: string; value: string };
      return { column, key: fromHex(key), value: fromHex(value) };
    });
    const folder = join(fixtures, name, "blobs");
    const blobs = existsSync(folder) ? remembering(await blobFolder(folder)) : undefined;
    return Subject.of(name, schema, rows, blobs);
  }

  /** @param name of the database, after its revision */
  static async of(
    name: string,
    schema: Schema,
    rows: readonly StoredRow[],
    blobs: BlobFiles | undefined,
  ): Promise<Subject> {
    const engine = openMemoryEngine({ columns: schema.columns });
    await engine.write(rows.map((row) => ({ type: "put", ...row })));
    const store = await storeOn(engine, { schema });
    return new Subject(name, rows, store, blobs, await Reach.of(engine, schema, TOGETHER, { blobs }));
  }

  /** The rows that can be spoilt: they have bytes and no finding yet, which would hide later ones. */
  async sound(): Promise<readonly StoredRow[]> {
    const named = new Set((await this.#found(allRules)).map(({ column, key }) => `${column} ${key}`));
    const fetched = new Set(
      this.rows.flatMap(({ column, key }) => {
        const { scope, fragment } = column === "Generic" ? Generic.fromBytes(key) : {};
        return scope !== undefined && fragment !== undefined && equalBytes(scope, SYNC)
          ? [toHex(fragment)]
          : [];
      }),
    );
    return this.rows.filter(({ column, key, value }) => {
      // The id of a blob follows from its content alone.
      if (value.length === 0 || (column === "Blobs" && this.#blobs === undefined)) return false;
      // A context that is being fetched is incomplete.
      if (["Meta", "State"].includes(column) && fetched.has(toHex(key.subarray(0, 32)))) return false;
      return !named.has(`${column} ${toHex(key)}`);
    });
  }

  /** The name of the kind of a row of this database. */
  kindOf(row: StoredRow): string {
    return kindOf(this.schema, row, ({ column, key }) => this.#data.has(`${column} ${toHex(key)}`));
  }

  /**
   * The findings that another value of a row adds: those about the row alone, or else those of rules that look at it.
   */
  async news(row: StoredRow, value: Uint8Array): Promise<readonly News[]> {
    const alone = await this.#newsAlone({ ...row, value });
    if (alone.length > 0) return alone;
    const rules = this.#reach.rulesFor(row);
    const before = counted(await this.#foundAsItIs(rules), placeOf);
    const { column, key } = row;
    await this.#store.raw.write([{ type: "put", column, key, value }]);
    const news = newsOf(row, before, await this.#found(rules));
    await this.#store.raw.write([{ type: "put", ...row }]);
    return news;
  }

  /**
   * The keys, in hex, of rows whose deletion a replay of governance operations notices: rows that operations made in
   * groups whose operations can all be read, and the first row of a group that no operation names.
   */
  async replayed(): Promise<ReadonlySet<string>> {
    const keys = new Map<string, string>();
    const unreadable = new Set<string>();
    for await (const fact of replayFacts(this.#store)) {
      if (fact.fact === "unreadable") unreadable.add(fact.group);
      if (fact.fact === "unnamed group") keys.set(toHex(fact.key.bytes), fact.group);
      if (fact.fact !== "row") continue;
      const { status, operation, writer } = fact;
      const isMade = status === "proven" || status === "differs";
      const isExplained =
        status === "explained" && (operation !== undefined || writer === "pre-registration");
      if (isMade || isExplained) keys.set(toHex(fact.key.bytes), fact.group);
    }
    return new Set([...keys].filter(([, group]) => !unreadable.has(group)).map(([key]) => key));
  }

  /** Returns the findings that the database gets when rows are deleted. */
  noticesWithout(rows: readonly StoredRow[]): Promise<readonly Notice[]> {
    return this.noticesAfter(rows.map(({ column, key }) => ({ column, key, value: undefined })));
  }

  /**
   * Returns the findings that changes add. Only rules that read one of the changed rows run: the findings of every
   * other rule stay the same.
   */
  async noticesAfter(changes: readonly Change[]): Promise<readonly Notice[]> {
    const reading = new Set(changes.flatMap((change) => this.#reach.rulesFor(change)));
    const rules = TOGETHER.filter((rule) => reading.has(rule));
    const before = counted(await this.#foundAsItIs(rules), weighed);
    const { raw } = this.#store;
    const stored = await Promise.all(
      changes.map(async ({ column, key }) => ({ column, key, value: await raw.get(column, key) })),
    );
    await raw.write(changes.map(written));
    const found = await this.#found(rules);
    await raw.write(stored.map(written));
    return found.filter((finding) => {
      const known = before.get(weighed(finding)) ?? 0;
      before.set(weighed(finding), known - 1);
      return known <= 0;
    });
  }

  async #newsAlone(row: StoredRow): Promise<readonly News[]> {
    const { column, key } = row;
    await this.#alone.write([{ type: "put", ...row }]);
    const store = { raw: this.#alone, schema: this.schema, columns: [column] };
    const found = await listOf(verifyStore(store, { rules: BY_THEMSELVES }));
    await this.#alone.write([{ type: "delete", column, key }]);
    return newsOf(row, new Map(), found);
  }

  async #foundAsItIs(rules: readonly Rule[]): Promise<readonly Finding[]> {
    const names = rules.map(({ name }) => name).join(" ");
    const known = this.#before.get(names) ?? (await this.#found(rules));
    this.#before.set(names, known);
    return known;
  }

  #found(rules: readonly Rule[]): Promise<readonly Finding[]> {
    return listOf(verifyStore(this.#store, { rules, blobs: this.#blobs, work: this.#work }));
  }
}

function written({ column, key, value }: Change): WriteOperation {
  return value === undefined ? { type: "delete", column, key } : { type: "put", column, key, value };
}

/** A finding by its rule and row, without its severity, which other rows decide too, and without its text. */
const placeOf = ({ rule, column, key }: Finding): string => `${rule} ${column} ${key}`;

/** The same with its severity. */
const weighed = (finding: Finding): string => `${finding.severity} ${placeOf(finding)}`;

function counted(findings: readonly Finding[], nameOf: (finding: Finding) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const finding of findings) counts.set(nameOf(finding), (counts.get(nameOf(finding)) ?? 0) + 1);
  return counts;
}

function newsOf(
  { column, key }: StoredRow,
  before: ReadonlyMap<string, number>,
  findings: readonly Finding[],
): readonly News[] {
  const left = new Map(before);
  const hex = toHex(key);
  return findings.flatMap((finding) => {
    const place = placeOf(finding);
    const known = left.get(place) ?? 0;
    left.set(place, known - 1);
    if (known > 0) return [];
    return [{ rule: finding.rule, elsewhere: finding.column !== column || finding.key !== hex }];
  });
}

function remembering(blobs: BlobFiles): BlobFiles {
  const known = new Map<string, Promise<Uint8Array | undefined>>();
  return {
    read(chunkId) {
      const name = toHex(chunkId);
      const content = known.get(name) ?? blobs.read(chunkId);
      known.set(name, content);
      return content;
    },
  };
}
