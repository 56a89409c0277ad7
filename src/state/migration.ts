/** The version of its application that each context runs, and the reason if it is behind. */
import { fromHex, toHex } from "../bytes/hex.js";
import { isMerostoreError, orUndefined } from "../errors.js";
import { readContexts } from "../node/tables/contexts.js";
import { readGroups } from "../node/tables/groups.js";
import { areThere, firstValue, hasKind, type NodeReader, rowsOf } from "../node/tables/rows.js";
import { checkArgument, isReader } from "../options.js";
import { Pause } from "../pause.js";
import type { Schema } from "../schemas/index.js";
import type { StoreReader } from "../store/browser.js";
import { EntityRows } from "./entity-rows.js";
import { layoutOf } from "./layouts/layout-of.js";
import { contextCode } from "./manifest/find.js";

/** The version of its application that a context runs, and the version that it should run. Ids are 64 hex digits. */
export interface ContextMigration {
  /** The context. */
  readonly context: string;
  /** The group of the context; undefined if no row names one. */
  readonly group: string | undefined;
  /**
   * The application that it should run: the application of its group, else its own; undefined if this node never
   * joined.
   */
  readonly application: string | undefined;
  /** True if the row that the node keeps of the context does not decode. */
  readonly isUnread: boolean;
  /** The blob of the code that it runs; undefined if no row names it. */
  readonly code: string | undefined;
  /** The blob of the code that the node recorded last as executing; undefined if it recorded none. */
  readonly executing: string | undefined;
  /** The blob of the code that it should run; undefined if no row names it. */
  readonly wanted: string | undefined;
  /** True if both are known and differ. */
  readonly isBehind: boolean;
  /** The method that migrates the state; undefined if the upgrade has none. */
  readonly method: string | undefined;
  /**
   * The reason why a migration failed: `aborted` by its own check, or `not applied`; undefined if no migration failed.
   */
  readonly failed: "aborted" | "not applied" | undefined;
  /** True if the wanted code is not on this node. */
  readonly lacksCode: boolean;
  /** The number of deltas of a newer version that wait until the context runs it. */
  readonly waiting: number;
  /** The version of the state that the context activated; undefined without a migration. */
  readonly stateVersion: number | undefined;
  /** The version of the state that the application names; undefined if it is not known. */
  readonly applicationStateVersion: number | undefined;
  /** The version of the state after the last upgrade of the group; undefined without an upgrade. */
  readonly wantedStateVersion: number | undefined;
  /** The number of entities that live of each version of the schema; undefined stands for entities without one. */
  readonly entities: ReadonlyMap<number | undefined, number>;
}

/**
 * Reads which version of its application each context runs. Reads the whole state.
 *
 * @param reader a store or a snapshot
 */
export async function* contextMigrations(
  reader: StoreReader<Schema>,
): AsyncGenerator<ContextMigration, void, undefined> {
  checkArgument("contextMigrations", reader, isReader);
  const rows = reader as unknown as NodeReader;
  const groups = await readGroups(rows);
  // Before core-0.11 a context runs the code of its application, and the app key names something else.
  const hasOwnCode = hasKind(rows, "ContextActivatedBlob");
  for (const { id, isUnread, group, application } of (await readContexts(rows)).values()) {
    const contextId = fromHex(id);
    const meta = group === undefined ? undefined : groups.get(group)?.meta;
    const upgrade =
      group === undefined
        ? undefined
        : await firstValue(rows, "GroupUpgradeKey", { groupId: fromHex(group) });
    const target = known(meta?.application) ?? application;
    const ofTarget =
      target && (await firstValue(rows, "ApplicationMeta", { applicationId: fromHex(target) }));
    const wanted = (hasOwnCode ? known(meta?.appKey) : undefined) ?? (ofTarget && toHex(ofTarget.bytecode));
    const code = application === undefined ? undefined : await codeOf(reader, contextId);
    const failed = await firstValue(rows, "ContextMigrationFailed", { contextId });
    const executing = await firstValue(rows, "ContextExecutingBlob", { contextId });
    const activated = await firstValue(rows, "ContextActivatedStateVersion", { contextId });
    yield {
      context: id,
      group,
      application: target,
      isUnread,
      code,
      wanted,
      executing: executing && toHex(executing.blob),
      isBehind: code !== undefined && wanted !== undefined && code !== wanted,
      method: meta?.migration,
      failed: failed === undefined ? undefined : failed.kind === 1 ? "aborted" : "not applied",
      lacksCode:
        wanted !== undefined && !(await areThere(rows, "BlobMeta", [{ blobId: fromHex(wanted) }]))[0],
      waiting: await countWaiting(rows, contextId),
      stateVersion: activated?.stateVersion,
      applicationStateVersion:
        typeof ofTarget === "object" && "stateVersion" in ofTarget ? ofTarget.stateVersion : undefined,
      wantedStateVersion:
        upgrade !== undefined && "toStateVersion" in upgrade ? (upgrade.toStateVersion as number) : undefined,
      entities: await versionsOf(reader, contextId),
    };
  }
}

/** Zeros stand for an id that is not known. */
function known(id: string | undefined): string | undefined {
  return id === undefined || /^0*$/.test(id) ? undefined : id;
}

async function codeOf(reader: StoreReader<Schema>, contextId: Uint8Array): Promise<string | undefined> {
  try {
    return toHex((await contextCode(reader, contextId)).blob);
  } catch (error) {
    if (isMerostoreError(error, "ABI_NOT_FOUND")) return undefined;
    throw error;
  }
}

async function countWaiting(rows: NodeReader, contextId: Uint8Array): Promise<number> {
  if (!hasKind(rows, "AbsorbBufferKey")) return 0;
  let count = 0;
  for await (const some of rowsOf(rows, "AbsorbBufferKey", { contextId })) count += some.length;
  return count;
}

/** The versions of the schema of the entities that live. */
async function versionsOf(
  reader: StoreReader<Schema>,
  contextId: Uint8Array,
): Promise<ReadonlyMap<number | undefined, number>> {
  const versions = new Map<number | undefined, number>();
  const pause = new Pause();
  const layout = orUndefined(() => layoutOf(reader.schema));
  if (layout === undefined) return versions;
  for await (const rows of new EntityRows(reader.raw, contextId, layout).all()) {
    await pause.ifLong();
    for (const { metadata, deletedAt } of rows) {
      if (deletedAt !== null) continue;
      const version = ("schemaVersion" in metadata ? metadata.schemaVersion : undefined) ?? undefined;
      versions.set(version, (versions.get(version) ?? 0) + 1);
    }
  }
  return versions;
}
