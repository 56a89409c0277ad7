/** Things as text shows them: their names with their ids, short on a terminal and whole elsewhere, unless options say otherwise. */
import type { CalimeroNode, Named } from "../../node/index.js";
import { type IdLook, idText } from "../id-look.js";
import type { Terminal } from "../terminal.js";
import { clip, printable } from "../text.js";

/** Ids that are looked up at most; of more, all are shown with sixteen digits. */
const LOOKED_UP = 2_000;

/** Characters of a name that are shown at most. */
const LONGEST_NAME = 64;

/** The labels of a database's things. */
export class Labels {
  readonly #node: CalimeroNode;
  /** Digits of each id that are shown, unless all are. */
  readonly #digits = new Map<string, number>();
  readonly look: IdLook;

  constructor({ ids }: Terminal, node: CalimeroNode) {
    this.#node = node;
    this.look = ids;
  }

  /** Finds out how short the ids of things can be. Call it before their labels are needed. */
  async prepare(things: Iterable<Named | undefined>): Promise<void> {
    if (this.look.whole) return;
    for (const thing of things)
      if (thing !== undefined && !this.#digits.has(thing.id) && this.#digits.size < LOOKED_UP)
        this.#digits.set(thing.id, await this.#node.digitsFor(thing.id));
  }

  /** An id, as short as it can be. */
  id(id: string): string {
    return idText(id, this.look, this.#digits.get(id) ?? 16);
  }

  /** An id with all its digits. */
  whole(id: string): string {
    return idText(id, { ...this.look, whole: true });
  }

  /** `office (fa3977a2)`; the id alone without a name. */
  of({ name, id }: Named): string {
    return name === undefined ? this.id(id) : `${shown(name)} (${this.id(id)})`;
  }

  /** The name alone; the id without one. */
  name({ name, id }: Named): string {
    return name === undefined ? this.id(id) : shown(name);
  }
}

function shown(name: string): string {
  return clip(printable(name), LONGEST_NAME);
}

/** A thing in JSON, where its kind is known. */
export function idAndName({ id, name }: Named): { readonly id: string; readonly name: string | null } {
  return { id, name: name ?? null };
}
