/** The operations of a namespace, applied one after another as this node did. */
import { fromHex, toHex } from "../../bytes/hex.js";
import type { GroupOp, GroupOp010, RootOp, RootOp010 } from "../../payloads/index.js";
import { groupsOf } from "../sentences/root.js";
import type { OwnNode } from "../tables/own.js";
import { Pause } from "../tables/pause.js";
import { type NodeReader, rowsOf } from "../tables/rows.js";
import { type HashCheck, HashChecks } from "./hashes.js";
import { readHints } from "./hints.js";
import { NonceWindow } from "./nonces.js";
import { Operations, type ReplayOperation } from "./operations.js";
import { type LogRow, type Logs, readLogs } from "./pairing.js";
import { ReplayedRows, type RowObserver, UNKNOWN } from "./rows.js";
import { type Sequence, sequenceOf } from "./sequence.js";
import { applyGroupOp } from "./transitions/group.js";
import { applyGroupOp010 } from "./transitions/group-010.js";
import { applyRootOp } from "./transitions/root.js";
import { applyRootOp010, joinFirst } from "./transitions/root-010.js";
import type { Step } from "./transitions/step.js";

/** What a namespace's operations lead to. */
export interface Replay {
  readonly namespace: string;
  readonly operations: Operations;
  readonly logs: Logs;
  readonly sequence: Sequence;
  readonly rows: ReplayedRows;
  /** The groups that operations name, the namespace included. */
  readonly groups: ReadonlySet<string>;
  /** Groups that were deleted: their logs are gone, and with them what they say. */
  readonly deleted: ReadonlySet<string>;
  /** Whether this node was removed as an attested machine, which deletes what it has of the namespace. */
  readonly isPurged: boolean;
  /** Hashes of a group's state that operations assert. */
  readonly hashes: readonly HashCheck[];
  readonly own: OwnNode;
}

/** Options of a replay. */
export interface ReplayOptions {
  /** Stops after the operation with this id. */
  readonly until?: string;
  /** Which order of concurrent operations: 0 takes the least first, 1 the greatest, any other number mixes them. */
  readonly turn?: number;
  /** Called for each row that an operation sets or removes. */
  readonly observer?: RowObserver;
}

/** Replays a namespace. Keeps its operations, packed, and the rows that they make. */
export async function replay(
  reader: NodeReader,
  own: OwnNode,
  namespace: string,
  { until, turn, observer }: ReplayOptions = {},
): Promise<Replay> {
  const isOwn = (signer: string): boolean => own.publicKeys.has(signer);
  const operations = await Operations.read(reader, namespace, own);
  const groups = await groupsNamed(operations, namespace);
  const logs = await readLogs(reader, operations, groups, isOwn);
  const sequence = sequenceOf(operations, logs, isOwn, turn);
  const { order } = sequence;
  const hints = await readHints(reader, operations, { namespace, groups, order, isOwn });
  const rows = new ReplayedRows(observer);
  const scene = { rows, namespace, own, hints, accounts: new Map<string, string>() };
  const run: Run = {
    operations,
    scene,
    isOwn,
    logRows: new Map([...logs.values()].flat().map((row) => [row.operation, row])),
    windows: new Map(),
    lastNonces: operations.accounts ? new Map() : await lastNonces(reader, groups),
    hashes: await HashChecks.make(reader, operations, rows),
    deleted: new Set(),
    isPurged: false,
    accepted: 0n,
  };
  const last = until === undefined ? undefined : operations.numberOf(until);
  const pause = new Pause();
  begin(run, order);
  for (const operation of order) {
    await pause.ifLong();
    take(run, operation);
    if (operation.number === last) break;
  }
  const { deleted, isPurged } = run;
  const hashes = run.hashes.done();
  return { namespace, operations, logs, sequence, rows, groups, deleted, isPurged, hashes, own };
}

interface Run {
  readonly operations: Operations;
  readonly scene: Pick<Step, "rows" | "namespace" | "own" | "hints" | "accounts">;
  readonly isOwn: (signer: string) => boolean;
  readonly logRows: ReadonlyMap<ReplayOperation, LogRow>;
  /** By group and signer. */
  readonly windows: Map<string, NonceWindow>;
  /** Before core-0.11, the stored nonces by group and signer: an operation beyond them was not applied. */
  readonly lastNonces: ReadonlyMap<string, bigint>;
  readonly hashes: HashChecks;
  readonly deleted: Set<string>;
  isPurged: boolean;
  /** How many operations of the namespace have been taken. */
  accepted: bigint;
}

/** Applies an operation if this node did, and keeps account of nonces, keys and hashes. */
function take(run: Run, operation: ReplayOperation): void {
  const { operations, scene } = run;
  const { rows, namespace } = scene;
  const { signer, group = namespace, state } = operation;
  rows.cause = operation;
  if (state !== "local") run.accepted++;
  const step = stepOf(run, operation);
  if (operation.body === undefined) return;
  if (state === "root") {
    const op = operations.rootOp(operation);
    // Before core-0.11 it leaves the logs.
    if (op.kind === "GroupDeleted" && operations.accounts) for (const id of groupsOf(op)) run.deleted.add(id);
    if (operations.accounts) applyRootOp(op as RootOp, step);
    else applyRootOp010(op as RootOp010, step);
    return;
  }
  const op = operations.groupOp(operation);
  if (!isApplied(run, operation, group)) {
    // Its rows went before it could be logged.
    if (op.kind === "MemberRemoved" && group === namespace && toHex(op.member) === scene.own.account)
      run.isPurged = true;
    return;
  }
  const row = run.logRows.get(operation);
  run.hashes.before(group, op, row, operation);
  if (op.kind === "GroupDelete") run.deleted.add(group);
  if (operations.accounts) applyGroupOp(op as GroupOp, step);
  else applyGroupOp010(op as GroupOp010, step);
  run.hashes.after(group, op, operation);
  useNonce(run, group, signer, row?.nonce ?? operation.nonce);
  const { rotation } = operation;
  if (rotation !== undefined && (step.isOwn || rotation.envelope !== undefined))
    rows.set("GroupKeyEntry", [group, rotation.keyId], {
      groupKey: UNKNOWN,
      createdAt: UNKNOWN,
      epoch: !operations.accounts ? UNKNOWN : step.isOwn ? operation.nonce : run.accepted,
      insertionSeq: UNKNOWN,
    });
}

/** Whether this node applied an operation on a group: it logged it. Before core-0.11, others' are not logged. */
function isApplied(
  { operations, isOwn, windows, lastNonces }: Run,
  operation: ReplayOperation,
  group: string,
): boolean {
  if (operation.logged !== undefined) return true;
  if (operations.accounts || isOwn(operation.signer)) return false;
  const id = group + operation.signer;
  const used = windows.get(id)?.last ?? 0n;
  return operation.nonce > used && operation.nonce <= (lastNonces.get(id) ?? 0n);
}

function useNonce(
  { operations, scene: { rows }, windows }: Run,
  group: string,
  signer: string,
  nonce: bigint,
): void {
  const id = group + signer;
  const window = windows.get(id) ?? new NonceWindow();
  windows.set(id, window);
  window.add(nonce);
  if (operations.accounts) rows.set("GroupLocalGovNonceWindow", [group, signer], window);
  else rows.set("GroupLocalGovNonce", [group, signer], window.last);
}

/** Makes the rows that are there before the first operation. */
function begin(run: Run, order: readonly ReplayOperation[]): void {
  const { operations, scene, isOwn } = run;
  const { rows, namespace } = scene;
  const first = order[0];
  if (first === undefined) return;
  rows.cause = first;
  if (operations.accounts) {
    rows.set("NamespaceParticipation", [namespace], { reserved: 0 });
    return;
  }
  rows.set("NamespaceIdentity", [namespace], UNKNOWN);
  for (const operation of order) {
    if (operation.state !== "root" || !isOwn(operation.signer)) continue;
    const op = operations.rootOp(operation) as RootOp010;
    if (op.kind !== "MemberJoined") continue;
    rows.cause = operation;
    joinFirst(op, stepOf(run, operation));
  }
}

function stepOf(
  { operations, scene, isOwn }: Run,
  { signer, group = scene.namespace }: ReplayOperation,
): Step {
  const actor = operations.accounts ? (scene.accounts.get(signer) ?? signer) : signer;
  return { ...scene, group, signer, isOwn: isOwn(signer), actor };
}

/** The groups that the operations of a namespace name. */
async function groupsNamed(operations: Operations, namespace: string): Promise<ReadonlySet<string>> {
  const groups = new Set([namespace]);
  const pause = new Pause();
  for (const operation of operations.list) {
    if (operation === undefined) continue;
    await pause.ifLong();
    if (operation.group !== undefined) groups.add(operation.group);
    else if (operation.state === "root")
      for (const group of groupsOf(operations.rootOp(operation))) groups.add(group);
  }
  return groups;
}

async function lastNonces(
  reader: NodeReader,
  groups: ReadonlySet<string>,
): Promise<ReadonlyMap<string, bigint>> {
  const nonces = new Map<string, bigint>();
  for (const group of groups)
    for await (const rows of rowsOf(reader, "GroupLocalGovNonce", { groupId: fromHex(group) }))
      for (const { key, value } of rows) nonces.set(group + toHex(key.signer), value);
  return nonces;
}
