/** The trie of an entity's children: each of its rows is read only if it has the hash that the row above it has. */

import { concat } from "../../bytes/concat.js";
import { toHex } from "../../bytes/hex.js";
import { ID_BYTES, IdTable } from "../../bytes/id-table.js";
import { equalBytes } from "../../bytes/order.js";
import { ReadFailure } from "../../codec/index.js";
import { childTrieAddress, childTrieHash, fullHash, nibbleAt } from "../../digests/index.js";
import { childTrieKey } from "../../layouts/index.js";
import { Pause } from "../../pause.js";
import { ChildTrieRow } from "../../payloads/index.js";
import type { IndexRow } from "../index-row.js";
import { Damage, type RowSource } from "./layout.js";

/** Rows that are read at a time. */
const PAGE = 256;
/** Rows that are kept, of about a kilobyte each. */
const MOST_KEPT = 4096;

/** An entity as far as its trie goes. */
type Holder = Pick<IndexRow, "id" | "ownHash" | "fullHash">;

/** A row below another row. */
interface Below {
  readonly path: readonly number[];
  readonly hash: Uint8Array;
}

/** All children of an entity: their ids, and their hashes in the same order. */
export interface TrieEntries {
  readonly ids: IdTable;
  readonly hashes: Uint8Array;
}

/** Reads the tries of a context's entities. */
export class Tries {
  readonly #rows: RowSource;
  /** The rows that were read last, by their checked hashes. */
  readonly #kept = new Map<string, ChildTrieRow>();

  constructor(rows: RowSource) {
    this.#rows = rows;
  }

  /** The hashes that the trie of an entity has for children, in their order; undefined for one that it does not have. */
  async hashesOf(
    of: Holder,
    ids: readonly Uint8Array[],
  ): Promise<readonly (Uint8Array | Damage | undefined)[]> {
    const found: (Uint8Array | Damage | undefined)[] = ids.map(() => undefined);
    const root = await this.#root(of);
    if (root === undefined) return found;
    if (root instanceof Damage) return ids.map(() => root);
    let open = ids.map((id, at) => ({ id, at, row: root }));
    for (let depth = 0; open.length > 0; depth++) {
      const below = new Map<string, Below & { readonly of: (typeof open)[number][] }>();
      for (const one of open) {
        const { id, at, row } = one;
        if (row.kind === "Bucket") {
          found[at] = row.children.find((child) => equalBytes(child.id, id))?.fullHash;
          continue;
        }
        const nibble = nibbleAt(id, depth);
        const hash = row.slots.find((slot) => slot.nibble === nibble)?.hash;
        if (hash === undefined) continue;
        const path = Array.from({ length: depth + 1 }, (_, place) => nibbleAt(id, place));
        const name = path.join(" ");
        const known = below.get(name);
        if (known === undefined) below.set(name, { path, hash, of: [one] });
        else known.of.push(one);
      }
      const wanted = [...below.values()];
      const read = await this.#read(of.id, wanted);
      open = wanted.flatMap((one, at) => {
        const row = read[at] as ChildTrieRow | Damage;
        if (!(row instanceof Damage)) return one.of.map(({ id, at: place }) => ({ id, at: place, row }));
        for (const { at: place } of one.of) found[place] = row;
        return [];
      });
    }
    return found;
  }

  /** All children of an entity. */
  async entriesOf(of: Holder): Promise<TrieEntries | Damage> {
    const pause = new Pause();
    const ids = new IdTable();
    let hashes: Uint8Array = new Uint8Array(64 * ID_BYTES);
    const root = await this.#root(of);
    if (root instanceof Damage) return root;
    /** The rows that are open, in the order of the ids below them, the first one last. */
    const open: (Below | ChildTrieRow)[] = root === undefined ? [] : [root];
    const paths = new Map<ChildTrieRow, readonly number[]>();
    while (open.length > 0) {
      await pause.ifLong();
      const next = open.pop() as Below | ChildTrieRow;
      if (!("kind" in next)) {
        const page: Below[] = [next];
        for (let at = open.length - 1; at >= 0 && page.length < PAGE; at--) {
          const one = open[at] as Below | ChildTrieRow;
          if ("kind" in one) break;
          page.push(one);
          open.pop();
        }
        const read = await this.#read(of.id, page);
        for (let at = page.length - 1; at >= 0; at--) {
          const row = read[at] as ChildTrieRow | Damage;
          if (row instanceof Damage) return row;
          paths.set(row, (page[at] as Below).path);
          open.push(row);
        }
        continue;
      }
      const path = paths.get(next) ?? [];
      paths.delete(next);
      if (next.kind === "Node") {
        for (const { nibble, hash } of next.slots.toReversed()) open.push({ path: [...path, nibble], hash });
        continue;
      }
      for (const child of next.children) {
        const number = ids.size;
        if (ids.add(child.id) !== number) return new Damage("the trie of its children has a child twice");
        if (hashes.length <= number * ID_BYTES) hashes = concat(hashes, new Uint8Array(hashes.length));
        hashes.set(child.fullHash, number * ID_BYTES);
      }
    }
    return { ids, hashes };
  }

  /** The first row of a trie; undefined for an entity without children. */
  async #root(of: Holder): Promise<ChildTrieRow | Damage | undefined> {
    const name = `${toHex(of.id)} ${toHex(of.fullHash)}`;
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept;
    const [value] = await this.#values(of.id, [[]]);
    if (value === undefined)
      return equalBytes(fullHash(of.ownHash), of.fullHash)
        ? undefined
        : new Damage("its full hash is not that of its own hash alone, and no trie of children is there");
    const row = ChildTrieRow.readWhole(value);
    if (row instanceof ReadFailure || !equalBytes(fullHash(of.ownHash, childTrieHash(row)), of.fullHash))
      return new Damage("the trie of its children does not have the hash that its row has", value);
    this.#keep(name, row);
    return row;
  }

  async #read(of: Uint8Array, wanted: readonly Below[]): Promise<readonly (ChildTrieRow | Damage)[]> {
    const kept = wanted.map(({ hash }) => this.#kept.get(toHex(hash)));
    const missing = [...kept.keys()].filter((at) => kept[at] === undefined);
    const values = await this.#values(
      of,
      missing.map((at) => (wanted[at] as Below).path),
    );
    const found = new Map(
      missing.map((at, order) => [at, this.#checked(values[order], wanted[at] as Below)] as const),
    );
    return kept.map((row, at) => row ?? (found.get(at) as ChildTrieRow | Damage));
  }

  #checked(value: Uint8Array | undefined, { path, hash }: Below): ChildTrieRow | Damage {
    if (value === undefined) return new Damage("a row of the trie of its children is not there");
    const row = ChildTrieRow.readWhole(value);
    if (row instanceof ReadFailure || !equalBytes(childTrieHash(row), hash))
      return new Damage(
        "a row of the trie of its children does not have the hash that the row above it has",
        value,
      );
    const isInPlace =
      row.kind === "Node" ||
      row.children.every(({ id }) => path.every((one, at) => nibbleAt(id, at) === one));
    if (!isInPlace) return new Damage("a row of the trie of its children has children of another row", value);
    this.#keep(toHex(hash), row);
    return row;
  }

  #keep(name: string, row: ChildTrieRow): void {
    this.#kept.set(name, row);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(oldest as string);
  }

  #values(
    of: Uint8Array,
    paths: readonly (readonly number[])[],
  ): Promise<readonly (Uint8Array | undefined)[]> {
    return this.#rows.values(paths.map((path) => childTrieKey(childTrieAddress(of, path))));
  }
}
