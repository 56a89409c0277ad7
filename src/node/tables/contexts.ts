/** All contexts of a database, read once. */
import { toHex } from "../../bytes/hex.js";
import { allRowsOf, mapOf, type NodeReader } from "./rows.js";
import { unreadOf } from "./unread.js";

/** The rows of a context that are one for each context. Ids are 64 hex digits. */
export interface ContextRecord {
  readonly id: string;
  /** True if this node's row of the context cannot be read. */
  readonly isUnread: boolean;
  /** The application that the context runs; undefined for a context that this node never joined, and if unread. */
  readonly application: string | undefined;
  /** Full hash of the state's root entity; undefined for a context that this node never joined, and if unread. */
  readonly rootHash: string | undefined;
  /** Ids of the applied deltas that no applied delta follows. */
  readonly heads: readonly string[];
  /** The group of the context. */
  readonly group: string | undefined;
  /** The service of a bundle that the context runs. */
  readonly service: string | undefined;
  /** The name that its group gives it. */
  readonly name: string | undefined;
}

/** Reads the contexts by id: contexts that this node joined, and contexts in its groups. */
export async function readContexts(reader: NodeReader): Promise<ReadonlyMap<string, ContextRecord>> {
  const metas = new Map<string, Pick<ContextRecord, "application" | "rootHash" | "heads" | "service">>();
  const unread = new Set<string>();
  for await (const rows of allRowsOf(reader, "ContextMeta"))
    for (const { key, value } of rows)
      if (value === undefined) unread.add(toHex(key.contextId));
      else
        metas.set(toHex(key.contextId), {
          application: toHex(value.application),
          rootHash: toHex(value.rootHash),
          heads: value.dagHeads.map(toHex),
          service: "serviceName" in value ? (value.serviceName ?? undefined) : undefined,
        });
  const groups = await mapOf(reader, "ContextGroupRef", ["contextId"], toHex);
  const services = await mapOf(reader, "ContextServiceName", ["contextId"], ({ serviceName }) => serviceName);
  // Detaching a context leaves its name behind in core-0.10; the name in its own group counts.
  const inGroup = ["groupId", "contextId"] as const;
  const names = await mapOf(reader, "GroupContextAlias", inGroup, (value) => value as string | null);
  const records = await mapOf(reader, "GroupContextMetadata", inGroup, ({ name }) => name);
  const ids = [...new Set([...metas.keys(), ...unread, ...groups.keys()])].toSorted();
  return new Map(
    ids.map((id) => {
      const meta = metas.get(id);
      const group = groups.get(id);
      const named = group === undefined ? undefined : (records.get(group + id) ?? names.get(group + id));
      return [
        id,
        {
          id,
          isUnread: unread.has(id) || (meta === undefined && unreadOf(reader).isDamaged("Meta", id)),
          application: meta?.application,
          rootHash: meta?.rootHash,
          heads: meta?.heads ?? [],
          group,
          service: services.get(id) ?? meta?.service,
          name: named ?? undefined,
        },
      ];
    }),
  );
}
