/** The rows of groups as they were after an operation. */
import { toHex } from "../../bytes/hex.js";
import { EncodeError, type Shape } from "../../codec/index.js";
import { MerostoreError } from "../../errors.js";
import type { AnyKey } from "../../keys/index.js";
import type { Schema } from "../../schemas/index.js";
import type { StoreReader } from "../../store/browser.js";
import { hasKind, type NodeReader, readerWith, rowsAt, rowsOf } from "../tables/rows.js";
import { inheritLeftOut } from "../tables/unread.js";
import { GROUP_KINDS } from "./kinds.js";
import { prepare } from "./prepared.js";
import { type Replay, replay } from "./replay.js";
import { type ReplayedKind, type ReplayedRow, type ReplayedRows, UNKNOWN } from "./rows.js";
import type { Sequence } from "./sequence.js";
import { readSources } from "./sources.js";
import { codecOf, idsOf, keyOf, partsOf, storedRows } from "./stored.js";

/** Kinds of rows that stay as they are now: secrets, and rows that this node keeps for itself. */
const KEPT: ReadonlySet<ReplayedKind> = new Set([
  "GroupUpgradeKey",
  "GroupKeyEntry",
  "NamespaceIdentity",
  "GroupLocalGovNonce",
  "GroupLocalGovNonceWindow",
]);

/** Kinds of rows with names. A name may also exist on this node alone. */
const NAMES: readonly ReplayedKind[] = ["GroupMetadata", "GroupAlias"];

/** Changes over a store, which are never committed. */
interface PastStore extends StoreReader<Schema> {
  put(key: AnyKey, value: unknown): void;
  delete(key: AnyKey): void;
}

/**
 * The present rows, with the rows of a namespace's groups replaced: by the rows right after an operation, or by the
 * rows that the operations of a list alone make.
 */
export async function rowsAfter(
  reader: NodeReader,
  namespace: string,
  made: string | readonly string[],
  signal: AbortSignal | undefined,
): Promise<StoreReader<Schema>> {
  if (!("overlay" in reader))
    throw new MerostoreError("INVALID_ARGUMENT", "this takes a store or a snapshot of one");
  const past = (reader as unknown as { overlay(): unknown }).overlay() as PastStore;
  const read = readerWith(reader, signal);
  const prepared = await prepare(await readSources(read), namespace);
  const whole = await replay(prepared);
  const { rows: today } = whole;
  const { rows, groups } = await replay(
    prepared,
    typeof made === "string" ? { until: made } : { whole, sequence: sequenceOfMade(whole, new Set(made)) },
  );
  for (const kind of GROUP_KINDS.filter((one) => !KEPT.has(one)))
    for await (const stored of storedRows(read, kind, groups))
      for (const row of stored) {
        const ids = idsOf(row).map(toHex);
        const isLocalName =
          NAMES.includes(kind) && rows.has("GroupMeta", ids[0] as string) && !today.isTouched(kind, ids);
        if (!isLocalName) past.delete(row.key as AnyKey);
      }
  for await (const refs of rowsOf(read, "ContextGroupRef"))
    for (const { key, value } of refs) if (groups.has(toHex(value))) past.delete(key as AnyKey);
  for (const row of rows.all())
    if (!KEPT.has(row.kind) && hasKind(reader, row.kind))
      put(past, keyOf(reader, row), await wholeValue(reader, row, today));
  inheritLeftOut(past, reader);
  return past;
}

/**
 * The order of the operations in `made`. An operation that other nodes do not know stays if the operation before it
 * does.
 */
function sequenceOfMade({ sequence, operations }: Replay, made: ReadonlySet<string>): Sequence {
  let isMade = true;
  const order = sequence.order.filter(({ number, state }) => {
    if (state !== "local") isMade = made.has(toHex(operations.idBytes(number)));
    return isMade;
  });
  return { ...sequence, order };
}

function put(past: PastStore, key: AnyKey, value: unknown): void {
  try {
    past.put(key, value);
  } catch (error) {
    if (!(error instanceof EncodeError)) throw error;
    const { KIND } = key.constructor as unknown as { readonly KIND: string };
    throw new MerostoreError(
      "REVISION_UNKNOWN",
      `the ${KIND} rows of this database are of another revision than its operations, so that their past is unknown`,
    );
  }
}

/**
 * Fills the fields that no operation sets: with the present row's values, or, if those are newer, with the defaults
 * that nodes write.
 */
async function wholeValue(reader: NodeReader, row: ReplayedRow, today: ReplayedRows): Promise<unknown> {
  const { kind, ids, value } = row;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  const fields = Object.entries(value as Readonly<Record<string, unknown>>);
  // Rows of a newer revision have fields that no operation sets.
  for (const name of namesOf(codecOf(reader, kind).shape))
    if (!(name in value) && name in NOBODY_KNOWS) fields.push([name, UNKNOWN]);
  if (fields.every(([, field]) => field !== UNKNOWN)) return value;
  const [stored] = await rowsAt(reader, kind, [partsOf(reader, { kind, ids })]);
  const now = (stored?.value ?? {}) as Readonly<Record<string, unknown>>;
  const last = today.row(kind, ids);
  const isStill = (name: string): boolean =>
    last !== undefined &&
    (last.cause === row.cause || WRITTEN_ONCE.has(name)) &&
    (last.value as Readonly<Record<string, unknown>>)[name] === UNKNOWN;
  return Object.fromEntries(
    fields.map(([name, field]) => {
      if (field !== UNKNOWN) return [name, field];
      return [name, (isStill(name) ? now[name] : undefined) ?? NOBODY_KNOWS[name]];
    }),
  );
}

/** The names of the fields of a value; empty for a value without fields. */
function namesOf(shape: Shape | undefined): readonly string[] {
  return shape?.is === "struct" ? shape.fields.map(([name]) => name) : [];
}

/** Fields of GroupMeta that stay as they are while operations change others. */
const WRITTEN_ONCE: ReadonlySet<string> = new Set([
  "appKey",
  "targetApplicationId",
  "createdAt",
  "autoJoin",
  "upgradePolicy",
]);

/** The values that nodes write for fields that they do not know. */
const NOBODY_KNOWS: Readonly<Record<string, unknown>> = {
  appKey: new Uint8Array(32),
  targetApplicationId: new Uint8Array(32),
  createdAt: 0n,
  updatedAt: 0n,
  autoJoin: false,
  upgradePolicy: { kind: "LazyOnAccess" },
  scopeEpoch: 0,
};
