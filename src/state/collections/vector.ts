/** Lists whose elements are entities. */
import { equalBytes } from "../../bytes/order.js";
import { checkOptions, isWholeNumber } from "../../options.js";
import { entityPath, indexPath } from "../path.js";
import { StateCollection } from "./collection.js";
import type { Split, Unsplit } from "./entry-body.js";
import type { Contents } from "./layout.js";
import type { StateEntry } from "./scope.js";

/** Elements among which the place of one is looked for. */
const MOST_PLACED = 10_000;

/** A list of entities, in the order in which they were made. */
export class StateVector extends StateCollection {
  readonly kind = "vector";

  /**
   * Returns the element at a place; undefined without such an element. Reads one row, and the first time also the
   * list's row.
   *
   * @param index from 0
   * @throws StateError if the list cannot be opened
   */
  async get(index: number): Promise<StateEntry | undefined> {
    for await (const entry of this.entries({ from: index, limit: 1 })) return entry;
    return undefined;
  }

  /**
   * The elements in their order.
   *
   * @throws StateError if the list cannot be opened
   */
  async *entries(
    options: { readonly from?: number | undefined; readonly limit?: number | undefined } = {},
  ): AsyncGenerator<StateEntry, void, undefined> {
    checkOptions("entries", options, { from: isWholeNumber(0), limit: isWholeNumber(0) });
    const { from = 0, limit } = options;
    const opened = await this.open();
    for await (const page of this.read(after(await this.ids(), from), opened, limit, from)) yield* page;
  }

  /** @internal */
  protected override ids(): Promise<Iterable<Uint8Array>> {
    return this.idsInOrder();
  }

  /** @internal */
  protected override split(
    { id, body }: Unsplit,
    _opened: Contents,
    index: number | undefined,
  ): readonly Split[] {
    const path = index === undefined ? entityPath(this.path, id) : indexPath(this.path, index);
    return [{ key: undefined, rest: body, path }];
  }

  /** @internal */
  protected override async placeOf(id: Uint8Array): Promise<number | undefined> {
    if ((await this.problem()) !== undefined || (await this.size()) > MOST_PLACED) return undefined;
    let index = 0;
    for (const child of await this.ids()) {
      if (equalBytes(child, id)) return index;
      index++;
    }
    return undefined;
  }
}

function* after(ids: Iterable<Uint8Array>, count: number): Generator<Uint8Array, void, undefined> {
  let left = count;
  for (const id of ids) {
    if (left > 0) left--;
    else yield id;
  }
}
