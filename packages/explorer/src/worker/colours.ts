/** The colours of people: each has the same one in every view. */
import type { Named } from "merostore/node";
import type { Database } from "./database.js";
import { allGroups } from "./group-tree.js";
import { ownOf } from "./own.js";

/** The colour of this node. */
const OWN = 1;
/** The last colour that one person has alone. */
const LAST = 5;
/** The colour of everybody else, and of nobody. */
const OTHERS = 6;

/** Tells the colour of a person: this node's, those of the first four others in the groups, or that of all others. */
export type ColourOf = (person: Named | undefined) => number;

/** The colours. Members come first, in the order of the groups, then those who left. */
export function coloursOf(database: Database): Promise<ColourOf> {
  return database.kept("colours", async () => {
    const { node } = database;
    const isOwn = await ownOf(database);
    const groups = [...allGroups(await node.namespaces())].flatMap(({ group, exists }) =>
      exists ? group.id : [],
    );
    const colours = new Map<string, number>();
    const add = (person: Named): void => {
      const next = OWN + 1 + colours.size;
      if (next <= LAST && !isOwn(person) && !colours.has(person.id)) colours.set(person.id, next);
    };
    const isFull = (): boolean => OWN + colours.size === LAST;
    for (const id of groups) {
      if (isFull()) break;
      for (const { member } of await node.members(id)) add(member);
    }
    for (const id of groups) {
      if (isFull()) break;
      for (const { member } of (await node.groupDetails(id))?.gone ?? []) add(member);
    }
    return (person: Named | undefined) =>
      person === undefined ? OTHERS : isOwn(person) ? OWN : (colours.get(person.id) ?? OTHERS);
  });
}
