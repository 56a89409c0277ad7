/** The operations of a namespace as one node has them, and which of them set or removed each row. */
import { fromHex, toHex } from "../../bytes/hex.js";
import { firstNotBefore } from "../../bytes/search.js";
import { GroupOpLog } from "../../keys/index.js";
import { firstValue } from "../tables/rows.js";
import type { RowFact } from "./fact.js";
import { nameOf as operationName, rowFacts } from "./facts.js";
import type { ReplayOperation } from "./operations.js";
import { prepare } from "./prepared.js";
import { type Replay, replay } from "./replay.js";
import type { Cause } from "./rows.js";
import type { Sources } from "./sources.js";

/** An operation of a namespace's log. */
export interface GovernedOperation {
  /** Its id, 64 hex digits. */
  readonly id: string;
  /** The group that it changes, 64 hex digits; the namespace if it changes the namespace as a whole. */
  readonly group: string;
  /** False if the node lacks its key, or has only its skeleton. */
  readonly isReadable: boolean;
  /** Id of the group key that it brings, 64 hex digits; undefined if it brings no key. */
  readonly newKey: string | undefined;
}

/** A namespace's operations and the rows that follow from them. */
export interface Governance {
  /** The operations by their ids, in the order in which the node applied them. */
  readonly operations: ReadonlyMap<string, GovernedOperation>;
  /** The ids of operations that other operations or the heads of the log name, and that the log does not have. */
  readonly lost: ReadonlySet<string>;
  /** The groups that operations name, the namespace included. */
  readonly groups: ReadonlySet<string>;
  /** The ids of the operations that an operation follows. */
  parentsOf(id: string): readonly string[];
  /**
   * The id of the operation that set or removed a row last; undefined if no operation did.
   *
   * @param ids the ids in the key of the row, in their order
   */
  lastChange(kind: string, ids: readonly string[]): string | undefined;
  /** The facts about rows that differ from the operations, by their keys in hex. */
  readonly facts: ReadonlyMap<string, RowFact>;
  /** The fact that the signature in a row of a group's own log is wrong; undefined if another node signed its operation. */
  ifUnsigned(key: GroupOpLog): RowFact | undefined;
}

/** Replays the operations of a namespace. Memory grows with them and with the rows that they set. */
export async function readGovernance(sources: Sources, namespace: string): Promise<Governance> {
  const causes = new Map<string, Cause>();
  const nameOf = (kind: string, ids: readonly string[]): string => `${kind} ${ids.join(" ")}`;
  const run = await replay(await prepare(sources, namespace), {
    observer: (kind, ids, cause) => void causes.set(nameOf(kind, ids), cause),
  });
  const { list } = run.operations;
  const operations = new Map<string, GovernedOperation>();
  const heads = await firstValue(sources.reader, "NamespaceGovHead", { namespaceId: fromHex(namespace) });
  const named = new Set(heads?.dagHeads.map(toHex));
  for (const operation of list)
    for (const parent of run.operations.parentsOf(operation))
      if (list[parent] === undefined) named.add(run.operations.id(parent));
  for (const { state, number, group = namespace, body, rotation } of run.sequence.order) {
    if (state === "local") continue;
    const id = run.operations.id(number);
    operations.set(id, { id, group, isReadable: body !== undefined, newKey: rotation?.keyId });
  }
  const facts = new Map<string, RowFact>();
  for await (const fact of rowFacts(sources.reader, run))
    if (fact.fact === "row" && fact.status !== "proven") facts.set(toHex(fact.key.bytes), fact);
  for (const fact of logFacts(run)) facts.set(toHex(fact.key.bytes), fact);
  return {
    operations,
    lost: new Set([...named].filter((id) => !operations.has(id))),
    groups: run.groups,
    facts,
    ifUnsigned(key) {
      const log = run.logs.get(toHex(key.groupId)) ?? [];
      const operation = log[firstNotBefore(log.length, (at) => (log[at]?.logged ?? 0n) < key.sequence)];
      if (operation?.logged !== key.sequence || !run.own.publicKeys.has(operation.signer)) return undefined;
      return logFact(run, key, operation, ["signature"]);
    },
    parentsOf(id) {
      const operation = list[run.operations.numberOf(id) ?? -1];
      return [...run.operations.parentsOf(operation)].map((parent) => run.operations.id(parent));
    },
    lastChange(kind, ids) {
      const cause = causes.get(nameOf(kind, ids));
      return cause === undefined || typeof cause === "string" || cause.state === "local"
        ? undefined
        : run.operations.id(cause.number);
    },
  };
}

/**
 * The wrong rows of groups' own logs: rows with another operation than the signed one, and rows with operations that
 * other signers made and nobody sent.
 */
function* logFacts(run: Replay): Generator<RowFact, void, undefined> {
  const { logs, own, operations } = run;
  for (const [group, log] of logs)
    for (const operation of log) {
      const { logRow, logged: sequence, state, signer } = operation;
      const forged = logRow?.forged ?? [];
      const isUnsent = operations.accounts && state === "local" && !own.publicKeys.has(signer);
      if (sequence === undefined || !(forged.length > 0 || isUnsent)) continue;
      const key = new GroupOpLog({ groupId: fromHex(group), sequence });
      yield logFact(run, key, isUnsent ? undefined : operation, forged);
    }
}

/** The fact that a row of a group's own log is wrong. */
function logFact(
  run: Replay,
  key: GroupOpLog,
  operation: ReplayOperation | undefined,
  fields: readonly string[],
): RowFact {
  return {
    fact: "row",
    kind: "GroupOpLog",
    key,
    group: toHex(key.groupId),
    status: operation === undefined ? "without operation" : "differs",
    operation: operation && operationName(run, operation),
    writer: undefined,
    fields,
    unreadable: 0,
  };
}
