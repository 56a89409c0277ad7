/** The colours of people: each has the same one in every view. */
import type { Named } from "merostore/node";
import type { Database } from "./database.js";
import { allGroups } from "./group-tree.js";
import { ownOf } from "./own.js";

/** The colour of this node. */
const OWN = 1;
/** The last colour that belongs to a single person. */
const LAST = 5;
/** The colour of all other people, and of rows without an author. */
const OTHERS = 6;

/**
 * Returns the colour of a person: this node and the first four others in the groups have their own, all others share
 * one.
 */
export type ColourOf = (person: Named | undefined) => number;

/**
 * The colours of all people, and the people with a colour of their own, by their names and the first digits of their
 * ids.
 */
interface Colours {
  readonly of: ColourOf;
  readonly byText: Readonly<Record<string, number>>;
}

/** The colours. Members come first, in the order of the groups, then former members. */
export async function coloursOf(database: Database): Promise<ColourOf> {
  return (await colours(database)).of;
}

/** The colours of people by their names and the first eight digits of their ids, as answers of SQL have them. */
export async function colourTexts(database: Database): Promise<Readonly<Record<string, number>>> {
  return (await colours(database)).byText;
}

function colours(database: Database): Promise<Colours> {
  return database.kept("colours", async () => {
    const { node } = database;
    const isOwn = await ownOf(database);
    const groups = [...allGroups(await node.namespaces())].flatMap(({ group, exists }) =>
      exists ? group.id : [],
    );
    const others = new Map<string, number>();
    const byText: Record<string, number> = {};
    const add = (person: Named): void => {
      const next = OWN + 1 + others.size;
      if (!isOwn(person) && next <= LAST && !others.has(person.id)) others.set(person.id, next);
      const colour = isOwn(person) ? OWN : others.get(person.id);
      if (colour === undefined) return;
      byText[person.id.slice(0, 8)] = colour;
      if (person.name !== undefined) byText[person.name] = colour;
    };
    const isFull = (): boolean => OWN + others.size === LAST;
    for (const id of groups) {
      if (isFull()) break;
      for (const { member } of await node.members(id)) add(member);
    }
    for (const id of groups) {
      if (isFull()) break;
      for (const { member } of (await node.groupDetails(id))?.gone ?? []) add(member);
    }
    const of = (person: Named | undefined): number =>
      person === undefined ? OTHERS : isOwn(person) ? OWN : (others.get(person.id) ?? OTHERS);
    return { of, byText };
  });
}
