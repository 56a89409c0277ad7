/** The rows that an export leaves out. An answer that needs them would not be about the node. */
import { fromHex, toHex } from "../../bytes/hex.js";
import { compareBytes } from "../../bytes/order.js";
import { count } from "../../bytes/quantity.js";
import { firstNotBefore } from "../../bytes/search.js";
import { Column } from "../../columns/index.js";
import { MerostoreError, type Warning } from "../../errors.js";
import { CalimeroNode, type Unread } from "../../node/index.js";
import { type RowSelection, type Schema, selectRows } from "../../schemas/index.js";
import type { Store } from "../../store/index.js";
import { type ExportHeader, selectedIn } from "../../transfer/index.js";
import { printable } from "../output/text.js";

/** The rows that an export of one thing leaves out. */
const OTHERS = "the rows of other contexts, groups or members";

/**
 * The kind of rows without a value that decides answers about groups: their keys. The other kinds are the node's own
 * keys.
 */
const OF_GROUPS = "GroupKeyEntry";

/** The kinds of rows with the node's own keys. Without them it is not known which member is this node. */
const OWN: ReadonlySet<string> = new Set([
  "NodeIdentity",
  "NamespaceIdentity",
  "GroupSigningKey",
  "ContextIdentity",
]);

/** The kind of the row with this node's device. */
const DEVICE = "NodeDeviceIdentity";

/** The bounds of a scan. */
type Bounds = NonNullable<Parameters<Store["raw"]["scan"]>[1]>;

interface KeyOfKind {
  readonly kind: string;
  readonly key: Uint8Array;
}

/** The rows that an export leaves out. */
export class LackingRows {
  /** The beginning of the sentences about the rows that are left out. */
  readonly #leftOut: string;
  readonly #families: readonly string[];
  readonly #selection: RowSelection | undefined;
  /** The numbers of rows without a value, by kind. */
  readonly #kinds = new Map<string, number>();
  /** These rows by column family, in the order of the keys. */
  readonly #rows = new Map<string, KeyOfKind[]>();

  /** This node's own public keys and device, and a row of which only the key is known. */
  readonly #publicKeys = new Set<string>();
  #device: NonNullable<Unread["own"]>["device"];
  #unknownOwn: KeyOfKind | undefined;

  constructor(header: ExportHeader) {
    const { columns, report, selection: { columns: only } = {} } = header;
    this.#leftOut = `unknown: the ${report === undefined ? "export" : "bundle"} leaves out `;
    this.#families = only === undefined ? [] : columns.filter((column) => !only.includes(column));
    this.#selection = selectedIn(header);
  }

  /** Adds a row without a value, in the order of the keys. */
  add(column: string, key: Uint8Array, kind: string, shown: unknown): void {
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    this.addPart(column, key, kind, shown);
  }

  /** Adds a row that lacks only secret parts of its value, in the order of the keys. */
  addPart(column: string, key: Uint8Array, kind: string, shown: unknown): void {
    if (OWN.has(kind) || kind === DEVICE)
      this.#addOwn(key, kind, (shown ?? {}) as Readonly<Record<string, unknown>>);
    const rows = this.#rows.get(column);
    if (rows === undefined) this.#rows.set(column, [{ kind, key }]);
    else rows.push({ kind, key });
  }

  #addOwn(
    key: Uint8Array,
    kind: string,
    { publicKey, deviceId, accountRootPk }: Readonly<Record<string, unknown>>,
  ): void {
    if (kind === "GroupSigningKey" || kind === "ContextIdentity")
      this.#publicKeys.add(toHex(key.subarray(-32)));
    else if (isId(publicKey)) this.#publicKeys.add(publicKey);
    else if (isId(deviceId) && isId(accountRootPk))
      this.#device = { deviceId: fromHex(deviceId), accountRootPk: fromHex(accountRootPk) };
    else this.#unknownOwn = { kind, key };
  }

  /** A warning about the rows that the export leaves out; nothing if it leaves out nothing. */
  warnings(): readonly Warning[] {
    const kinds = [...this.#kinds].map(([kind, rows]) => `${printable(kind)} (${count(rows)})`);
    const lacks = [
      ...(this.#families.length === 0 ? [] : [`all rows of ${this.#families.map(printable).join(", ")}`]),
      ...(kinds.length === 0 ? [] : [`the rows without a value, ${kinds.join(", ")}`]),
      ...(this.#selection === undefined ? [] : [OTHERS]),
    ];
    if (lacks.length === 0) return [];
    const message = `this export leaves out ${lacks.join("; and ")}: answers about them are not about the node`;
    return [{ code: "ROWS_LEFT_OUT", message }];
  }

  /** Notes each read of rows that are left out, like a read of a damaged table. */
  noteWhenRead(store: Store): void {
    const families = `${this.#leftOut}all rows of ${this.#families.map(printable).join(", ")}`;
    const { raw: engine } = store;
    const { unread } = new CalimeroNode(store);
    unread.selection = this.#selection;
    const isSelected = this.#selection && selectedWithin(this.#selection, store.schema);
    if (this.#families.length + this.#rows.size > 0 || isSelected !== undefined)
      unread.leftOut = (column, bounds) => {
        if (this.#families.includes(column)) return families;
        if (isSelected?.(column, bounds) === false) return `${this.#leftOut}${OTHERS}`;
        const kind = firstWithin(this.#rows.get(column) ?? [], bounds)?.kind;
        return kind && `${this.#leftOut}the values of ${printable(kind)}`;
      };
    const hidden = [...this.#rows.values()].flat();
    unread.own = { publicKeys: this.#publicKeys, device: this.#device };
    if (this.#unknownOwn !== undefined) {
      const { kind, key } = this.#unknownOwn;
      unread.leftOutOwn = [
        kind,
        { COLUMN: Column.Group, bytes: key },
        false,
        `${this.#leftOut}the node's own keys`,
      ];
    }
    const ofGroups = hidden.flatMap(({ kind, key }) => (kind === OF_GROUPS ? [key] : []));
    const note = (column: string, isMeant: (key: Uint8Array) => boolean): void => {
      if (this.#families.includes(column))
        unread.addDamaged({
          column,
          after: undefined,
          before: undefined,
          message: families,
          isLeftOut: true,
        });
      if (column !== Column.Group) return;
      const reason = `${this.#leftOut}the values of ${OF_GROUPS}`;
      for (const bytes of ofGroups.filter(isMeant))
        unread.add(OF_GROUPS, { COLUMN: column, bytes }, false, reason);
    };
    const { scan, get, getMany } = engine;
    Object.assign(engine, {
      scan: (column: string, bounds: Bounds = {}, ...rest: []) => {
        // A read of the rows of all groups does not ask for the keys of one.
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

/**
 * Refuses an answer that needs column families of which an export leaves out one completely.
 *
 * @param name the name of the database among several
 * @throws MerostoreError `EXPORT_INVALID`
 */
export function refuseLeftOut(store: Store, columns: readonly string[], name?: string): void {
  const { leftOut } = new CalimeroNode(store).unread;
  const of = name === undefined ? "" : `${printable(name)}: `;
  for (const column of columns) {
    const reason = leftOut?.(column, { lt: new Uint8Array(0) }); // a range without keys lacks no single row
    if (reason !== undefined) throw new MerostoreError("EXPORT_INVALID", `${of}${reason}`);
  }
}

/** Returns a function that tells whether an export of a selection can have rows within bounds. */
function selectedWithin(
  selection: RowSelection,
  schema: Schema,
): (column: string, bounds: Bounds) => boolean {
  const selected = selectRows(selection);
  return (column, { gte, lt, lte }) => {
    if (gte !== undefined && gte === lte) return selected.has(schema, column, gte);
    return selected
      .ranges(column, schema)
      .some(
        (range) =>
          (gte === undefined || range.lt === undefined || compareBytes(gte, range.lt) < 0) &&
          (lt === undefined || range.gte === undefined || compareBytes(range.gte, lt) < 0),
      );
  };
}

/** The first row within bounds, among rows in key order. */
function firstWithin(rows: readonly KeyOfKind[], bounds: Bounds): KeyOfKind | undefined {
  const { gte: from = bounds.gt ?? new Uint8Array(0) } = bounds;
  const low = firstNotBefore(rows.length, (at) => compareBytes((rows[at] as KeyOfKind).key, from) < 0);
  return rows.slice(low, low + 2).find(({ key }) => isWithin(key, bounds));
}

function isId(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function isWithin(key: Uint8Array, { gte, gt, lt, lte }: Bounds): boolean {
  return (
    (gte === undefined || compareBytes(key, gte) >= 0) &&
    (gt === undefined || compareBytes(key, gt) > 0) &&
    (lt === undefined || compareBytes(key, lt) < 0) &&
    (lte === undefined || compareBytes(key, lte) <= 0)
  );
}
