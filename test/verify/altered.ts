/** A fixture in memory that tests change, and the findings that verification adds. */
import { expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import type { Engine, WriteOperation } from "../../src/engines/index.js";
import { openMemoryEngine } from "../../src/engines/memory/index.js";
import type { AnyKey, AnyKeyClass, KeyOf } from "../../src/keys/index.js";
import type { ClassesOf, Schema, ValueFor } from "../../src/schemas/index.js";
import { type Store, storeOn } from "../../src/store/index.js";
import { allRules, type Severity, type VerifyOptions, verifyStore } from "../../src/verify/index.js";
import { fixtureRows } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";
import { RememberingWork } from "../support/remembering-work.js";
import { putsOf } from "../support/transfer.js";

/** The store of a fixture on an engine in memory. `more` are further column families. */
export async function inMemory<S extends Schema>(
  fixture: string,
  schema: S,
  more: readonly string[] = [],
): Promise<Store<S>> {
  const engine = openMemoryEngine({ columns: [...schema.columns, ...more] });
  const name = `${fixture} ${schema.name} ${engine.columns.join(" ")}`;
  const rows = operations.get(fixture) ?? putsOf(fixtureRows(fixture));
  operations.set(fixture, rows);
  await engine.write(rows);
  const store = await storeOn(engine, { schema });
  const write = engine.write.bind(engine);
  asTheyAre.set(engine, name);
  engine.write = (...given) => {
    asTheyAre.delete(engine);
    return write(...given);
  };
  return store;
}

/** The rows of fixtures. */
const operations = new Map<string, readonly WriteOperation[]>();

/** Engines with the unchanged rows of a fixture, and its name. */
const asTheyAre = new WeakMap<Engine, string>();

/** The findings in unchanged fixtures, by the rules that ran. */
const known = new Map<string, Promise<readonly string[]>>();

/** {@link found}, kept for an unchanged fixture. */
function foundIn(store: Store, options: VerifyOptions): Promise<readonly string[]> {
  const fixture = asTheyAre.get(store.raw);
  const { rules, ...others } = options;
  if (fixture === undefined || Object.keys(others).length > 0) return found(store, options);
  const name = `${fixture}: ${rules?.map((rule) => rule.name).join(" ")}`;
  const findings = known.get(name) ?? found(store, options);
  known.set(name, findings);
  return findings;
}

/** A row of a kind. */
export interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
}

/** The rows of a kind that meet a condition; at least one must. */
export async function rowsOf<S extends Schema, C extends ClassesOf<S> & AnyKeyClass>(
  store: Store<S>,
  kind: C,
  where: (row: Entry<KeyOf<C>, ValueFor<S, KeyOf<C>>>) => boolean = () => true,
): Promise<[Entry<KeyOf<C>, ValueFor<S, KeyOf<C>>>, ...Entry<KeyOf<C>, ValueFor<S, KeyOf<C>>>[]]> {
  const rows: Entry<KeyOf<C>, ValueFor<S, KeyOf<C>>>[] = [];
  for await (const { key, value, error } of store.table(kind).scan()) {
    const row = { key, value } as Entry<KeyOf<C>, ValueFor<S, KeyOf<C>>>;
    if (error === undefined && where(row)) rows.push(row);
  }
  const [first, ...others] = rows;
  if (first === undefined) throw new Error(`the fixture has no such ${kind.KIND}`);
  return [first, ...others];
}

/** A finding in short, as a test expects it, by the key of the row. */
export type Expected = readonly [
  severity: Severity,
  rule: string,
  key: { readonly COLUMN: string; readonly bytes: Uint8Array | null },
];

const textOf = ([severity, rule, { COLUMN, bytes }]: Expected): string =>
  `${severity} ${rule} ${COLUMN} ${bytes === null ? null : toHex(bytes)}`;

const work = new RememberingWork();

/** The findings of verification, as texts. */
async function found(store: Store, options: VerifyOptions): Promise<readonly string[]> {
  const findings = await listOf(verifyStore(store, { work, ...options }));
  return findings.map(({ severity, rule, column, key }) => `${severity} ${rule} ${column} ${key}`);
}

/** The rules about rows. Rules about the results of operations and deltas notice nearly every change as well. */
export const rulesOfRows = allRules.filter(
  ({ checks }) => checks.length === 0 || checks.some((check) => "run" in check),
);

/** Changes a store and expects exactly these new findings of verification. `change` returns the expected findings. */
export async function expectNews<S extends Schema>(
  store: Store<S>,
  change: (store: Store<S>) => Promise<readonly Expected[]>,
  options: VerifyOptions = { rules: rulesOfRows },
): Promise<void> {
  const before = [...(await foundIn(store, options))];
  const expected = await change(store);
  const news = (await found(store, options)).filter((text) => {
    const at = before.indexOf(text);
    if (at >= 0) before.splice(at, 1);
    return at < 0;
  });
  expect(news.sort()).toEqual(expected.map(textOf).sort());
}

/** A test: a change of a fixture leads to exactly these new findings; see {@link expectNews}. */
export function itFinds<S extends Schema>(
  name: string,
  fixture: () => Promise<Store<S>>,
  change: (store: Store<S>) => Promise<readonly Expected[]>,
  options?: VerifyOptions,
): void {
  it(name, async () => expectNews(await fixture(), change, options));
}

/**
 * A test: another value of a row, the first of its kind that meets a condition, leads to one finding, at the row.
 *
 * @param finding severity and rule, and what the test is about if that is more
 */
export function itFindsIn<S extends Schema, C extends ClassesOf<S> & AnyKeyClass>(
  [severity, rule, what]: readonly [severity: Severity, rule: string, what?: string],
  fixture: () => Promise<Store<S>>,
  kind: C,
  to: (value: ValueFor<S, KeyOf<C>>) => Partial<ValueFor<S, KeyOf<C>>>,
  where?: (row: Entry<KeyOf<C>, ValueFor<S, KeyOf<C>>>) => boolean,
  options?: VerifyOptions,
): void {
  const change = async (store: Store<S>): Promise<readonly Expected[]> => {
    const [{ key, value }] = await rowsOf(store, kind, where);
    await store.put(key as never, { ...(value as object), ...to(value) } as never);
    return [[severity, rule, key]];
  };
  itFinds(what === undefined ? rule : `${rule}: ${what}`, fixture, change, options);
}

/** Changes fields of a row that must be there. Returns its key. */
export async function edit<S extends Schema, K extends AnyKey>(
  store: Store<S>,
  key: K,
  to: (value: ValueFor<S, K>) => Partial<ValueFor<S, K>>,
): Promise<K> {
  const value = (await store.get(key as never)) as ValueFor<S, K> | undefined;
  if (value === undefined) throw new Error(`the database lacks the row ${key}`);
  await store.put(key as never, { ...value, ...to(value) } as never);
  return key;
}

/** A test: one fault is a warning, two are errors. */
export function itCounts<S extends Schema>(
  name: string,
  fixture: () => Promise<Store<S>>,
  change: (store: Store<S>, count: number, severity: Severity) => Promise<readonly Expected[]>,
  options?: VerifyOptions,
): void {
  it.each([
    [1, "warning"],
    [2, "error"],
  ] as const)(`${name} (%i: %s)`, async (count, severity) => {
    await expectNews(await fixture(), (store) => change(store, count, severity), options);
  });
}

/** Bytes with one bit turned. */
export function flipped(bytes: Uint8Array, at = 0): Uint8Array {
  const copy = bytes.slice();
  copy[at] = (copy[at] as number) ^ 1;
  return copy;
}

/** 32 bytes that no row has. */
export const nobody = new Uint8Array(32).fill(0xee);
