/** Maps: plain, sorted and authored ones, user storage and frozen storage. */
import { fromHex } from "../../bytes/hex.js";
import { compareBytes, equalBytes } from "../../bytes/order.js";
import { sha256 } from "../../crypto/index.js";
import { isOwnedInSlot, markedEntryId } from "../../digests/index.js";
import { orUndefined } from "../../errors.js";
import { checkOptions } from "../../options.js";
import { problem, type StateProblem } from "../problem.js";
import { keyBytes } from "../types/values.js";
import { type EntriesOptions, entriesOptions, StateCollection } from "./collection.js";
import { type Body, isThere } from "./entry-body.js";
import { BYTE_STRING } from "./entry-key.js";
import type { Opened } from "./open-collection.js";
import type { StateEntry } from "./scope.js";
import { sortedIds } from "./sorted-ids.js";

/** A map. Keys are text or bytes; in paths and JSON, bytes are hexadecimal. */
export class StateMap extends StateCollection {
  readonly kind: "map" | "user" | "frozen";

  /** @internal */
  constructor(...of: ConstructorParameters<typeof StateCollection>) {
    super(...of);
    this.kind = this.type.kind as "map" | "user" | "frozen";
  }

  /**
   * Returns the entry with a key; undefined without such an entry. Reads one row, and the first time also the map's
   * row.
   *
   * @param key text, bytes, or bytes as hexadecimal
   * @throws StateError if the map cannot be opened
   */
  async get(key: string | Uint8Array): Promise<StateEntry | undefined> {
    const opened = await this.open();
    for (const content of this.#contents(key, opened)) {
      const slot = markedEntryId(this.id, content);
      const [entry] = await this.entriesOf([slot], opened, 0);
      if (isThere(entry)) return entry;
      const [owned] = await this.entriesOf(await this.#ownedIn(slot), opened, 0);
      if (owned !== undefined) return owned;
    }
    return undefined;
  }

  /** The entry of an account in a slot. Each account may have one there; the entry with the lowest id is returned. */
  async #ownedIn(slot: Uint8Array): Promise<readonly Uint8Array[]> {
    if (!this.scope.types.forms.isValueFirst) return [];
    let found: Uint8Array | undefined;
    for (const id of (await this.children()).ids())
      if (isOwnedInSlot(id, slot) && (found === undefined || compareBytes(id, found) < 0)) found = id;
    return found === undefined ? [] : [found];
  }

  /**
   * The entries. Those of a sorted map, and all with `from`, come in the order of their keys, byte by byte. Others come
   * in an arbitrary order, which is the same each time.
   *
   * @throws StateError if the map cannot be opened
   */
  async *entries(options: EntriesOptions = {}): AsyncGenerator<StateEntry, void, undefined> {
    checkOptions("entries", options, entriesOptions);
    const opened = await this.open();
    const { limit = Number.POSITIVE_INFINITY } = options;
    const from = options.from === undefined ? undefined : this.#contents(options.from, opened)[0];
    const prefix = options.prefix === undefined ? undefined : this.#prefix(options.prefix, opened);
    const isSorted = this.type.kind === "map" && this.type.sorted;
    if (isSorted || from !== undefined) {
      const start = [from, prefix]
        .filter((one) => one !== undefined)
        .sort(compareBytes)
        .at(-1);
      const ids = sortedIds(this.scope, this.id, opened, () => this.children(), start, prefix, limit);
      let left = limit;
      for await (const page of ids) {
        const entries = await this.entriesOf(page.slice(0, left), opened, 0);
        for (const entry of entries) {
          if (prefix !== undefined && entry.key !== undefined && !begins(entry.key, prefix)) return;
          yield entry;
          if (--left === 0) return;
        }
      }
      return;
    }
    let left = limit;
    const children = await this.children();
    const all =
      limit < children.size
        ? this.read(children.ids(), opened, prefix === undefined ? limit : undefined)
        : this.readAll(opened);
    for await (const page of all)
      for (const entry of page) {
        if (prefix !== undefined && (entry.key === undefined || !begins(entry.key, prefix))) continue;
        yield entry;
        if (--left <= 0) return;
      }
  }

  /** @internal */
  override async *parts(): AsyncGenerator<StateEntry, void, undefined> {
    for await (const page of this.readAll(await this.open())) yield* page;
  }

  /** @internal */
  protected override check({ key, rest, path }: Body): StateProblem | undefined {
    if (this.kind !== "frozen" || !(key instanceof Uint8Array) || equalBytes(sha256(rest), key))
      return undefined;
    return problem("FrozenKeyMismatch", path, "the key is not the hash of the value", rest);
  }

  /** The bytes that a key may have. */
  #contents(key: string | Uint8Array, { key: type }: Opened): readonly Uint8Array[] {
    if (typeof key !== "string") return [key];
    const asBytes = orUndefined(() => fromHex(key));
    const asText = keyBytes(key);
    if (type?.kind === "bytes" && type !== BYTE_STRING)
      return asBytes === undefined ? [asText] : [asBytes, asText];
    return type?.kind === "text" || asBytes === undefined ? [asText] : [asText, asBytes];
  }

  #prefix(prefix: string | Uint8Array, { key: type }: Opened): Uint8Array {
    if (typeof prefix !== "string") return prefix;
    const isHex = type?.kind === "bytes" && type !== BYTE_STRING;
    const asBytes = isHex ? orUndefined(() => fromHex(prefix)) : undefined;
    return asBytes ?? keyBytes(prefix);
  }
}

/** Returns true if a key begins with these bytes. */
function begins(key: string | Uint8Array, prefix: Uint8Array): boolean {
  return equalBytes(keyBytes(key).subarray(0, prefix.length), prefix);
}
