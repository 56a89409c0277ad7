/** The rows that an export leaves out: answers that would need them are not about the node. */

import { compareBytes } from "../bytes/order.js";
import { count } from "../bytes/quantity.js";
import { Column } from "../columns/index.js";
import type { Warning } from "../errors.js";
import { Node } from "../node/index.js";
import type { Store } from "../store/index.js";
import type { ExportHeader } from "../transfer/index.js";
import { printable } from "./text.js";
import { LEFT_OUT } from "./unread.js";

/** The kind of rows without a value that decide answers about groups: their keys. The others are the node's own keys. */
const OF_GROUPS = "GroupKeyEntry";

/** The kinds of rows with the node's own keys: without them no member is known to be this node. */
const OWN: ReadonlySet<string> = new Set([
  "NodeIdentity",
  "NamespaceIdentity",
  "GroupSigningKey",
  "ContextIdentity",
]);

/** The rows that a scan gives. */
type Bounds = NonNullable<Parameters<Store["raw"]["scan"]>[1]>;

interface KeyOfKind {
  readonly kind: string;
  readonly key: Uint8Array;
}

/** The rows that an export leaves out. */
export class LackingRows {
  readonly #families: readonly string[];
  readonly #isSelection: boolean;
  /** The numbers of rows without a value, by kind. */
  readonly #kinds = new Map<string, number>();
  /** These rows by column family, in the order of the keys. */
  readonly #rows = new Map<string, KeyOfKind[]>();

  constructor({ columns, selection: { columns: only, ...ids } = {} }: ExportHeader) {
    this.#families = only === undefined ? [] : columns.filter((column) => !only.includes(column));
    this.#isSelection = Object.values(ids).some((id) => id !== undefined);
  }

  /** Adds a row without a value, in the order of the keys. */
  add(column: string, key: Uint8Array, kind: string): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    this.addPart(column, key, kind);
  }

  /** Adds a row that lacks secret parts of its value alone, in the order of the keys. */
  addPart(column: string, key: Uint8Array, kind: string): void {
    const rows = this.#rows.get(column);
    if (rows === undefined) this.#rows.set(column, [{ kind, key }]);
    else rows.push({ kind, key });
  }

  /** A warning about the rows that the export leaves out; nothing if it leaves out nothing. */
  warnings(): readonly Warning[] {
    const kinds = [...this.#kinds].map(([kind, rows]) => `${printable(kind)} (${count(rows)})`);
    const lacks = [
      ...(this.#families.length === 0 ? [] : [`all rows of ${this.#families.map(printable).join(", ")}`]),
      ...(kinds.length === 0 ? [] : [`the rows without a value, ${kinds.join(", ")}`]),
      ...(this.#isSelection ? ["the rows of other contexts, groups or members"] : []),
    ];
    if (lacks.length === 0) return [];
    const message = `this export leaves out ${lacks.join("; and ")}: answers about them are not about the node`;
    return [{ code: "ROWS_LEFT_OUT", message }];
  }

  /** Lets those who read what is left out know it, as where a table is damaged. */
  noteWhenRead(store: Store): void {
    const families = `${LEFT_OUT}all rows of ${this.#families.map(printable).join(", ")}`;
    const { raw: engine } = store;
    const { unread } = new Node(store);
    if (this.#families.length + this.#rows.size > 0)
      unread.leftOut = (column, bounds) => {
        if (this.#families.includes(column)) return families;
        const kind = firstWithin(this.#rows.get(column) ?? [], bounds)?.kind;
        return kind && `${LEFT_OUT}the values of ${printable(kind)}`;
      };
    const hidden = [...this.#rows.values()].flat();
    const own = hidden.find(({ kind }) => OWN.has(kind));
    if (own !== undefined) {
      const { kind, key } = own;
      unread.leftOutOwn = [
        kind,
        { COLUMN: Column.Group, bytes: key },
        false,
        `${LEFT_OUT}the node's own keys`,
      ];
    }
    const ofGroups = hidden.flatMap(({ kind, key }) => (kind === OF_GROUPS ? [key] : []));
    const note = (column: string, isMeant: (key: Uint8Array) => boolean): void => {
      if (this.#families.includes(column))
        unread.addDamaged({ column, after: undefined, before: undefined, message: families });
      if (column !== Column.Group) return;
      const reason = `${LEFT_OUT}the values of ${OF_GROUPS}`;
      for (const bytes of ofGroups.filter(isMeant))
        unread.add(OF_GROUPS, { COLUMN: column, bytes }, false, reason);
    };
    const { scan, get, getMany } = engine;
    Object.assign(engine, {
      scan: (column: string, bounds: Bounds = {}, ...rest: []) => {
        // A reader of the rows of all groups asks for no key of one.
        note(column, (key) => (bounds.gte?.length ?? 0) > 1 && isWithin(key, bounds));
        return scan.call(engine, column, bounds, ...rest);
      },
      get: (column: string, key: Uint8Array) => {
        note(column, (one) => compareBytes(one, key) === 0);
        return get.call(engine, column, key);
      },
      getMany: (column: string, keys: readonly Uint8Array[]) => {
        note(column, (one) => keys.some((key) => compareBytes(one, key) === 0));
        return getMany.call(engine, column, keys);
      },
    });
  }
}

/** The first of rows in key order that is within bounds. */
function firstWithin(rows: readonly KeyOfKind[], bounds: Bounds): KeyOfKind | undefined {
  const { gte: from = bounds.gt ?? new Uint8Array(0) } = bounds;
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareBytes((rows[middle] as KeyOfKind).key, from) < 0) low = middle + 1;
    else high = middle;
  }
  return rows.slice(low, low + 2).find(({ key }) => isWithin(key, bounds));
}

function isWithin(key: Uint8Array, { gte, gt, lt, lte }: Bounds): boolean {
  return (
    (gte === undefined || compareBytes(key, gte) >= 0) &&
    (gt === undefined || compareBytes(key, gt) > 0) &&
    (lt === undefined || compareBytes(key, lt) < 0) &&
    (lte === undefined || compareBytes(key, lte) <= 0)
  );
}
