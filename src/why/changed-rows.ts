/**
 * Rows of a state that differ though the data of the entities is equal: hashes, lists of children, rows of no entity.
 */
import { fromHex, toHex } from "../bytes/hex.js";
import { equalBytes } from "../bytes/order.js";
import { counted } from "../bytes/quantity.js";
import { slices } from "../collections/lists.js";
import { describeDifference, type RowDifference } from "../diff/browser.js";
import { once } from "../node/tables/once.js";
import { Pause } from "../pause.js";
import type { Schema } from "../schemas/index.js";
import { EntityRows } from "../state/entity-rows.js";
import { stateKeysOf } from "../state/index.js";
import { Damage } from "../state/layouts/layout.js";
import { layoutOf } from "../state/layouts/layout-of.js";
import { stateRowsOf } from "../state/replay/as-of.js";
import { trieRowsAbove } from "../state/replay/trie-rows.js";
import type { Causes, Words } from "./causes.js";
import { shortId } from "./naming.js";
import { MOST_WRONG, type Side } from "./side.js";

/** Fields of an entity that its hashes do not cover and that do not decide who may write. */
const UNCOVERED =
  /(?:^|\.)(?:metadata\.(?:createdAt|updatedAt|schemaVersion|crdtType|order)\b|deletedChildren)/;

/** The most index records of children in memory. */
const INDEXES_AT_ONCE = 1_000;

/** An entity that a row belongs to. */
interface Owner {
  /** Its id, 32 bytes. */
  readonly id: Uint8Array;
  /** True for a row of the trie of its children. */
  readonly isTrie: boolean;
}

/** The entities that rows belong to, by the keys of the rows in hex. */
type Owners = ReadonlyMap<string, Owner>;

/** The result of comparing a row with the replays of both sides. */
interface Judged {
  /** The side whose row differs from the replay of its deltas. The row of the other side does not. */
  readonly wrong: Side;
  /** The id of the entity, 64 hex digits; undefined if the row belongs to none. */
  readonly entity: string | undefined;
  /** True for a row of the trie of its children. */
  readonly isTrie: boolean;
}

/** Gathers these rows, and compares each with the row that the replay of the deltas gives. */
export class ChangedRows {
  readonly #rows: RowDifference[] = [];

  /** Takes a row. Returns false if there are too many. */
  take(row: RowDifference): boolean {
    return this.#rows.length < MOST_WRONG && this.#rows.push(row) > 0;
  }

  /**
   * Adds a cause for each side with wrong rows. Other rows become expected or unexplained.
   *
   * @returns the words on the wrong rows; undefined without wrong rows
   */
  async addTo(causes: Causes, sidesOf: () => Promise<readonly [Side, Side]>): Promise<Words | undefined> {
    if (this.#rows.length === 0) return undefined;
    const sides = await sidesOf();
    const pause = new Pause();
    const found = new Map<Side, Omit<Judged, "wrong"> & { readonly rows: RowDifference[] }>();
    for (const { replay } of sides) await replay.moveToFirst();
    const owners = once(() => ownersOfRows(sides));
    for (const row of this.#rows) {
      await pause.ifLong();
      const judged = await (row.difference === "different"
        ? judge(sides, row, owners)
        : judgeExtra(sides, row, await owners()));
      if (judged === undefined || judged === "expected") causes.take(row, judged ?? "unexplained");
      else {
        const ofSide = found.get(judged.wrong) ?? { rows: [], ...judged };
        ofSide.rows.push(row);
        found.set(judged.wrong, ofSide);
      }
    }
    const sentences: string[] = [];
    for (const [{ source }, { rows, entity, isTrie }] of found) {
      const [first] = rows;
      const [field] = first?.fields ?? [];
      const isGone = first?.difference === (source === sides[0].source ? "only in b" : "only in a");
      const thing = isTrie ? "the trie of children of " : "";
      const what =
        rows.length > 1
          ? `${counted(rows.length, "row")} of the state of ${source.name} differ from the replay of its deltas`
          : entity === undefined
            ? `a row of the state of ${source.name} belongs to no entity`
            : isGone
              ? `a row of ${thing}entity ${shortId(entity)} is missing at ${source.name}, whose deltas wrote it`
              : `${field?.path ? `${field.path} in ` : ""}${isTrie ? "a" : "the"} row of ${thing}entity ${shortId(entity)} of ${source.name} differs from the replay of its deltas`;
      const other = sides.find((side) => side.source !== source);
      const sentence = `${what}; ${other?.source.name} is right`;
      const place = causes.add({ rule: "contradiction", sentence });
      for (const row of rows) causes.take(row, place);
      sentences.push(sentence);
    }
    if (sentences.length === 0) return undefined;
    return {
      sentence: sentences.toSorted().join("; "),
      about: [...found.keys()].map(({ source }) => source.name),
    };
  }
}

/** Compares a row of both sides with the replays of their deltas. Undefined if these do not tell which row is wrong. */
async function judge(
  sides: readonly [Side, Side],
  { key }: RowDifference,
  owners: () => Promise<Owners>,
): Promise<Judged | "expected" | undefined> {
  const stateKey = fromHex(key).subarray(32);
  const contextId = fromHex(sides[0].replay.contextId);
  const stored = sides.map(
    ({ source }) => new EntityRows(source.reader.raw, contextId, layoutOf(source.reader.schema)),
  );
  const values = await Promise.all(stored.map((rows) => rows.valueAt(stateKey)));
  const names = stored.flatMap(({ entities }, at) => {
    const value = values[at];
    const row = value && { key: fromHex(key), value };
    return row === undefined ? [] : (entities.indexIn(row)?.id ?? entities.entityIn(row) ?? []);
  });
  const owner = names.length === 0 ? (await owners()).get(key) : undefined;
  const isTrie = owner?.isTrie === true;
  for (const id of owner === undefined ? names : [owner.id]) {
    const isAsReplayed: boolean[] = [];
    const isSame = (schema: Schema, wanted: Uint8Array, value: Uint8Array): boolean => {
      if (equalBytes(wanted, value)) return true;
      const [a, b] = [wanted, value].map((one) => ({ key: fromHex(key), value: one }));
      const row = { column: "State", a, schemaA: schema, b, schemaB: schema };
      const difference = describeDifference("different", row, undefined);
      return highest === undefined ? isUncovered(difference) : isOtherOrder(difference, highest);
    };
    let highest: bigint | undefined;
    for (const [at, { source, replay }] of sides.entries()) {
      if (isTrie) highest = await highestOrder(stored[at] as EntityRows, id);
      const rows = await stateRowsOf(source.reader.schema, replay, id);
      const wanted = rows.find((row) => equalBytes(row.stateKey, stateKey))?.value;
      const value = values[at];
      isAsReplayed.push(
        wanted !== undefined && value !== undefined && isSame(source.reader.schema, wanted, value),
      );
    }
    const wrong = sides[isAsReplayed.indexOf(false)];
    if (wrong === undefined && isTrie) return "expected";
    if (wrong !== undefined && isAsReplayed.includes(true)) return { wrong, entity: toHex(id), isTrie };
  }
  return undefined;
}

/** The highest order among the children of an entity in a node's own rows; 0 without children. */
async function highestOrder(rows: EntityRows, id: Uint8Array): Promise<bigint> {
  const row = await rows.index(id);
  const children = row && (await rows.children(row));
  if (children === undefined || children instanceof Damage) return 0n;
  let highest = 0n;
  for (const ids of slices(children.ids(), INDEXES_AT_ONCE))
    for (const index of await rows.indexes(ids)) {
      const order = index !== undefined && "order" in index.metadata ? index.metadata.order : 0n;
      if (order > highest) highest = order;
    }
  return highest;
}

/**
 * True if only `nextOrder` of a trie differs, and is above the orders of the node's own children. A node counts deleted
 * children too, begins again after the last one, and keeps the order of a child that it had first.
 */
function isOtherOrder({ fields = [] }: RowDifference, highest: bigint): boolean {
  const [order] = fields;
  if (order?.path !== "nextOrder" || fields.length > 1) return false;
  const [wanted, found] = [BigInt(String(order.a)), BigInt(String(order.b))];
  return wanted > 0n && found > highest;
}

/**
 * Compares a row that only one side has with the replays of both. Undefined if they do not tell which side is wrong.
 */
async function judgeExtra(
  sides: readonly [Side, Side],
  { key, difference }: RowDifference,
  owners: Owners,
): Promise<Judged | "expected" | undefined> {
  const stateKey = fromHex(key).subarray(32);
  const { id, isTrie = false } = owners.get(key) ?? {};
  const [holder, lacker] = difference === "only in a" ? sides : ([sides[1], sides[0]] as const);
  const isWanted = async ({ source, replay }: Side): Promise<boolean> =>
    id !== undefined &&
    (await stateRowsOf(source.reader.schema, replay, id)).some((row) => equalBytes(row.stateKey, stateKey));
  const [isOfHolder, isOfLacker] = [await isWanted(holder), await isWanted(lacker)];
  if (isOfHolder !== isOfLacker) return undefined;
  const name = id && toHex(id);
  // A correct node may have forgotten the deletion of an unchecked entity, or may not have the entity yet.
  if (sides.some(({ unchecked }) => unchecked.some(({ entity }) => entity === name))) return undefined;
  // Nodes drop the rows of deleted entities after a day.
  const isDropped =
    isOfHolder && sides.every(({ replay }) => replay.tree.get(name ?? "")?.deletedAt !== undefined);
  if (isDropped) return "expected";
  return { wrong: isOfHolder ? lacker : holder, entity: name, isTrie };
}

/** The entities in the replays of both sides, by the keys of their rows. */
async function ownersOfRows(sides: readonly [Side, Side]): Promise<Owners> {
  const found = new Map<string, Owner>();
  const pause = new Pause();
  const replays = [sides[0].replay, sides[1].replay] as const;
  const { schema } = sides[0].source.reader;
  for (const { source, replay } of sides)
    for (const [entity] of replay.tree.entities()) {
      if (pause.isLong) await pause.ifLong();
      const id = fromHex(entity);
      for (const { key } of stateKeysOf(source.reader.schema, replay.contextId, id))
        found.set(toHex(key), { id, isTrie: false });
      for await (const key of trieRowsAbove(schema, replays, replay.tree.children(entity)))
        found.set(toHex(key), { id, isTrie: true });
    }
  return found;
}

/**
 * True if rows of an entity differ only in fields that its hashes do not cover. Nodes that merge may keep other times
 * and kinds.
 */
export function isUncovered({ kind, fields = [], moreFields }: RowDifference): boolean {
  const isPlain = ({ path }: { readonly path: string }): boolean => UNCOVERED.test(path);
  return kind === "ContextState" && moreFields === undefined && fields.length > 0 && fields.every(isPlain);
}
