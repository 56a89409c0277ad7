/** Ids of known things with their kinds, packed and in order: 38 to 72 bytes each. */
import { grown } from "../bytes/bytes.js";
import { fromHex, toHex } from "../bytes/hex.js";
import { ID_BYTES } from "../bytes/id-table.js";
import { compareRanges } from "../bytes/order.js";
import { firstNotBefore } from "../bytes/search.js";
import type { ThingKind } from "./names.js";

/** An id and the kind of its thing. */
export interface Known {
  readonly kind: ThingKind;
  readonly id: string;
}

/** The kinds of things with kept ids. If an id has several kinds, they are listed in this order. */
const KINDS = [
  "namespace",
  "group",
  "context",
  "application",
  "member",
  "device",
  "blob",
  "group key",
  "key",
] as const satisfies readonly ThingKind[];

type KeptKind = (typeof KINDS)[number];

/** Ids with their kinds, to which more can be added. */
export class KnownIds {
  #ids = new Uint8Array(1024 * ID_BYTES);
  /** A bit for each kind, by the number of the id. */
  #kinds = new Uint16Array(1024);
  #length = 0;

  /** Adds a thing. */
  add(kind: KeptKind, id: Uint8Array): void {
    if (this.#length === this.#kinds.length) {
      this.#ids = grown(this.#ids, new Uint8Array(2 * this.#ids.length));
      this.#kinds = grown(this.#kinds, new Uint16Array(2 * this.#kinds.length));
    }
    this.#ids.set(id, this.#length * ID_BYTES);
    this.#kinds[this.#length++] = bitOf(kind);
  }

  /** The things that were added, in the order of their ids. */
  sorted(): SortedIds {
    return new SortedIds(this.#ids.subarray(0, this.#length * ID_BYTES), this.#kinds);
  }
}

/** Things in the order of their ids, each id at one place. */
export class SortedIds {
  readonly #ids: Uint8Array;
  readonly #kinds: Uint16Array;
  /** Numbers of the ids in their order, each id once. Its kinds are all kinds that were added for it. */
  readonly #order: Uint32Array;

  /** @internal */
  constructor(ids: Uint8Array, kinds: Uint16Array) {
    this.#ids = ids;
    this.#kinds = kinds;
    const order = orderOf(ids);
    let size = 0;
    for (const number of order) {
      const before = order[size - 1];
      if (before !== undefined && this.#isSame(before, number)) kinds[before]! |= kinds[number]!;
      else order[size++] = number;
    }
    this.#order = order.subarray(0, size);
  }

  #isSame(number: number, other: number): boolean {
    const [a, b] = [number * ID_BYTES, other * ID_BYTES];
    return compareRanges(this.#ids, a, a + ID_BYTES, this.#ids, b, b + ID_BYTES) === 0;
  }

  /** The id at a place, 64 hex digits; undefined before the first one and after the last. */
  id(place: number): string | undefined {
    const number = this.#order[place];
    return number === undefined
      ? undefined
      : toHex(this.#ids.subarray(number * ID_BYTES, (number + 1) * ID_BYTES));
  }

  /** The place of the first id that is not before `id`, 64 hex digits. */
  placeOf(id: string): number {
    const bytes = fromHex(id);
    return firstNotBefore(this.#order.length, (at) => {
      const start = (this.#order[at] as number) * ID_BYTES;
      return compareRanges(this.#ids, start, start + ID_BYTES, bytes, 0, bytes.length) < 0;
    });
  }

  /** The things whose ids lie in a range, both ends included. */
  *within(from: string, last: string): Generator<Known, void, undefined> {
    for (let place = this.placeOf(from); ; place++) {
      const id = this.id(place);
      if (id === undefined || id > last) return;
      const kinds = this.#kinds[this.#order[place] as number] as number;
      // The key of a member is a key of somebody known.
      for (const kind of KINDS)
        if ((kinds & bitOf(kind)) !== 0 && !(kind === "key" && (kinds & bitOf("member")) !== 0))
          yield { kind, id };
    }
  }
}

function bitOf(kind: KeptKind): number {
  return 1 << KINDS.indexOf(kind);
}

/** The numbers of ids in the order of the ids. */
function orderOf(ids: Uint8Array): Uint32Array {
  const size = ids.length / ID_BYTES;
  const view = new DataView(ids.buffer, ids.byteOffset, ids.length);
  // Numbers sort far faster without a comparison: first by four bytes, then the few ids that have these in common.
  const sorted = new BigUint64Array(size);
  for (let number = 0; number < size; number++)
    sorted[number] = (BigInt(view.getUint32(number * ID_BYTES)) << 32n) | BigInt(number);
  sorted.sort();
  const order = new Uint32Array(size);
  let start = 0;
  for (let place = 0; place < size; place++) {
    order[place] = Number((sorted[place] as bigint) & 0xffffffffn);
    const isLast = place + 1 === size || sorted[place + 1]! >> 32n !== sorted[place]! >> 32n;
    if (!isLast) continue;
    if (place > start) order.subarray(start, place + 1).sort(byId);
    start = place + 1;
  }
  return order;

  function byId(a: number, b: number): number {
    const [first, second] = [a * ID_BYTES, b * ID_BYTES];
    return compareRanges(ids, first, first + ID_BYTES, ids, second, second + ID_BYTES);
  }
}
