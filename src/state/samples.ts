/** Values of a state with open types, from as many collections as are worth reading. */
import { toHex } from "../bytes/hex.js";
import type { StateCollection } from "./collections/collection.js";
import { collectionsIn } from "./collections/parts-of-value.js";
import type { Scope } from "./collections/scope.js";
import { fieldsOfStruct, STEPS_OF_STRUCT, type Struct } from "./fields.js";
import { StateError } from "./problem.js";
import type { Sample } from "./types/exclusion.js";
import { handlesIn } from "./types/read-value.js";
import { anyIn, type CollectionType, isCollection, isExact, partsOf, type Type } from "./types/type.js";

/** Entries of one collection that are read. */
const MOST_OF_COLLECTION = 1_000;
/** Entries of all collections that are read. */
const MOST_ENTRIES = 5_000;
/** Bytes of all values that are read. */
const MOST_BYTES = 1_000_000;

/** Values with open types: the structs, and the first entries of the collections in them. */
export async function samplesOf(scope: Scope, structs: readonly Struct[]): Promise<readonly Sample[]> {
  const samples = new Samples(scope);
  for (const struct of structs) await samples.add(struct);
  await samples.addCollections();
  return samples.found;
}

class Samples {
  readonly found: Sample[] = [];
  readonly #scope: Scope;
  /** Collections by their ids. The map grows during a loop, and the loop reaches the added collections. */
  readonly #collections = new Map<string, StateCollection>();
  #entries = MOST_ENTRIES;
  #bytes = MOST_BYTES;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  async add(struct: Struct): Promise<void> {
    await this.#values(struct.type, [struct.bytes], STEPS_OF_STRUCT);
    const { fields } = await fieldsOfStruct(this.#scope, struct);
    for (const { value } of fields) this.#open(value);
  }

  async addCollections(): Promise<void> {
    for (const collection of this.#collections.values()) {
      if (this.#entries <= 0 || this.#bytes <= 0) return;
      try {
        const { type, values, entries } = await collection.sample(
          Math.min(this.#entries, MOST_OF_COLLECTION),
        );
        this.#entries -= 1 + entries.length;
        await this.#values(type, values);
        for (const { value } of entries) this.#open(value);
      } catch (error) {
        if (!(error instanceof StateError)) throw error;
      }
    }
  }

  async #values(type: Type, values: readonly Uint8Array[], steps?: number): Promise<void> {
    const kept = values.filter((bytes) => {
      this.#bytes -= bytes.length;
      return this.#bytes >= 0;
    });
    if (isExact(type) || kept.length === 0) return;
    const isHandle = await handlesIn(type, kept, (ids) => this.#scope.rows.live(ids), steps);
    for (const bytes of kept) this.found.push({ type, bytes, isHandle });
  }

  #open(value: unknown): void {
    for (const collection of collectionsIn(value))
      if (this.#collections.size < MOST_ENTRIES && leadsToOpen(collection.type))
        this.#collections.set(toHex(collection.id), collection);
  }
}

/** Returns true if values of the type, or entries of the collections in them, may leave something open. */
const leadsToOpen = anyIn(
  ({ kind }) => kind === "choice" || kind === "loose",
  (type) => (isCollection(type) ? entriesOf(type) : partsOf(type)),
);

/** The type of the entries of a collection. */
function entriesOf(type: CollectionType): readonly Type[] {
  if ("value" in type) return [type.value];
  return "item" in type ? [type.item] : [];
}
