/**
 * The state of a context, and the private state that a node keeps for it: a tree of entities. Each entity has the hash
 * of its data, and each parent has the hashes of its children. The layouts of State define the rows.
 */
import { COMPARE_STATE } from "../advice.js";
import type { Rule } from "../rule.js";
import type { StateLayout, StateRule } from "./state-layout.js";

/** The rules about the tree of entities, for layouts of State. */
export function stateRules(layouts: readonly StateLayout[]): readonly Rule[] {
  return texts.flatMap((text) => {
    const checks = layouts.flatMap((layout) => layout.checks[text.name] ?? []);
    return checks.length === 0 ? [] : [{ ...text, checks }];
  });
}

const texts: readonly (Omit<Rule, "checks"> & { readonly name: StateRule })[] = [
  {
    name: "state-rows",
    relations: [1],
    severity: "error",
    says: "Every row of State belongs to an entity, or to the trie of an entity's children, as its key says.",
    means: "The node fails where it reads the row. An info names a row in a form that older nodes wrote.",
    advice: COMPARE_STATE,
  },
  {
    name: "own-hash",
    relations: [26],
    severity: "error",
    says: "The data of an entity that is not deleted is there, and the entity's own hash is the hash of the data.",
    means: "Data of the context is missing or was changed outside the node.",
    advice: COMPARE_STATE,
  },
  {
    name: "full-hash",
    relations: [27],
    severity: "error",
    says: "An entity's full hash covers its own and those of its children.",
    means: "The state's tree is wrong at this entity. The node and its peers cannot agree on the state.",
    advice: COMPARE_STATE,
  },
  {
    name: "child-hash",
    relations: [28],
    severity: "error",
    says: "A child that an entity names is there, names it as its parent, and has the hash that the parent holds.",
    means: "The state's tree is wrong below this entity. Data may be missing or old.",
    advice: COMPARE_STATE,
  },
  {
    name: "trie-hash",
    relations: [28],
    severity: "error",
    says: "The rows of the trie of an entity's children are there, and each has the hash that the row above it holds.",
    means:
      "The node does not find some children of the entity. The row was lost, changed, or moved to another key.",
    advice: COMPARE_STATE,
  },
  {
    name: "trie-shape",
    relations: [28],
    severity: "error",
    says: "The rows of a trie have the form that nodes write: buckets of 1 to 16 children in the order of their ids, nodes above more.",
    means: "The node reads the row, and may count or order the children wrongly, or miss one.",
    advice: COMPARE_STATE,
  },
  {
    name: "root-entity",
    relations: [29],
    severity: "error",
    says: "The root of a context's state has no parent, and everything else has one.",
    means: "The state's tree has a wrong root, or several. Part of the data cannot be reached.",
    advice: COMPARE_STATE,
  },
  {
    name: "state-reachable",
    relations: [29],
    severity: "warning",
    says: "Every entity that is not deleted is a child of one that is not.",
    means: "The data is stored, and the application cannot reach it.",
    advice: COMPARE_STATE,
  },
  {
    name: "deleted-children",
    relations: [30],
    severity: "warning",
    says: "A deleted child is marked as deleted, has no data, and is not in its parent's list of children.",
    means: "Traces of a deletion are left. The application does not see them.",
    advice: "Nothing for an info. For a warning, let the node sync, then verify again.",
  },
  {
    name: "written-once",
    relations: [30],
    severity: "warning",
    says: "An entry that is written once does not come back after it was deleted, and is not deleted if nobody may.",
    means: "The application shows an entry that its peers do not show, or the other way round.",
    advice: "Let the node sync, then verify again.",
  },
  {
    name: "admitted-count",
    relations: [31],
    severity: "warning",
    says: "Where the count of a collection's admitted entries is of its trie as it is now, it is not above the number of entries.",
    means: "The application sees a wrong number of entries in the collection.",
    advice: "Nothing needs to be restored: the node counts again after the collection changes.",
  },
];
