/**
 * The names of blobs in other rows: applications, groups and contexts. A blob that one of them names must not be
 * deleted.
 */

import { isZeros } from "../bytes/bytes.js";
import { toHex } from "../bytes/hex.js";
import { append } from "../collections/lists.js";
import { registeredCode } from "../node/history/registered-code.js";
import { type NodeReader, rowsOf } from "../node/tables/rows.js";
import { checkArgument, isReader } from "../options.js";
import type { Schema } from "../schemas/index.js";
import type { StoreReader } from "../store/browser.js";

/** A row that names a blob. */
export interface BlobUse {
  /** The kind of row: `ApplicationMeta`, `GroupMeta`, … */
  readonly kind: string;
  /** The id of the application, group or context, 64 hex digits. */
  readonly id: string;
  /**
   * The role of the blob for the row: `code`, `compiled code`, `code of service NAME`, … Names may contain any
   * characters.
   */
  readonly role: string;
  /** Package of the application; undefined if it has none, or the row belongs to no application. */
  readonly package: string | undefined;
  /** Version of the application. */
  readonly version: string | undefined;
  /** Service of the application. */
  readonly service: string | undefined;
}

/** The uses of blobs by blob id, 64 hex digits. */
export type BlobUses = ReadonlyMap<string, readonly BlobUse[]>;

/**
 * Reads the blobs that applications, groups, contexts and their creating operations name. An application's own data may
 * contain ids of blobs too, which only the application knows.
 */
export async function readBlobUses(store: StoreReader<Schema>): Promise<BlobUses> {
  checkArgument("readBlobUses", store, isReader);
  const reader = store as unknown as NodeReader;
  const uses = new Map<string, BlobUse[]>();
  const add = (
    blob: Uint8Array,
    use: Omit<BlobUse, "package" | "version" | "service"> & Partial<BlobUse>,
  ) => {
    if (isZeros(blob)) return;
    append(uses, toHex(blob), { package: undefined, version: undefined, service: undefined, ...use });
  };
  /** Applications whose code the node has: the operations that registered their contexts no longer count. */
  const taken = new Set<string>();
  for await (const rows of rowsOf(reader, "ApplicationMeta"))
    for (const { key, value } of rows) {
      const use = {
        kind: "ApplicationMeta",
        id: toHex(key.applicationId),
        package: value.package || undefined,
        version: value.version || undefined,
      };
      const bytecode = toHex(value.bytecode);
      if (toHex(value.compiled) !== bytecode) taken.add(use.id);
      add(value.bytecode, { ...use, role: "code" });
      if (toHex(value.compiled) !== bytecode) add(value.compiled, { ...use, role: "compiled code" });
      for (const { name, bytecode, compiled } of value.services) {
        const service = name === "" ? "a service without a name" : `service ${name}`;
        add(bytecode, { ...use, role: `code of ${service}`, service: name });
        add(compiled, { ...use, role: `compiled code of ${service}`, service: name });
      }
    }
  for await (const rows of rowsOf(reader, "ApplicationPreviousBlob"))
    for (const { key, value } of rows)
      add(value.bytecode, {
        kind: "ApplicationPreviousBlob",
        id: toHex(key.applicationId),
        role: "code before the upgrade",
      });
  for await (const rows of rowsOf(reader, "GroupMeta"))
    for (const { key, value } of rows)
      add(value.appKey, { kind: "GroupMeta", id: toHex(key.groupId), role: "code of the group" });
  for await (const rows of rowsOf(reader, "GroupUpgradeLadder"))
    for (const { key, value } of rows)
      for (const { appKey } of value.rungs)
        add(appKey, { kind: "GroupUpgradeLadder", id: toHex(key.groupId), role: "code of a version" });
  for (const kind of ["ContextExecutingBlob", "ContextActivatedBlob"] as const)
    for await (const rows of rowsOf(reader, kind))
      for (const { key, value } of rows)
        add(value.blob, {
          kind,
          id: toHex(key.contextId),
          role: kind === "ContextExecutingBlob" ? "code that runs" : "code that was activated",
        });
  for await (const { kind, contextId, applicationId, blobId } of registeredCode(reader)) {
    const [id, blob] = [toHex(contextId), toHex(blobId)];
    const isKnown = uses.get(blob)?.some((use) => use.id === id) === true;
    if (isKnown || taken.has(toHex(applicationId))) continue;
    add(blobId, { kind, id, role: "code that the context was made with" });
  }
  return uses;
}
