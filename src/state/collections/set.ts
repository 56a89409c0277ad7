/** Sets. Their elements are keys: text or bytes. */
import { fromHex } from "../../bytes/hex.js";
import { compareBytes } from "../../bytes/order.js";
import { sorted } from "../../collections/sort.js";
import { markedEntryId } from "../../digests/index.js";
import { orUndefined } from "../../errors.js";
import { checkOptions } from "../../options.js";
import { keyPath } from "../path.js";
import { StateError } from "../problem.js";
import type { Type } from "../types/type.js";
import { keyBytes, keyName } from "../types/values.js";
import { type EntriesOptions, entriesOptions, StateCollection } from "./collection.js";
import { type Body, isThere, type Split, type Unsplit } from "./entry-body.js";
import { findKey } from "./entry-key.js";
import type { Contents } from "./layout.js";
import type { StateEntry } from "./scope.js";

const UNIT: Type = { kind: "unit" };
const NOTHING = new Uint8Array(0);

/** A set of texts or bytes. */
export class StateSet extends StateCollection {
  readonly kind = "set";

  /**
   * Returns true if the set has an element. Reads one row.
   *
   * @throws StateError if the set cannot be opened, or the tree contradicts the row of the element
   */
  async has(element: string | Uint8Array): Promise<boolean> {
    const opened = await this.open();
    const [entry] = await this.entriesOf([markedEntryId(this.id, keyBytes(element))], opened, 0);
    if (entry?.problem?.name === "TreeMismatch") throw new StateError(entry.problem);
    return isThere(entry);
  }

  /** @internal Returns the entry of an element in the form of paths: text, or bytes in hexadecimal. */
  async get(element: string): Promise<StateEntry | undefined> {
    const opened = await this.open();
    const asBytes = orUndefined(() => fromHex(element));
    for (const content of [keyBytes(element), asBytes]) {
      if (content === undefined) continue;
      const [entry] = await this.entriesOf([markedEntryId(this.id, content)], opened, 0);
      if (isThere(entry)) return entry;
    }
    return undefined;
  }

  /**
   * The elements in the order of their bytes: the value of an entry is its element.
   *
   * @throws StateError if the set cannot be opened
   */
  async *entries(options: EntriesOptions = {}): AsyncGenerator<StateEntry, void, undefined> {
    checkOptions("entries", options, entriesOptions);
    const { limit = Number.POSITIVE_INFINITY, from, prefix } = options;
    const start = keyBytes(prefix ?? NOTHING);
    const all: (readonly [key: Uint8Array, entry: StateEntry])[] = [];
    for await (const entry of this.parts()) {
      const bytes = keyBytes(entry.key ?? NOTHING);
      if (from !== undefined && compareBytes(bytes, keyBytes(from)) < 0) continue;
      if (compareBytes(bytes.subarray(0, start.length), start) === 0) all.push([bytes, entry]);
    }
    const inOrder = await sorted(all, ([a], [b]) => compareBytes(a, b));
    for (const [, entry] of inOrder.slice(0, limit)) yield entry;
  }

  /** @internal */
  override async *parts(): AsyncGenerator<StateEntry, void, undefined> {
    for await (const page of this.readAll(await this.open())) yield* page;
  }

  /** @internal */
  protected override split({ id, body }: Unsplit, { item }: Contents): readonly Split[] {
    const found = findKey(this.id, id, body, item, true) ?? findKey(this.id, id, body, undefined, true);
    if (found === undefined) return [];
    return [{ key: found.key, rest: NOTHING, path: keyPath(this.path, keyName(found.key)) }];
  }

  /** @internal */
  protected override elementOf(_value: unknown, { key }: Body): unknown {
    return key;
  }

  /** @internal The element was read as a key: nothing of the data is left. */
  protected override itemType(): Type {
    return UNIT;
  }
}
