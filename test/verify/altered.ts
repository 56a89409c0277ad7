/** A fixture in memory, to be changed, and what verification finds in it that was not there before. */
import { expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { openMemoryEngine } from "../../src/engines/memory/index.js";
import type { AnyKeyClass, KeyOf } from "../../src/keys/index.js";
import type { ClassesOf, Schema, ValueFor } from "../../src/schemas/index.js";
import { type Store, storeOn } from "../../src/store/index.js";
import { allRules, type Severity, type VerifyOptions, verifyStore } from "../../src/verify/index.js";
import { fixtureRows } from "../support/fixtures.js";

/** The store of a fixture on an engine in memory. `more` are further column families. */
export async function inMemory<S extends Schema>(
  fixture: string,
  schema: S,
  more: readonly string[] = [],
): Promise<Store<S>> {
  const engine = openMemoryEngine({ columns: [...schema.columns, ...more] });
  await engine.write(
    fixtureRows(fixture).map(({ column, key, value }) => {
      return { type: "put", column, key: fromHex(key), value: fromHex(value) };
    }),
  );
  return storeOn(engine, { schema });
}

/** A row of a kind. */
export interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
}

/** The rows of a kind for which something holds; fails without one. */
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

/** A finding in short: what a test expects, by the key of the row. */
export type Expected = readonly [
  severity: Severity,
  rule: string,
  key: { readonly COLUMN: string; readonly bytes: Uint8Array | null },
];

const textOf = ([severity, rule, { COLUMN, bytes }]: Expected): string =>
  `${severity} ${rule} ${COLUMN} ${bytes === null ? null : toHex(bytes)}`;

/** The findings of verification, as texts. */
async function found(store: Store, options: VerifyOptions): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const { severity, rule, column, key } of verifyStore(store, options))
    texts.push(`${severity} ${rule} ${column} ${key}`);
  return texts;
}

/** The rules about rows: those about what operations and deltas lead to see nearly every change as well. */
export const rulesOfRows = allRules.filter(
  ({ checks }) => checks.length === 0 || checks.some((check) => "run" in check),
);

/**
 * Changes a store and expects that verification then finds exactly this, beyond what it found before. `change` gives
 * what is expected.
 */
export async function expectNews<S extends Schema>(
  store: Store<S>,
  change: (store: Store<S>) => Promise<readonly Expected[]>,
  options: VerifyOptions = { rules: rulesOfRows },
): Promise<void> {
  const before = [...(await found(store, options))];
  const expected = await change(store);
  const news = (await found(store, options)).filter((text) => {
    const at = before.indexOf(text);
    if (at >= 0) before.splice(at, 1);
    return at < 0;
  });
  expect(news.sort()).toEqual(expected.map(textOf).sort());
}

/** A test: a change of a fixture leads to exactly these findings, as {@link expectNews} has them. */
export function itFinds<S extends Schema>(
  name: string,
  fixture: () => Promise<Store<S>>,
  change: (store: Store<S>) => Promise<readonly Expected[]>,
  options?: VerifyOptions,
): void {
  it(name, async () => expectNews(await fixture(), change, options));
}

/** A test: one break is a warning, two are errors. */
export function itCounts<S extends Schema>(
  name: string,
  fixture: () => Promise<Store<S>>,
  change: (store: Store<S>, count: number, severity: Severity) => Promise<readonly Expected[]>,
): void {
  it(name, async () => {
    for (const [count, severity] of [
      [1, "warning"],
      [2, "error"],
    ] as const)
      await expectNews(await fixture(), (store) => change(store, count, severity));
  });
}

/** Bytes with one bit turned. */
export function flipped(bytes: Uint8Array, at = 0): Uint8Array {
  const copy = bytes.slice();
  copy[at] = (copy[at] as number) ^ 1;
  return copy;
}

/** 32 bytes that nothing else has. */
export const nobody = new Uint8Array(32).fill(0xee);
