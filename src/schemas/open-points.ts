/**
 * The points of core-1.0 that no row of a real node has decided yet. Rows are counted by their form at each point. Forms
 * are fixed words and lengths; they contain no value and no id.
 */
import { toHex } from "../bytes/hex.js";
import { type Codec, Payload, ReadFailure, vec } from "../codec/index.js";
import type { RawRow } from "../engine/engine.js";
import { isOlderForm, readStateRow } from "../layouts/index.js";
import { Event } from "../payloads/index.js";
import type { AnyRow, Schema } from "./schema.js";

/** A point and the forms that rows have. */
export interface OpenPoint {
  /** The point in a few words: `layout of deltas`. */
  readonly point: string;
  /** Number of rows by their form: `{"v1": 12}`. */
  readonly forms: Readonly<Record<string, number>>;
}

/** Rows of a point that are examined. */
const EXAMINED = 10_000;
const UNREADABLE = "does not decode";

type Value = Readonly<Record<string, unknown>>;
type Forms = string | readonly string[] | undefined;

interface Point {
  readonly point: string;
  readonly column: string;
  /** The first byte of the keys, in Group. */
  readonly prefix?: number;
  /** Examine all rows. This is cheap, because the keys show the forms. */
  readonly all?: true;
  /** The forms of a row. `value` is undefined if it does not decode, or its key is of no kind. */
  readonly forms: (raw: RawRow, value: Value | undefined) => Forms;
}

const byName = ([a]: readonly [string, number], [b]: readonly [string, number]): number =>
  a.localeCompare(b, "en", { numeric: true });
const lengthOf = (bytes: Uint8Array): string => (bytes.length === 1 ? "1 byte" : `${bytes.length} bytes`);
const kindOf = (_: RawRow, value: Value | undefined): string => String(value?.kind ?? UNREADABLE);
const decodes = (_: RawRow, value: Value | undefined): string =>
  value === undefined ? UNREADABLE : "decodes";

const points: readonly Point[] = [
  { point: "layout of deltas", column: "Delta", forms: kindOf },
  {
    point: "delegation of deltas",
    column: "Delta",
    forms: (_, value) => (value?.delegation as Value | null | undefined)?.kind as string | undefined,
  },
  {
    point: "actions of deltas",
    column: "Delta",
    forms: (_, value) => (value === undefined ? undefined : payloadForm(value.actions)),
  },
  {
    point: "events of deltas",
    column: "Delta",
    forms: (_, value) => (value?.events instanceof Uint8Array ? eventsForm(value.events) : undefined),
  },
  { point: "tags of state keys", column: "State", all: true, forms: ({ key }) => stateTag(key) },
  { point: "flags of metadata", column: "State", forms: ({ key, value }) => metadataFlags(key, value) },
  { point: "deleted entities", column: "State", forms: ({ key, value }) => tombstoneForm(key, value) },
  {
    point: "accounts that signatures of entities are for",
    column: "State",
    forms: ({ key, value }) => onBehalfForm(key, value),
  },
  { point: "tags of private keys", column: "PrivateState", forms: ({ key }) => stateTag(key) },
  { point: "marks of sorted collections", column: "SortedIndexMeta", forms: ({ value }) => lengthOf(value) },
  { point: "keys of nonces of warrants", column: "ContextWarrantNonce", forms: ({ key }) => lengthOf(key) },
  { point: "values of owners of blobs", column: "BlobOwner", forms: ({ value }) => lengthOf(value) },
  {
    point: "changed entities of the search index",
    column: "SearchDirty",
    forms: ({ key }, value) => (key.length === 40 ? kindOf({ key, value: key }, value) : undefined),
  },
  { point: "applications", column: "Application", forms: decodes },
  { point: "records of the absorb buffer", column: "AbsorbBuffer", forms: (_, value) => payloadForm(value) },
  { point: "operations of scopes", column: "UnifiedOp", forms: (_, value) => payloadForm(value) },
  {
    point: "rights of members",
    column: "Group",
    prefix: 0x26,
    forms: (_, value) => bitsOf(value?.capabilities),
  },
  {
    point: "versions of operations on groups",
    column: "Group",
    prefix: 0x30,
    forms: ({ value }) => versionAt(value, 4),
  },
  {
    point: "versions of operations on namespaces",
    column: "Group",
    prefix: 0x38,
    // After the length and the tag of a signed operation; a skeleton has another tag, a bare operation has none.
    forms: ({ value }) => (value[4] === 0 ? versionAt(value, 5) : "no tag of a signed operation"),
  },
  { point: "upgrades", column: "Group", prefix: 0x24, forms: decodes },
  { point: "devices of accounts", column: "Group", prefix: 0x4d, forms: kindOf },
  { point: "keys of accounts of signers", column: "Group", prefix: 0x56, forms: ({ key }) => lengthOf(key) },
];

/** Returns whether the points concern the rows of a schema. */
export function hasOpenPoints({ columns }: Schema<AnyRow>): boolean {
  return columns.includes("SnapshotStage");
}

/** Collects the forms of added rows. */
export class OpenPoints {
  readonly #counts = new Map<Point, Map<string, number>>();
  readonly #examined = new Map<Point, number>();
  /** The first links of blobs. */
  readonly #links: Uint8Array[] = [];

  /** Adds a row. `decoded` is its value; undefined if it does not decode, or its key is of no kind. */
  add(column: string, raw: RawRow, decoded: unknown): void {
    const value = typeof decoded === "object" && decoded !== null ? (decoded as Value) : undefined;
    for (const point of points) {
      if (point.column !== column || (point.prefix !== undefined && point.prefix !== raw.key[0])) continue;
      const examined = this.#examined.get(point) ?? 0;
      if (examined >= EXAMINED && !point.all) continue;
      this.#examined.set(point, examined + 1);
      const forms = point.forms(raw, value);
      for (const form of typeof forms === "string" ? [forms] : (forms ?? [])) this.#count(point, form);
    }
    const [link] = (column === "Blobs" && (value?.links as readonly Uint8Array[] | undefined)) || [];
    if (link !== undefined && this.#links.length < EXAMINED) this.#links.push(Uint8Array.from(link));
  }

  /** The points that have rows. @param isBlob returns whether a row of blobs has an id */
  build(isBlob: (id: Uint8Array) => boolean): readonly OpenPoint[] {
    const built = points.flatMap((point) => {
      const counts = this.#counts.get(point);
      return counts === undefined
        ? []
        : [{ point: point.point, forms: Object.fromEntries([...counts].sort(byName)) }];
    });
    if (this.#links.length === 0) return built;
    const known = this.#links.filter(isBlob).length;
    const forms = { "under their hash": known, "under another id": this.#links.length - known };
    const kept = Object.entries(forms).filter(([, rows]) => rows > 0);
    return [...built, { point: "first chunks of blobs", forms: Object.fromEntries(kept) }];
  }

  #count(point: Point, form: string): void {
    const counts = this.#counts.get(point) ?? new Map<string, number>();
    this.#counts.set(point, counts);
    counts.set(form, (counts.get(form) ?? 0) + 1);
  }
}

/** The layout of a payload, if it has several. */
function payloadForm(payload: unknown): string {
  const value = payload instanceof Payload ? (payload.value as Value | undefined) : undefined;
  if (value === undefined) return UNREADABLE;
  return typeof value.kind === "string" ? value.kind : "decodes";
}

const borshEvents: Codec<unknown> = vec(Event);

function eventsForm(events: Uint8Array): string {
  if (events.length === 0) return "empty";
  if (!(borshEvents.readWhole(events) instanceof ReadFailure)) return "Borsh: kind, data, handler";
  try {
    return Array.isArray(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(events)))
      ? "JSON list"
      : "JSON";
  } catch {
    return UNREADABLE;
  }
}

const CONTEXT = 32;
const STATE_KEY = 33;

function stateTag(key: Uint8Array): string {
  if (key.length !== CONTEXT + STATE_KEY) return `key of ${lengthOf(key)}`;
  return `tag ${toHex(key.subarray(CONTEXT, CONTEXT + 1))}`;
}

/** The record of an entity; undefined in other rows. */
function entityOf(key: Uint8Array, value: Uint8Array) {
  if (key.length !== CONTEXT + STATE_KEY) return undefined;
  const read = readStateRow(key.subarray(CONTEXT), value);
  return read.kind === "entity" && read.row.index !== null
    ? { id: read.id, row: read.row, index: read.row.index }
    : undefined;
}

function metadataFlags(key: Uint8Array, value: Uint8Array): Forms {
  const entity = entityOf(key, value);
  if (entity === undefined) return undefined;
  const { createdAt, updatedAt, crdtType, fieldName, schemaVersion, order } = entity.index.metadata;
  return [
    ...(createdAt === updatedAt ? [] : ["01 createdAt"]),
    ...(crdtType === null ? [] : ["02 crdtType"]),
    ...(fieldName === null ? [] : ["04 fieldName"]),
    ...(schemaVersion === null ? [] : ["08 schemaVersion"]),
    ...(order === 0n ? [] : ["10 order"]),
  ];
}

function tombstoneForm(key: Uint8Array, value: Uint8Array): Forms {
  const entity = entityOf(key, value);
  if (entity === undefined || entity.index.deletedAt === null) return undefined;
  return isOlderForm(entity.id, entity.row, value) ? "with their own hash" : "without their own hash";
}

function onBehalfForm(key: Uint8Array, value: Uint8Array): Forms {
  const entity = entityOf(key, value);
  const type = entity?.index.metadata.storageType as Value | undefined;
  const signature = type?.signatureData as Value | null | undefined;
  if (entity === undefined || signature === undefined || signature === null) return undefined;
  if (signature.onBehalf !== null) return "named";
  return isOlderForm(entity.id, entity.row, value) ? "no place for one" : "none, with a place for one";
}

function bitsOf(mask: unknown): Forms {
  if (typeof mask !== "number") return undefined;
  return Array.from({ length: 32 }, (_, bit) => bit).flatMap((bit) =>
    (mask >>> bit) & 1 ? [`bit ${bit}`] : [],
  );
}

function versionAt(value: Uint8Array, at: number): string {
  const version = value[at];
  return version === undefined ? UNREADABLE : `version ${version}`;
}
