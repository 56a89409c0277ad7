/** The answers of the library, and of the page, about the fixtures' databases. */
import { openStore } from "../../../../dist/index.js";
import { openNode } from "../../../../dist/node/index.js";
import { database } from "../../../../test/browser/compare.mjs";

/** Asks the node of a fixture. */
export async function ofNode(question, name = "core-0.11/node-a") {
  const node = await openNode(database(name));
  try {
    return await question(node);
  } finally {
    await node.close();
  }
}

/** Asks the store of a fixture. */
export async function ofStore(question, name = "core-0.11/node-a") {
  const store = await openStore(database(name));
  try {
    return await question(store);
  } finally {
    await store.close();
  }
}

/** All items of an iterable. */
export async function allOf(items) {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The texts of the elements that a selector finds. */
export function texts(page, selector) {
  return page.$$eval(selector, (all) => all.map((one) => one.textContent.trim()));
}

/** A number as the page writes it. */
export function number(value) {
  return new Intl.NumberFormat("en-US").format(value);
}

const ORDER = new Intl.Collator("en", { numeric: true });

/** The order of texts on the page. */
export function compareTexts(a, b) {
  return ORDER.compare(a, b) || (a < b ? -1 : 1);
}

/** The groups of the library in the order of the page: the last changed first, then by name. */
export function byChange(groups, contexts) {
  const changed = new Map(contexts.map(({ context, changedAt }) => [context.id, changedAt ?? 0]));
  const ofGroup = (one) =>
    Math.max(0, ...one.contexts.map(({ id }) => changed.get(id) ?? 0), ...one.children.map(ofGroup));
  const sorted = (all) =>
    all
      .map((one) => ({
        ...one,
        children: sorted(one.children),
        contexts: one.contexts.toSorted((a, b) => (changed.get(b.id) ?? 0) - (changed.get(a.id) ?? 0)),
      }))
      .toSorted((a, b) => ofGroup(b) - ofGroup(a));
  return sorted(byName(groups));
}

function byName(groups) {
  const key = ({ name, id }) => `${name === undefined ? 1 : 0} ${name ?? id}`;
  return groups
    .map((one) => ({
      ...one,
      children: byName(one.children),
      contexts: one.contexts.toSorted((a, b) => ORDER.compare(key(a), key(b))),
    }))
    .toSorted((a, b) => ORDER.compare(key(a.group), key(b.group)));
}
