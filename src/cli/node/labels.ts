/**
 * Labels of things in text: names with ids, short on a terminal and whole elsewhere, unless options choose another
 * form.
 */
import type { CalimeroNode, Named } from "../../node/index.js";
import { type IdLook, idText } from "../output/id-look.js";
import { withNames } from "../output/names-of-thing.js";
import type { Terminal } from "../output/terminal.js";
import { clip, printable } from "../output/text.js";

/** The most ids to look up. If there are more, all are shown with sixteen digits. */
const LOOKED_UP = 2_000;

/** The most characters of a name. */
const LONGEST_NAME = 64;

/** The labels of a database's things. */
export class Labels {
  readonly #node: CalimeroNode;
  /** The number of shown digits of each id, unless all are shown. */
  readonly #digits = new Map<string, number>();
  readonly look: IdLook;

  constructor({ ids }: Terminal, node: CalimeroNode) {
    this.#node = node;
    this.look = ids;
  }

  /** Finds the shortest unique form of the ids of things, or of ids. Call it before the labels are needed. */
  async prepare(things: Iterable<Named | string | undefined>): Promise<void> {
    if (this.look.whole) return;
    for (const thing of things) {
      const id = typeof thing === "string" ? thing : thing?.id;
      if (id !== undefined && !this.#digits.has(id) && this.#digits.size < LOOKED_UP)
        this.#digits.set(id, await this.#node.digitsFor(id));
    }
  }

  /** An id in its shortest unique form. */
  id(id: string): string {
    return idText(id, this.look, this.#digits.get(id) ?? 16);
  }

  /** An id with all its digits. */
  whole(id: string): string {
    return idText(id, { ...this.look, whole: true });
  }

  /** `office (fa3977a2)`; only the id if there is no name. */
  of({ name, id }: Named): string {
    return name === undefined ? this.id(id) : `${shown(name)} (${this.id(id)})`;
  }

  /** The name; the id if there is no name. */
  name({ name, id }: Named): string {
    return name === undefined ? this.id(id) : shown(name);
  }
}

function shown(name: string): string {
  return clip(printable(name), LONGEST_NAME);
}

/** Returns a label for an id: the names that the nodes give the thing, and the id in the form of the first node. */
export async function sideLabels(
  sides: readonly { readonly node: CalimeroNode; readonly labels: Labels }[],
  kind: "context" | "group",
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const names = await Promise.all(sides.map(({ node }) => node.names()));
  const labels = new Map<string, string>();
  for (const id of ids) {
    const things = names.map((one) => one.as(kind, id));
    const named = things.findIndex(({ name }) => name !== undefined);
    const side = sides[Math.max(named, 0)];
    if (side === undefined) continue;
    await side.labels.prepare(things);
    labels.set(id, withNames(names, kind, id, side.labels.id(id)));
  }
  return labels;
}

/** A thing in JSON whose kind is clear from the property. */
export function idAndName({ id, name }: Named): { readonly id: string; readonly name: string | null } {
  return { id, name: name ?? null };
}
