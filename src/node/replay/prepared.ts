/** The operations of a namespace, read and paired: ready to be applied in one order or another. */
import { signalOf } from "../../engine/abortable.js";
import type { OwnNode } from "../tables/own.js";
import { unreadOf } from "../tables/unread.js";
import { readStoredHints, type StoredHints } from "./hints.js";
import { Operations } from "./operations.js";
import { type Logs, readLogs } from "./pairing.js";
import { CheckedSignatures } from "./signatures.js";
import type { Sources } from "./sources.js";

/** A namespace whose operations are read. */
export interface Prepared {
  readonly namespace: string;
  readonly own: OwnNode;
  readonly applications: readonly Uint8Array[];
  readonly operations: Operations;
  readonly logs: Logs;
  /** The groups that operations name, the namespace included. */
  readonly groups: ReadonlySet<string>;
  /** The number of operations on each group that cannot be read. */
  readonly unreadable: ReadonlyMap<string, number>;
  readonly hints: StoredHints;
  readonly signatures: CheckedSignatures;
  /** Ends the replays. */
  readonly signal: AbortSignal | undefined;
}

/** Reads the operations of a namespace. */
export async function prepare(sources: Sources, namespace: string): Promise<Prepared> {
  const { own, applications } = sources;
  const { operations, signatures } = await Operations.read(sources, namespace);
  const { groups } = operations;
  const logs = await readLogs(sources, operations, signatures);
  const unreadable = new Map<string, number>();
  for (const operation of operations.list)
    if (operation !== undefined && operation.body === undefined) {
      const group = operation.group ?? namespace;
      unreadable.set(group, (unreadable.get(group) ?? 0) + 1);
    }
  const unread = unreadOf(sources.reader).rows.find(({ kind }) => kind === "NamespaceGovOp");
  // Each of them may change any group. Rows without a kept key may belong to any namespace.
  const known = [...(unread?.keys ?? [])].filter((key) => key.startsWith(namespace, 2)).length;
  const ofNamespace = unread?.hasMore ? Math.max(known, 1) : known;
  if (ofNamespace > 0) unreadable.set(namespace, (unreadable.get(namespace) ?? 0) + ofNamespace);
  const hints = await readStoredHints(sources, groups);
  return {
    ...{ namespace, own, applications, operations, logs, groups, unreadable, hints },
    signatures: new CheckedSignatures(),
    signal: signalOf(sources.reader.raw),
  };
}
