/** Rows of a fixture by kind, keys and values decoded by their types. */
import { expect } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import type { Codec } from "../../src/codec/index.js";
import type { AnyKeyClass, KeyOf } from "../../src/keys/index.js";
import type { Schema } from "../../src/schemas/index.js";
import { type FixtureRow, fixtureRows } from "../support/fixtures.js";

/** The rows of a fixture. */
export class Rows {
  readonly #byKind: ReadonlyMap<string | null, readonly FixtureRow[]>;
  readonly #schema: Schema;

  constructor(fixture: string, schema: Schema) {
    this.#schema = schema;
    const byKind = new Map<string | null, FixtureRow[]>();
    for (const row of fixtureRows(fixture)) {
      const known = byKind.get(row.kind);
      if (known === undefined) byKind.set(row.kind, [row]);
      else known.push(row);
    }
    this.#byKind = byKind;
  }

  /** The rows of one key class, their values decoded by `codec`, which must be the schema's. */
  of<C extends AnyKeyClass, T>(key: C, codec: Codec<T>): readonly { key: KeyOf<C>; value: T }[] {
    expect(this.#schema.rowOf(key).value).toBe(codec);
    return (this.#byKind.get(key.KIND) ?? []).map((row) => ({
      key: key.fromBytes(fromHex(row.key)) as KeyOf<C>,
      value: codec.decode(fromHex(row.value)),
    }));
  }
}
