/**
 * The rules that look at a row: rules that read it, or a range around it, when they check the undamaged database. A
 * rule that does not read a row finds the same for every value of it.
 */

import { toHex } from "../../../src/bytes/hex.js";
import { compareBytes } from "../../../src/bytes/order.js";
import type { ByteRange, Engine, EngineSnapshot } from "../../../src/engines/index.js";
import type { Schema } from "../../../src/schemas/index.js";
import { type Rule, type VerifyOptions, verifyStore } from "../../../src/verify/index.js";

/** A row by its place. */
interface Place {
  readonly column: string;
  readonly key: Uint8Array;
}

/** The rows that a rule has read. */
class Reads {
  readonly #keys = new Set<string>();
  readonly #ranges: { readonly column: string; readonly range: ByteRange }[] = [];

  key(column: string, key: Uint8Array): void {
    this.#keys.add(`${column} ${toHex(key)}`);
  }

  range(column: string, range: ByteRange): void {
    this.#ranges.push({ column, range });
  }

  has({ column, key }: Place, isChecked: () => boolean): boolean {
    if (this.#keys.has(`${column} ${toHex(key)}`)) return true;
    return this.#ranges.some(({ column: of, range: { gte: from, lt: to } }) => {
      if (of !== column) return false;
      // Rules read all of Group for kinds of rows, which have prefixes.
      if (from === undefined && to === undefined && column === "Group") return isChecked();
      return (
        (from === undefined || compareBytes(from, key) <= 0) &&
        (to === undefined || compareBytes(key, to) < 0)
      );
    });
  }
}

export class Reach {
  readonly #schema: Schema;
  readonly #reads: ReadonlyMap<Rule, Reads>;

  private constructor(schema: Schema, reads: ReadonlyMap<Rule, Reads>) {
    this.#schema = schema;
    this.#reads = reads;
  }

  static async of(
    engine: Engine,
    schema: Schema,
    rules: readonly Rule[],
    options: VerifyOptions,
  ): Promise<Reach> {
    const all = new Map<Rule, Reads>();
    for (const rule of rules) {
      const reads = new Reads();
      all.set(rule, reads);
      const store = { raw: noting(engine, reads), schema, columns: engine.columns };
      await verifyStore(store, { ...options, rules: [rule] }).summary();
    }
    return new Reach(schema, all);
  }

  /** The rules that look at a row. */
  rulesFor(place: Place): readonly Rule[] {
    const kind = this.#schema.identify(place.column, place.key)?.key;
    return [...this.#reads]
      .filter(([rule, reads]) => reads.has(place, () => rule.checks.some((check) => check.kind === kind)))
      .map(([rule]) => rule);
  }
}

/** Wraps an engine: its snapshots note every read. */
function noting(engine: Engine, reads: Reads): Engine {
  return new Proxy(engine, {
    get(target, name) {
      if (name === "snapshot") return async () => notingSnapshot(await target.snapshot(), reads);
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === "function" ? found.bind(target) : found;
    },
  });
}

function notingSnapshot(snapshot: EngineSnapshot, reads: Reads): EngineSnapshot {
  return {
    columns: snapshot.columns,
    get(column, key) {
      reads.key(column, key);
      return snapshot.get(column, key);
    },
    getMany(column, keys) {
      for (const key of keys) reads.key(column, key);
      return snapshot.getMany(column, keys);
    },
    scan(column, range = {}, options) {
      reads.range(column, range);
      return snapshot.scan(column, range, options);
    },
    close: () => snapshot.close(),
    [Symbol.asyncDispose]: () => snapshot.close(),
  };
}
