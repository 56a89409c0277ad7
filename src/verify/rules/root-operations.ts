/** Operations on namespaces of core-1.0: plain ones, and sealed ones whose key is there. */
import type { NamespaceGovOp } from "../../keys/index.js";
import {
  type AdmitterEndorsement,
  type KeyEnvelope,
  type NamespaceOp,
  readableRootOp,
  SignedNamespaceOp,
} from "../../payloads/index.js";
import type { Core10, ValueFor } from "../../schemas/index.js";
import type { GoodRow } from "../rule.js";
import type { Tools } from "../tools.js";
import { decryptAll, type Encrypted } from "./encrypted-operations.js";
import { operationsIn } from "./signed-operations.js";

/** The parts of a signed operation on a namespace that have proofs. */
export interface RootOperation {
  readonly key: NamespaceGovOp;
  /** The operation on the namespace; undefined for one on a group. */
  readonly op: ReturnType<typeof readableRootOp.decode> | undefined;
  /** For an operation on a group that changes its key, the new key for each recipient. */
  readonly group: { readonly groupId: Uint8Array; readonly envelopes: readonly KeyEnvelope[] } | undefined;
  /** The signed operation that a relay passed on. */
  readonly relayed: SignedNamespaceOp | undefined;
  readonly endorsement: AdmitterEndorsement | null;
}

type Row = GoodRow<NamespaceGovOp, ValueFor<Core10, NamespaceGovOp>>;
type Sealed = Exclude<Extract<NamespaceOp, { readonly encrypted: unknown }>["kind"], "Group">;

/** The operations in rows that can be read. */
export async function rootOperations(
  rows: readonly Row[],
  tools: Tools<Core10>,
): Promise<readonly RootOperation[]> {
  const found: RootOperation[] = [];
  const sealed: Record<Sealed, Encrypted[]> = { RootSealed: [], RootSealedForGroup: [], RootRelaySealed: [] };
  for (const { key, operation } of operationsIn(rows)) {
    const { op } = operation;
    if (op.kind === "Root") found.push(inClear(key, operation));
    else if (op.kind !== "Group")
      sealed[op.kind].push({ key, ...op, groupId: "groupId" in op ? op.groupId : key.namespaceId });
    else if (op.keyRotation !== null) {
      const group = { groupId: op.groupId, envelopes: op.keyRotation.envelopes };
      found.push({ key, op: undefined, group, relayed: undefined, endorsement: null });
    }
  }
  const own = [...sealed.RootSealed, ...sealed.RootSealedForGroup];
  const plain = { group: undefined, relayed: undefined, endorsement: null };
  for (const [at, { op }] of (await decryptAll(own, tools, readableRootOp)).entries())
    if (op !== undefined) found.push({ ...plain, key: (own[at] as Encrypted).key, op });
  for (const [at, { op }] of (await decryptAll(sealed.RootRelaySealed, tools, SignedNamespaceOp)).entries())
    if (op !== undefined)
      found.push({ ...inClear((sealed.RootRelaySealed[at] as Encrypted).key, op), relayed: op });
  return found;
}

function inClear(key: NamespaceGovOp, signed: SignedNamespaceOp): RootOperation {
  return {
    key,
    op: signed.op.kind === "Root" ? signed.op.value : undefined,
    group: undefined,
    relayed: undefined,
    endorsement: "admitterEndorsement" in signed ? signed.admitterEndorsement : null,
  };
}
