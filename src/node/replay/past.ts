/** The rows of groups as they were after an operation. */
import { toHex } from "../../bytes/hex.js";
import { MerostoreError } from "../../errors.js";
import type { AnyKey } from "../../keys/index.js";
import type { Schema } from "../../schemas/index.js";
import type { StoreReader } from "../../store/browser.js";
import { hasKind, type NodeReader, rowsAt, rowsOf } from "../tables/rows.js";
import { GROUP_KINDS } from "./kinds.js";
import { prepare } from "./prepared.js";
import { replay } from "./replay.js";
import { type ReplayedKind, type ReplayedRow, UNKNOWN } from "./rows.js";
import { readSources } from "./sources.js";
import { idsOf, keyOf, partsOf, storedRows } from "./stored.js";

/** Kinds of rows that stay as they are now: secrets, and what this node keeps for itself. */
const KEPT: ReadonlySet<ReplayedKind> = new Set([
  "GroupUpgradeKey",
  "GroupKeyEntry",
  "NamespaceIdentity",
  "GroupLocalGovNonce",
  "GroupLocalGovNonceWindow",
]);

/** Names that are given on this node alone stay as they are. */
const LOCAL: readonly ReplayedKind[] = ["GroupMetadata", "GroupAlias"];

/** Changes over a store, which are never committed. */
interface Changes extends StoreReader<Schema> {
  put(key: AnyKey, value: unknown): void;
  delete(key: AnyKey): void;
}

/** The rows of a namespace's groups right after an operation, over all other rows as they are now. */
export async function rowsAfter(
  reader: NodeReader,
  namespace: string,
  operation: string,
): Promise<StoreReader<Schema>> {
  if (!("overlay" in reader))
    throw new MerostoreError("INVALID_ARGUMENT", "this takes a store or a snapshot of one");
  const past = (reader as unknown as { overlay(): unknown }).overlay() as Changes;
  const prepared = await prepare(await readSources(reader), namespace);
  const { rows, groups } = await replay(prepared, { until: operation });
  for (const kind of GROUP_KINDS.filter((one) => !KEPT.has(one)))
    for await (const row of storedRows(reader, kind, groups)) {
      const isLocal = LOCAL.includes(kind) && rows.has("GroupMeta", toHex(idsOf(row)[0] as Uint8Array));
      if (!isLocal) past.delete(row.key as AnyKey);
    }
  for await (const refs of rowsOf(reader, "ContextGroupRef"))
    for (const { key, value } of refs) if (groups.has(toHex(value))) past.delete(key as AnyKey);
  for (const row of rows.all())
    if (!KEPT.has(row.kind) && hasKind(reader, row.kind))
      past.put(keyOf(reader, row), await wholeValue(reader, row));
  return past;
}

/** A value with what no operation says as the row has it now, or as nobody knows it. */
async function wholeValue(reader: NodeReader, { kind, ids, value }: ReplayedRow): Promise<unknown> {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  const fields = Object.entries(value as Readonly<Record<string, unknown>>);
  if (fields.every(([, field]) => field !== UNKNOWN)) return value;
  const [row] = await rowsAt(reader, kind, [partsOf(reader, { kind, ids })]);
  const now = (row?.value ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fields.map(([name, field]) => [name, field === UNKNOWN ? (now[name] ?? NOBODY_KNOWS[name]) : field]),
  );
}

/** What nodes write for fields that they do not know. */
const NOBODY_KNOWS: Readonly<Record<string, unknown>> = {
  appKey: new Uint8Array(32),
  targetApplicationId: new Uint8Array(32),
  createdAt: 0n,
  updatedAt: 0n,
  autoJoin: false,
  upgradePolicy: { kind: "LazyOnAccess" },
};
