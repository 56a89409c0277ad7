/** The history of a member of a group: the operations that set its rows. */
import type { NamespaceLog } from "../history/namespace-log.js";
import type { Operation } from "../history/operation.js";
import type { KindName, NodeReader } from "../tables/rows.js";
import { nameOf, namespacesWithOperations } from "./facts.js";
import { prepare } from "./prepared.js";
import { type Replay, replay } from "./replay.js";
import type { Cause, ReplayedKind, RowObserver } from "./rows.js";
import { readSources } from "./sources.js";
import { WRITERS } from "./writers.js";

/** Something that changed the rows of a member. */
export interface MemberChange {
  /**
   * The operation; undefined if this node did it without an operation, or only the group's own log has the operation.
   */
  readonly operation: Operation | undefined;
  /** The cause in words, if `operation` is undefined. */
  readonly cause: string | undefined;
  /** The kinds of rows that it set. */
  readonly set: readonly KindName[];
  /** The kinds of rows that it removed. */
  readonly removed: readonly KindName[];
}

/** The operations that changed the rows of a member in a group, and of its account in the namespace. Oldest first. */
export async function explainMember(
  reader: NodeReader,
  log: NamespaceLog,
  {
    namespace,
    group,
    member,
  }: { readonly namespace: string; readonly group: string; readonly member: string },
): Promise<readonly MemberChange[]> {
  const touched = new Map<Cause, { readonly set: Set<ReplayedKind>; readonly removed: Set<ReplayedKind> }>();
  const observer = (kind: ReplayedKind, ids: readonly string[], cause: Cause, isThere: boolean): void => {
    const isOfMember = ids[0] === group && ids.includes(member, 1);
    const isOfAccount = ids[0] === namespace && ids[1] === member && ACCOUNT.includes(kind);
    if (!isOfMember && !isOfAccount) return;
    const one = touched.get(cause) ?? { set: new Set(), removed: new Set() };
    touched.set(cause, one);
    one[isThere ? "set" : "removed"].add(kind);
  };
  const run = await replay(await prepare(await readSources(reader), namespace), { observer });
  const explanations: MemberChange[] = [];
  for (const [cause, { set, removed }] of touched) {
    const operation = await operationOf(run, log, cause);
    explanations.push({
      operation,
      cause: operation === undefined ? inWords(run, cause) : undefined,
      set: [...set],
      removed: [...removed],
    });
  }
  return explanations;
}

async function operationOf(run: Replay, log: NamespaceLog, cause: Cause): Promise<Operation | undefined> {
  const isSent = typeof cause !== "string" && cause.state !== "local";
  return isSent ? log.operation(run.operations.id(cause.number)) : undefined;
}

/** The groups that a member left, or was removed from, each with the operation; undefined if it was never sent. */
export async function departuresOf(
  reader: NodeReader,
  logOf: (namespace: string) => Promise<NamespaceLog>,
  member: string,
): Promise<ReadonlyMap<string, Operation | undefined>> {
  const departures = new Map<string, Operation | undefined>();
  const sources = await readSources(reader);
  for (const namespace of await namespacesWithOperations(reader)) {
    const left = new Map<string, Cause>();
    const observer: RowObserver = (kind, [group = "", id], cause, isThere) => {
      if (kind !== "GroupMember" || id !== member) return;
      if (isThere) left.delete(group);
      else left.set(group, cause);
    };
    const run = await replay(await prepare(sources, namespace), { observer });
    const log = await logOf(namespace);
    for (const [group, cause] of left) departures.set(group, await operationOf(run, log, cause));
  }
  return departures;
}

/** Rows of an account in the namespace that identify it and decide whether it may act. */
const ACCOUNT: readonly ReplayedKind[] = [
  "GroupAccountKey",
  "GroupAccountEndorser",
  "GroupInheritedDeniedMember",
];

function inWords(run: Replay, cause: Cause): string {
  if (typeof cause === "string") return WRITERS[cause];
  const { kind = "an operation", logged } = nameOf(run, cause) ?? {};
  return `${kind}, number ${logged} of the group's own log, which was never sent to other nodes`;
}

/** The nonces that a signer has used. They are no facts about the member. */
const NONCES: ReadonlySet<string> = new Set(["GroupLocalGovNonce", "GroupLocalGovNonceWindow"]);

/** The explanations without nonces. Explanations that name no other row are left out. */
export function withoutNonces(explanations: readonly MemberChange[]): readonly MemberChange[] {
  return explanations
    .map((one) => ({
      ...one,
      set: one.set.filter((kind) => !NONCES.has(kind)),
      removed: one.removed.filter((kind) => !NONCES.has(kind)),
    }))
    .filter(({ set, removed }) => set.length + removed.length > 0);
}
