/** The keys of a group that one of two nodes does not hold. */
import type { RowDifference } from "../diff/browser.js";
import { goneFrom, isMemberOf, withoutKey } from "./absence.js";
import type { Decision, DifferingRows } from "./causes.js";
import type { GroupSides, JudgedGroup } from "./group-side.js";
import { shortId } from "./naming.js";

/** The rows of a key that one node alone has. */
interface OfKey {
  /** 64 hex digits. */
  readonly id: string;
  /** The place of the node that holds it. */
  readonly holder: 0 | 1;
  readonly rows: DifferingRows;
}

/** Gathers the rows of these keys. */
export class LackingKeys {
  readonly #group: JudgedGroup;
  readonly #sides: GroupSides;
  readonly #keys = new Map<string, OfKey>();

  constructor(group: JudgedGroup, sides: GroupSides) {
    this.#group = group;
    this.#sides = sides;
  }

  /** Takes the row of a key that one node alone has. */
  take(row: RowDifference, id: string): void {
    const holder = row.difference === "only in a" ? 0 : 1;
    const name = `${holder} ${id}`;
    const found = this.#keys.get(name) ?? { id, holder, rows: this.#group.causes.noRows() };
    this.#keys.set(name, found);
    found.rows.add(row);
  }

  /** Adds a cause for each key. Returns the verdict if one of them is the newest key. */
  async add(): Promise<Decision | undefined> {
    let decided: Decision | undefined;
    for (const key of this.#keys.values()) {
      const newest = await this.#add(key, decided === undefined);
      decided ??= newest;
    }
    return decided;
  }

  /** @param isOpen true if no key has given the verdict */
  async #add({ id, holder: at, rows }: OfKey, isOpen: boolean): Promise<Decision | undefined> {
    const { id: group, naming, causes } = this.#group;
    const [holder, lacker] = at === 0 ? this.#sides : [this.#sides[1], this.#sides[0]];
    const place = { group, naming, ahead: holder.peer, behind: lacker.peer };
    const missing = isOpen ? await withoutKey(place) : undefined;
    const isMember = missing !== undefined && (await isMemberOf(place));
    const gone = missing && (await goneFrom(place));
    for (const cause of gone?.causes ?? []) causes.add(cause);
    const isOutsider = missing !== undefined && !isMember && gone === undefined;
    const [operation, brought] = await this.#origin(holder, id);
    const sentence = `${lacker.peer.name} does not hold the key ${shortId(id)} of ${naming.group(group)}`;
    const cause = causes.add({
      rule: "key",
      sentence: `${sentence}${brought}${isOutsider ? ", of which it is not a member" : ""}`,
      operations: operation === undefined ? [] : [operation],
    });
    causes.takeAll(rows, cause);
    const about = [lacker.peer.name];
    if (gone !== undefined) return { verdict: "left", sentence: `${gone.sentence}: ${sentence}`, about };
    return isMember ? { ...missing, about } : undefined;
  }

  /** The id of the operation that a key came with, and the words on it; neither if none is known. */
  async #origin(
    holder: GroupSides[number],
    key: string,
  ): Promise<readonly [id: string | undefined, words: string]> {
    const { namespace, naming, causes } = this.#group;
    const by = [...(holder.governance?.operations.values() ?? [])].find(({ newKey }) => newKey === key);
    if (by === undefined) return [undefined, ""];
    const [operation] = await holder.peer.source.node.operationsOf(namespace, [by.id]);
    if (operation === undefined) return [by.id, ""];
    const isSaid = causes.of("account").some(({ operations }) => operations?.includes(by.id));
    const words = isSaid
      ? `, of operation ${operation.sequence}`
      : `, which came with ${naming.operation(operation)}`;
    return [by.id, words];
  }
}
