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
const OWN: ReadonlySet<string> = new Set(["NodeIdentity", "NamespaceIdentity", "GroupSigningKey"]);

/** The rows that a scan gives. */
type Bounds = NonNullable<Parameters<Store["raw"]["scan"]>[1]>;

/** The rows that an export leaves out. */
export class LackingRows {
  readonly #families: readonly string[];
  readonly #isSelection: boolean;
  /** The numbers of rows without a value, by kind. */
  readonly #kinds = new Map<string, number>();
  /** The keys of the rows that decide about groups. */
  readonly #ofGroups: Uint8Array[] = [];
  #own: { readonly kind: string; readonly key: Uint8Array } | undefined;

  constructor({ columns, selection: { columns: only, ...ids } = {} }: ExportHeader) {
    this.#families = only === undefined ? [] : columns.filter((column) => !only.includes(column));
    this.#isSelection = Object.values(ids).some((id) => id !== undefined);
  }

  /** Adds a row without a value, in the order of the keys. */
  add(key: Uint8Array, kind: string): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    if (OWN.has(kind)) this.#own ??= { kind, key };
    if (kind === OF_GROUPS) this.#ofGroups.push(key);
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
    const families = this.#families.map(printable).join(", ");
    const { raw: engine } = store;
    const { unread } = new Node(store);
    if (this.#own !== undefined) {
      const { kind, key } = this.#own;
      unread.leftOutOwn = [
        kind,
        { COLUMN: Column.Group, bytes: key },
        false,
        `${LEFT_OUT}the node's own keys`,
      ];
    }
    for (const column of this.#families) unread.leftOut.set(column, `${LEFT_OUT}all rows of ${families}`);
    const note = (column: string, isMeant: (key: Uint8Array) => boolean): void => {
      const message = unread.leftOut.get(column);
      if (message !== undefined) unread.addDamaged({ column, after: undefined, before: undefined, message });
      if (column !== Column.Group) return;
      const reason = `${LEFT_OUT}the values of ${OF_GROUPS}`;
      for (const bytes of this.#ofGroups.filter(isMeant))
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

function isWithin(key: Uint8Array, { gte, gt, lt, lte }: Bounds): boolean {
  return (
    (gte === undefined || compareBytes(key, gte) >= 0) &&
    (gt === undefined || compareBytes(key, gt) > 0) &&
    (lt === undefined || compareBytes(key, lt) < 0) &&
    (lte === undefined || compareBytes(key, lte) <= 0)
  );
}
