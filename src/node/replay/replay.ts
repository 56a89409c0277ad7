/** The operations of a namespace, applied one after another as this node did. */
import { toHex } from "../../bytes/hex.js";
import { Pause } from "../../pause.js";
import type { GroupOp010, RootOp010 } from "../../payloads/index.js";
import { groupsOf } from "../sentences/root.js";
import type { OwnNode } from "../tables/own.js";
import { type HashCheck, HashChecks } from "./hashes.js";
import { type JoiningHints, joiningHints } from "./hints.js";
import { NonceWindow } from "./nonces.js";
import type { Operations, ReplayOperation } from "./operations.js";
import type { Prepared } from "./prepared.js";
import { ReplayedRows, type RowObserver, UNKNOWN } from "./rows.js";
import { type Sequence, sequenceOf } from "./sequence.js";
import type { Touches } from "./touches.js";
import { type AccountGroupOp, applyGroupOp } from "./transitions/group.js";
import { applyGroupOp010 } from "./transitions/group-010.js";
import { type AccountRootOp, applyRootOp } from "./transitions/root.js";
import { applyRootOp010, joinFirst } from "./transitions/root-010.js";
import type { Step } from "./transitions/step.js";

/** The result of a namespace's operations. */
export interface Replay extends Prepared {
  readonly sequence: Sequence;
  readonly rows: ReplayedRows;
  /** Groups that were deleted. Their logs and the content of the logs are gone. */
  readonly deleted: ReadonlySet<string>;
  /** True if this node was removed as an attested machine. It then deleted its rows of the namespace. */
  readonly isPurged: boolean;
  /** Hashes of a group's state that operations assert. */
  readonly hashes: readonly HashCheck[];
  /** The hints from this node's joining. */
  readonly joining: JoiningHints;
  /** Accounts by the public keys that their devices sign with, as the namespace knows them. */
  readonly accounts: ReadonlyMap<string, string>;
  /** Keys of applications that operations set, 64 hex digits each. */
  readonly appKeys: ReadonlySet<string>;
  /** Devices whose applications an operation named, 64 hex digits each. Their bindings are uncertain. */
  readonly scoped: ReadonlySet<string>;
}

/** Options of a replay. */
export interface ReplayOptions {
  /** Stops after the operation with this id. */
  readonly until?: string;
  /** The operations in their order. */
  readonly sequence?: Sequence;
  /** The hints from this node's joining. */
  readonly joining?: JoiningHints;
  /** The replay of all operations, if the order has only some of them. Hashes are then not checked. */
  readonly whole?: Replay;
  /** Called for each row that an operation sets or removes. */
  readonly observer?: RowObserver;
  /** Records the rows that each operation reads and writes. */
  readonly touches?: Touches;
}

/** Applies the operations of a namespace. */
export async function replay(prepared: Prepared, options: ReplayOptions = {}): Promise<Replay> {
  const { until, whole, observer, touches } = options;
  const { operations, namespace, hints, own, signatures } = prepared;
  const isOwn = (signer: string): boolean => own.publicKeys.has(signer);
  const sequence = options.sequence ?? sequenceOf(operations, prepared.logs, isOwn);
  const { order } = sequence;
  const rows = new ReplayedRows(observer, touches);
  const joining = options.joining ?? whole?.joining ?? joiningHints(prepared, order);
  const accounts = new Map(whole?.accounts);
  const appKeys = new Set(whole?.appKeys);
  const scoped = new Set(whole?.scoped);
  const run: Run = {
    operations,
    own,
    isOwn,
    scene: { rows, namespace, hints: { ...hints, ...joining }, accounts, appKeys, signatures, scoped },
    windows: new Map(),
    hashes: whole === undefined ? new HashChecks(prepared, rows) : undefined,
    touches,
    deleted: new Set(),
    isPurged: false,
    accepted: 0n,
  };
  const last = until === undefined ? undefined : operations.numberOf(until);
  const pause = new Pause(prepared.signal);
  begin(run, order);
  for (const operation of order) {
    if (pause.isLong) await pause.ifLong();
    take(run, operation);
    note(run, undefined);
    if (operation.number === last) break;
  }
  const { deleted, isPurged } = run;
  const hashes = run.hashes?.done() ?? [];
  return { ...prepared, sequence, rows, deleted, isPurged, hashes, joining, accounts, appKeys, scoped };
}

interface Run {
  readonly operations: Operations;
  readonly own: OwnNode;
  readonly isOwn: (signer: string) => boolean;
  readonly scene: Pick<
    Step,
    "rows" | "namespace" | "hints" | "accounts" | "appKeys" | "signatures" | "scoped"
  >;
  /** By group and signer. */
  readonly windows: Map<string, NonceWindow>;
  readonly hashes: HashChecks | undefined;
  readonly touches: Touches | undefined;
  readonly deleted: Set<string>;
  isPurged: boolean;
  /** The number of operations of the namespace that have been taken. */
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
    note(run, operation);
    // Before core-0.11 it leaves the logs.
    if (op.kind === "GroupDeleted" && operations.accounts) for (const id of groupsOf(op)) run.deleted.add(id);
    if (operations.accounts) applyRootOp(op as AccountRootOp, step);
    else applyRootOp010(op as RootOp010, step);
    return;
  }
  const op = operations.groupOp(operation);
  if (!isApplied(run, operation, group)) {
    // Its rows went before it could be logged.
    if (op.kind === "MemberRemoved" && group === namespace && toHex(op.member) === run.own.account)
      run.isPurged = true;
    return;
  }
  run.hashes?.before(group, op, operation);
  note(run, operation);
  if (op.kind === "GroupDelete") run.deleted.add(group);
  if (operations.accounts) applyGroupOp(op as AccountGroupOp, step);
  else applyGroupOp010(op as GroupOp010, step);
  note(run, undefined);
  run.hashes?.after(group, op, operation);
  useNonce(run, group, signer, operation.logRow?.nonce ?? operation.nonce);
  const { rotation } = operation;
  const isOwn = run.isOwn(operation.signer);
  if (rotation !== undefined && (isOwn || rotation.envelope !== undefined))
    rows.set("GroupKeyEntry", [group, rotation.keyId], {
      groupKey: UNKNOWN,
      createdAt: UNKNOWN,
      epoch: !operations.accounts ? UNKNOWN : isOwn ? operation.nonce : run.accepted,
      insertionSeq: UNKNOWN,
    });
}

/** Assigns all later reads and writes of rows to an operation. */
function note({ touches }: Run, operation: ReplayOperation | undefined): void {
  if (touches !== undefined) touches.operation = operation?.number;
}

/** Returns whether this node applied an operation on a group: it logged it. Before core-0.11, others' are not logged. */
function isApplied(
  { operations, isOwn, windows, scene: { hints } }: Run,
  operation: ReplayOperation,
  group: string,
): boolean {
  if (operation.logged !== undefined) return true;
  if (operations.accounts || isOwn(operation.signer)) return false;
  const { signer, nonce } = operation;
  return nonce > (windows.get(group + signer)?.last ?? 0n) && nonce <= hints.lastNonce(group, signer);
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
    if (operation.kind !== "MemberJoined" || !isOwn(operation.signer)) continue;
    rows.cause = operation;
    note(run, operation);
    joinFirst(operations.rootOp(operation) as MemberJoined010, stepOf(run, operation));
  }
}

function stepOf({ operations, scene, isOwn }: Run, operation: ReplayOperation): Step {
  const { author, group = scene.namespace } = operation;
  const signer = author ?? operation.signer;
  const actor = operations.accounts ? (scene.accounts.get(signer) ?? signer) : signer;
  // Field by field: a spread of the scene took a tenth of the time of replays in many orders.
  const { rows, namespace, hints, accounts, appKeys, signatures, scoped } = scene;
  const own = isOwn(signer);
  const isMadeHere = own || isOwn(operation.signer);
  const world = { accounts, appKeys, signatures, scoped };
  return { rows, namespace, group, signer, isOwn: own, isMadeHere, actor, hints, ...world };
}

type MemberJoined010 = Extract<RootOp010, { readonly kind: "MemberJoined" }>;
