/** The library's answers that the views of a fixture's database must show. */
import { countRows } from "../../../../dist/index.js";
import { countEntities, readReplay } from "../../../../dist/state/index.js";
import { verifyStore } from "../../../../dist/verify/index.js";
import { allOf, number, ofNode, ofStore } from "./answers.mjs";

/** Namespaces whose names must be there. */
const NAMED = 8;

/** The first namespaces as the page writes them: of a long name the beginning, of a name with escapes nothing. */
function namesOf(namespaces) {
  return namespaces.slice(0, NAMED).flatMap(({ group: { id, name } }) => {
    if (name === undefined) return [id.slice(0, 8)];
    return name.match(/^[\w ]{1,30}/)?.[0].trimEnd() ?? [];
  });
}

const amount = (value, one) => `${number(value)} ${one}${value === 1 ? "" : "s"}`;
const found = (value, one) => (value === 0 ? `no ${one}` : amount(value, one));

const checks = (store) =>
  verifyStore(store)
    .summary()
    .then(({ rows, errors, warnings, infos }) => [
      `checked over ${amount(rows, "row")}`,
      `${found(errors, "error")}, ${found(warnings, "warning")}, ${found(infos, "remark")}`,
    ]);

/** Words of each view by its address; {@link historyWords} has the words of a history. */
export async function expectedWords(name) {
  const families = await ofStore((store) => allOf(countRows(store)), name);
  const rows = families.reduce((sum, family) => sum + family.rows, 0);
  const kinds = families.flatMap((family) => [...family.kinds]).filter(([kind]) => kind !== "");
  const [most, count] = kinds.sort(([, a], [, b]) => b.rows - a.rows)[0];
  const namespaces = await ofNode((node) => node.namespaces(), name);
  const hits = await ofNode(async (node) => (await allOf(node.find("lobby"))).length, name);
  return {
    overview: [number(rows), ...namesOf(namespaces)],
    groups: namesOf(namespaces),
    state: await stateWords(name),
    time: await timeWords(name),
    rows: [most, amount(count.rows, "row")],
    checks: await ofStore(checks, name),
    compare: ["Compare two nodes"],
    fleet: ["Several nodes"],
    ask: ["Ask"],
    "search?for=lobby": [amount(hits, "row")],
  };
}

/** The first context: the one that changed last. */
async function newest(name) {
  const contexts = await ofNode((node) => node.contexts(), name);
  const [{ context }] = contexts.toSorted((a, b) => (b.changedAt ?? 0) - (a.changedAt ?? 0));
  return Buffer.from(context.id, "hex");
}

async function stateWords(name) {
  return ofStore(async (store) => {
    if (store.schema.name === "documented") return ["The document does not say how state is laid out."];
    const id = await newest(name);
    return [id.toString("hex").slice(0, 16), `${number(await countEntities(store, id))} entities`];
  }, name);
}

async function timeWords(name) {
  return ofStore(async (store) => {
    if (store.schema.name === "documented") return ["The document does not say how state is laid out."];
    const { length } = await readReplay(store, await newest(name));
    return length === 0 ? ["no deltas"] : [`after delta ${number(length)} of ${number(length)}`];
  }, name);
}

/** The first rows of a context's history. */
export async function historyWords(name, contextId) {
  const deltas = await ofNode((node) => allOf(node.deltas(contextId)), name);
  return [contextId.slice(0, 16), ...deltas.slice(0, 3).map(({ id }) => id.slice(0, 8))];
}
