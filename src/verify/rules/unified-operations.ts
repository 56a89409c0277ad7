/** Operations in the unified form of core-0.11, compared with the operations of namespaces. */
import { isZeros } from "../../bytes/bytes.js";
import { concat } from "../../bytes/concat.js";
import { equalBytes } from "../../bytes/order.js";
import {
  GroupDeviceBinding,
  GroupRevokedDevice,
  NamespaceGovHead,
  NamespaceGovOp,
  NamespaceParticipation,
  ScopeUnifiedOp,
} from "../../keys/index.js";
import type {
  Op,
  Op011,
  SignedNamespaceOp,
  SignedNamespaceOp011,
  StoredNamespaceEntry,
  StoredNamespaceEntry011,
} from "../../payloads/index.js";
import { COMPARE } from "../advice.js";
import { onBatch, type Rule } from "../rule.js";
import { type Since011, since011 } from "../since.js";
import type { Tools } from "../tools.js";

/**
 * The fields of a unified operation that differ from the ones that the namespace's operation gives; undefined if none
 * differs.
 */
function otherThan(op: Op | Op011, signed: SignedNamespaceOp | SignedNamespaceOp011): string | undefined {
  const { parentOpHashes, signer } = signed;
  const alike = (parent: Uint8Array, at: number) => equalBytes(parent, parentOpHashes[at] as Uint8Array);
  if (op.parents.length !== parentOpHashes.length || !op.parents.every(alike)) return "its parents are";
  if (!equalBytes(op.authorship.deviceKey, signer)) return "its device key is";
  if (op.hlc.time !== 0n || op.hlc.id !== 1n) return "its time is";
  // Only the namespace's form is signed.
  const isUnused = isZeros(op.expectedScopeRoot) && isZeros(op.signature);
  return isUnused ? undefined : "its root or its signature is";
}

type Rows = Since011;

/** Returns for each row whether its scope is a namespace that this node takes part in. */
async function inNamespace(
  rows: readonly { readonly key: ScopeUnifiedOp }[],
  tools: Tools<Rows>,
): Promise<readonly boolean[]> {
  const heads = await tools.find(rows.map(({ key }) => new NamespaceGovHead({ namespaceId: key.scope })));
  const parts = await tools.find(
    rows.map(({ key }) => new NamespaceParticipation({ namespaceId: key.scope })),
  );
  return rows.map((_, at) => heads[at]?.there === true || parts[at]?.there === true);
}

/**
 * Returns whether an operation must have a unified form. An operation that is known only by its frame has none, and for
 * a sealed operation on the namespace it is not known.
 */
function hasOtherForm(entry: StoredNamespaceEntry | StoredNamespaceEntry011 | undefined): boolean {
  return entry?.kind === "Signed" && (entry.value.op.kind === "Root" || entry.value.op.kind === "Group");
}

const unifiedOperation: Rule = {
  name: "unified-operation",
  relations: [49],
  severity: "error",
  says: "An operation of a namespace is there in both forms, which agree on what both have.",
  means: "The two stored forms of an operation do not agree. One of them was changed or is missing.",
  advice: COMPARE,
  pairs: true,
  checks: [
    onBatch(since011, ScopeUnifiedOp, async function* (rows, tools) {
      const operations = await tools.find(
        rows.map(({ key: { scope, opId } }) => new NamespaceGovOp({ namespaceId: scope, deltaId: opId })),
      );
      const namespaces = await inNamespace(rows, tools);
      for (const [at, { key, value }] of rows.entries()) {
        // Other scopes are contexts: a delta names their changes of writers, which may outlive the delta.
        if (!namespaces[at] && operations[at]?.there === false) continue;
        tools.checked();
        if (operations[at]?.there === false)
          yield { key, message: "the namespace has no such operation", found: key.opId };
        const entry = operations[at]?.value?.skeletonBytes.value;
        if (value.value === undefined || entry?.kind !== "Signed") continue;
        const what = otherThan(value.value, entry.value);
        if (what === undefined) continue;
        const message = `${what} not what the namespace's operation makes of it`;
        yield { key, message, severity: "error" };
      }
    }),
    onBatch(since011, NamespaceGovOp, async function* (rows, tools) {
      const signed = rows.filter(({ value }) => hasOtherForm(value.skeletonBytes.value));
      tools.checked(signed.length);
      for (const [{ key }, { there }] of await tools.join(
        signed,
        ({ key: { namespaceId, deltaId } }) => new ScopeUnifiedOp({ scope: namespaceId, opId: deltaId }),
      )) {
        const message = "the operation is not there in the other form";
        if (!there) yield { key, message, expected: key.deltaId };
      }
    }),
  ],
};

const operationDevice: Rule = {
  name: "operation-device",
  relations: [47, 49],
  severity: "error",
  says: "The device that made an operation of a namespace belongs to the account that it names, or was revoked.",
  means:
    "An operation was made by a device that the namespace does not know, or that belongs to somebody else.",
  advice: COMPARE,
  pairs: true,
  checks: [
    onBatch(since011, ScopeUnifiedOp, async function* (rows, tools) {
      const namespaces = await inNamespace(rows, tools);
      const made = rows.flatMap(({ key, value }, at) => {
        const { authorship } = value.value ?? {};
        // Zeros stand for a device that was not known yet.
        if (!namespaces[at] || authorship === undefined || isZeros(authorship.device)) return [];
        return [{ key, place: { groupId: key.scope, deviceId: authorship.device }, ...authorship }];
      });
      tools.checked(made.length);
      const bindings = await tools.find(made.map(({ place }) => new GroupDeviceBinding(place)));
      const revoked = await tools.find(made.map(({ place }) => new GroupRevokedDevice(place)));
      for (const [at, { key, account, device }] of made.entries()) {
        const binding = bindings[at];
        const about = concat(key.scope, device);
        if (binding?.there === false && revoked[at]?.there === false) {
          const message = "the namespace does not know the device that made the operation";
          yield { key, message, found: device, about };
        } else if (binding?.value !== undefined && !equalBytes(binding.value.account, account)) {
          const message = "the device that made the operation belongs to another account";
          yield { key, message, found: account, expected: binding.value.account, severity: "error" };
        }
      }
    }),
  ],
};

export const unifiedOperationRules: readonly Rule[] = [unifiedOperation, operationDevice];
