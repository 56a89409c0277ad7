/**
 * The forms in which a delta of core-1.0 may be signed: by its author, for another account, or by a trusted machine.
 */
import { ReadFailure } from "../../codec/index.js";
import {
  delegatedDeltaSigningBytes,
  deltaSigningBytes,
  earlierDeltaSigningBytes,
  TeeTrigger,
  teeDeltaSigningBytes,
  triggerFragment,
} from "../../digests/index.js";
import { type ContextDagDelta, Generic, scopeBytes } from "../../keys/index.js";
import type { DeltaRow } from "../../payloads/index.js";
import type { Core10 } from "../../schemas/index.js";
import type { GoodRow } from "../rule.js";
import type { Tools } from "../tools.js";
import type { Signed } from "../work.js";
import type { SignedForms } from "./signed-forms.js";

type Row = GoodRow<ContextDagDelta, DeltaRow>;

const TRIGGERS = scopeBytes("calimero-teedelt") as Uint8Array;

/** A delta with a signature, and all forms that the signature may have, the likeliest first. */
interface SignedDelta extends SignedForms {
  readonly key: ContextDagDelta;
}

/**
 * The signed deltas among rows. Deltas with a warrant of the first layout are left out, because their form is not
 * known.
 */
export async function signedDeltas(
  rows: readonly Row[],
  tools: Tools<Core10>,
): Promise<readonly SignedDelta[]> {
  const signed = rows.filter(({ value }) => value.authorId !== null && value.deltaSignature !== null);
  const triggers = await tools.find(
    signed.map(
      ({ key: { contextId, deltaId } }) =>
        new Generic({ scope: TRIGGERS, fragment: triggerFragment(contextId, deltaId) }),
    ),
  );
  return signed.flatMap((row, at) => {
    const [first, ...others] = formsOf(row, triggers[at]?.value);
    return first === undefined ? [] : [{ key: row.key, forms: [first, ...others] }];
  });
}

function formsOf({ key, value }: Row, trigger: Uint8Array | undefined): readonly Signed[] {
  const { authorId, deltaSignature: signature, hlc } = value;
  if (authorId === null || signature === null) return [];
  const { contextId, deltaId } = key;
  const governancePosition = value.governancePositionBlob?.value ?? null;
  const envelope = { contextId, deltaId, authorId, governancePosition, hlc };
  const delegation = "delegation" in value ? value.delegation : null;
  const by = (publicKey: Uint8Array) => (message: Uint8Array) => ({
    publicKey,
    message,
    signature,
    strict: true,
  });
  if (delegation !== null) {
    if (delegation.kind === "A") return [];
    const { executorKey } = delegation;
    return [delegatedDeltaSigningBytes(envelope, executorKey, delegation)].map(by(executorKey));
  }
  const isShort = value.kind === "v1" || value.kind === "legacy-16-delegation";
  const earlier = earlierDeltaSigningBytes(envelope, isShort);
  const reason = trigger && TeeTrigger.readWhole(trigger);
  const machine = isTrigger(reason) ? [teeDeltaSigningBytes(envelope, reason)] : [];
  const own = isShort ? [deltaSigningBytes(envelope)] : [];
  return [...machine, ...own, ...earlier].map(by(authorId));
}

function isTrigger(read: unknown): read is TeeTrigger {
  return typeof read === "object" && read !== null && !(read instanceof ReadFailure);
}
