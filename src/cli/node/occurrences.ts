/** The places where an id occurs, and its meaning there: a root hash, an entity of a state, a key. */

import { toHex } from "../../bytes/hex.js";
import { count } from "../../bytes/quantity.js";
import type { Json } from "../../codec/index.js";
import { type Named, placesIn, type ThingKind } from "../../node/index.js";
import type { RowJson, Schema } from "../../schemas/index.js";
import type { Terminal } from "../output/terminal.js";
import { printable } from "../output/text.js";
import { type RowOptions, rowForm, withPrivateEntities } from "../rows/rows.js";
import type { OpenNode, PageOptions } from "./options.js";

/** The counts of the rows with an id. */
interface Occurrences {
  /** By kind: the number of rows whose key contains it. */
  readonly inKeys: ReadonlyMap<string, number>;
  /** By kind: the number of rows whose value contains it. */
  readonly inValues: ReadonlyMap<string, number>;
  /**
   * By kind and field: how many rows have it there, and the first one of each context; of the first rows of each kind.
   */
  readonly places: ReadonlyMap<string, Occurrence>;
}

interface Occurrence {
  readonly path: string;
  rows: number;
  /** By context: entities in many contexts can have one id. */
  readonly first: Map<string, RowJson>;
}

/** The most rows of one kind and context whose places are looked up. */
const LOOKED_INTO = 100;
/** The most contexts that are counted separately. */
const CONTEXTS = 400;
/** The most meanings that are listed. */
const MEANINGS = 20;

async function occurrencesOf(
  terminal: Terminal,
  { store, node }: OpenNode,
  id: string,
  looksInto: boolean,
): Promise<Occurrences> {
  using progress = terminal.progress("show");
  const [inKeys, inValues] = [new Map<string, number>(), new Map<string, number>()];
  const places = new Map<string, Occurrence>();
  const looked = new Map<string, number>();
  let options: RowOptions = { json: true };
  for await (const { column, row, in: where } of node.find(id, { onProgress: progress.show })) {
    const kind = store.schema.identify(column, row.key)?.kind ?? `${column} (unknown)`;
    if (where !== "value") inKeys.set(kind, (inKeys.get(kind) ?? 0) + 1);
    if (where !== "key") inValues.set(kind, (inValues.get(kind) ?? 0) + 1);
    if (!looksInto) continue;
    const rows = kind + contextOf(store.schema, column, row.key);
    const before = looked.get(rows) ?? 0;
    if (before >= LOOKED_INTO || (before === 0 && looked.size >= CONTEXTS)) continue;
    looked.set(rows, before + 1);
    options = await withPrivateEntities(store, column, options);
    const form = rowForm(store.schema, column, row, options);
    for (const place of placesIn(form, { ids: [id], texts: [] })) {
      const path = place.path.replaceAll(/\[\d+\]/g, "[]");
      const name = `${kind} ${path === "" ? "value" : path}`;
      const known = places.get(name) ?? { path, rows: 0, first: new Map() };
      places.set(name, known);
      known.rows++;
      const context = String(form.parts?.contextId ?? "");
      if (!known.first.has(context)) known.first.set(context, form);
    }
  }
  return { inKeys, inValues, places };
}

/** The context of a row; none for other rows. */
function contextOf(schema: Schema, column: string, key: Uint8Array): string {
  const isOfContext = schema.identify(column, key)?.key.PARTS[0]?.name === "contextId";
  return isOfContext ? toHex(key.subarray(0, 32)) : "";
}

/** Prints the number of rows of each kind with an id in their keys, and in their values. */
export async function printRowCounts(
  terminal: Terminal,
  open: OpenNode,
  id: string,
  { json }: PageOptions,
): Promise<void> {
  const { inKeys, inValues } = await occurrencesOf(terminal, open, id, false);
  if (json) {
    const rows = { inKeys: Object.fromEntries(inKeys), inValues: Object.fromEntries(inValues) };
    await terminal.json({ id, rows });
    return;
  }
  await terminal.line("");
  await terminal.fields([
    ["rows with the id", countsText(inKeys) ?? "none"],
    ["rows that refer to it", countsText(inValues) ?? "none"],
  ]);
}

function countsText(counts: ReadonlyMap<string, number>): string | undefined {
  return [...counts].map(([kind, rows]) => `${printable(kind)} ${count(rows)}`).join(", ") || undefined;
}

/**
 * Prints the meaning that the rows give an id that no table has, and its places. Returns false, and prints nothing, if
 * no row has it.
 *
 * @param what the known kind of thing
 * @param state the known facts about its end
 */
export async function printOccurrences(
  terminal: Terminal,
  open: OpenNode,
  id: string,
  { json }: PageOptions,
  what = "id",
  state?: string,
): Promise<boolean> {
  const { inKeys, inValues, places } = await occurrencesOf(terminal, open, id, true);
  if (inKeys.size + inValues.size === 0) return false;
  const meanings = new Map<string, string>();
  for (const { first, path } of places.values())
    for (const row of first.values())
      if (meanings.size < MEANINGS)
        for (const [name, text] of await meaningOf(row, path, open)) meanings.set(`${name} ${text}`, name);
  const own = await open.node.own();
  const isOwn = own.account === id || own.publicKeys.has(id);
  const texts = [...meanings].map(([whole, name]) => [name, whole.slice(name.length + 1)] as const);
  const where = [...places].map(([place, { rows }]) => `${printable(place)} ${count(rows)}`).join(", ");
  if (json) {
    const rows = { inKeys: Object.fromEntries(inKeys), inValues: Object.fromEntries(inValues) };
    const is = texts.map(([name, text]) => `${name}: ${text}`);
    await terminal.json({ id, kind: what, isOwn, is, places: [...places.keys()], rows });
    return true;
  }
  await terminal.fields([
    [what, open.labels.whole(id)],
    ["state", state],
    ["this node", isOwn ? "yes" : undefined],
    ...texts,
    ["rows with it", countsText(inKeys) ?? "none"],
    ["rows that refer to it", countsText(inValues) ?? "none"],
    ["places", where || undefined],
  ]);
  return true;
}

type Meaning = readonly [name: string, text: string];

/** The meaning of an id in a part or field of a row. */
async function meaningOf(
  row: RowJson,
  path: string,
  { node, labels }: OpenNode,
): Promise<readonly Meaning[]> {
  const names = await node.names();
  const label = async (kind: ThingKind, id: Json | undefined): Promise<string> => {
    const thing: Named = names.as(kind, String(id));
    await labels.prepare([thing]);
    return `${thing.kind} ${labels.of(thing)}`;
  };
  const { kind, parts } = row;
  const fields = (row.decoded ?? {}) as { readonly [name: string]: Json };
  const context = (): Promise<string> => label("context", parts?.contextId);
  if (kind === "ContextMeta" && path === "rootHash") return [["root hash", `of ${await context()}`]];
  if (path === "stateKey") {
    const entity = typeof fields.id === "string" ? [["entity", fields.id] as const] : [];
    return [["state key", `in ${await context()}`], ...entity];
  }
  if (kind === "ContextState" && path === "id")
    return [
      ["entity", `in the state of ${await context()}`],
      ["state key", String(parts?.stateKey)],
      ...(typeof fields.parentId === "string" ? [["parent", fields.parentId] as const] : []),
    ];
  if (kind === "ContextState" && /(?:full|own|merkle)Hash$/.test(path))
    return [["hash", `in the tree of the state of ${await context()}`]];
  if (kind === "ContextDagDelta" && /^actions\[\]\.(?:ancestors\[\]\.)?id$/.test(path))
    return [["entity", `in deltas of ${await context()}`]];
  if (/root_?hash/i.test(path)) return [["root hash", `in a ${kind} of ${await context()}`]];
  if (path === "keyId") return [["group key", `of ${await label("group", parts?.groupId)}`]];
  if (kind === "GroupDeviceBinding" && path === "signPk")
    return [
      [
        "public key",
        `of ${await label("device", parts?.deviceId)} of ${await label("member", fields.account)}`,
      ],
    ];
  if (kind === "GroupDeviceBinding" && path === "deviceId")
    return [["owner", await label("member", fields.account)]];
  if (path === "publicKey" && parts?.contextId !== undefined)
    return [["public key", `in ${await context()}`]];
  if (/(?:^|\.)signer$/.test(path)) return [["public key", "that operations are signed with"]];
  return [];
}
