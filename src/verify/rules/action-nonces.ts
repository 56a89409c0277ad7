/** Nonces of signed actions, which prevent the replay of an old action. */
import { concat } from "../../bytes/concat.js";
import { equalBytes } from "../../bytes/order.js";
import { sha256 } from "../../crypto/index.js";
import { actionSignature, actionSignature010 } from "../../digests/index.js";
import { ContextDagDelta } from "../../keys/index.js";
import { type Action010, type AnyAction, actionsIn } from "../../payloads/index.js";
import { COMPARE } from "../advice.js";
import { runsById } from "../batches.js";
import type { RowFinding } from "../finding.js";
import { Records } from "../records.js";
import { on, type Rule } from "../rule.js";
import { since010 } from "../since.js";
import type { Delta } from "./deltas.js";

/** Bytes of a record: 16 bytes of the hash of signer and entity, time (8), nonce (8), delta id (32). */
const RECORD = 64;

function signedIn(delta: Delta): readonly (readonly [AnyAction, Uint8Array])[] {
  const isOf010 = !("authorId" in delta);
  return actionsIn(delta.actions.value ?? []).flatMap((action) => {
    const by = isOf010
      ? actionSignature010(action as Action010)
      : actionSignature(action as Exclude<AnyAction, Action010>);
    return by === undefined ? [] : [[action, by.publicKey] as const];
  });
}

function nonceOf(action: AnyAction): bigint | undefined {
  if (action.kind === "Compare") return undefined;
  const { storageType } = action.metadata;
  return "signatureData" in storageType ? storageType.signatureData?.nonce : undefined;
}

function bigEndian(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}

function readBigEndian(record: Uint8Array, at: number): bigint {
  return new DataView(record.buffer, record.byteOffset).getBigUint64(at);
}

export const actionNonce: Rule = {
  name: "action-nonce",
  relations: [24],
  severity: "warning",
  // A key signs on one device, whose deltas follow each other. So their times give the causal order.
  says: "The nonces of a key's actions on an entity rise with the deltas that they are in.",
  means: "An old change may have been applied a second time.",
  advice: COMPARE,
  checks: [
    on(since010, ContextDagDelta, async function* (batches, tools) {
      let records = new Records(RECORD);
      for await (const { id: contextId, rows, begins, ends } of runsById(
        batches,
        ({ key }) => key.contextId,
      )) {
        if (begins) records = new Records(RECORD);
        for (const { key, value } of rows) {
          for (const [action, signer] of signedIn(value)) {
            const nonce = nonceOf(action);
            if (nonce === undefined) continue;
            tools.checked();
            const subject = sha256(concat(signer, action.id)).subarray(0, 16);
            records.add(subject, bigEndian(value.hlc.time), bigEndian(nonce), key.deltaId);
          }
        }
        if (ends) yield* falling(contextId, records);
      }
    }),
  ],
};

/** Reports actions whose nonce is not above the nonces of earlier deltas by the same key on the same entity. */
function* falling(contextId: Uint8Array, records: Records): Iterable<RowFinding> {
  let last: Uint8Array | undefined;
  for (const record of records.sorted()) {
    const same = last !== undefined && equalBytes(record.subarray(0, 16), last.subarray(0, 16));
    if (last === undefined || !same) {
      last = record;
      continue;
    }
    const nonce = readBigEndian(record, 24);
    const highest = readBigEndian(last, 24);
    if (nonce > highest) last = record;
    else if (!equalBytes(record.subarray(32), last.subarray(32))) {
      const key = new ContextDagDelta({ contextId, deltaId: record.subarray(32) });
      const message = "an action has a nonce that is not above the one before, as if it was made again";
      yield { key, message, found: nonce, expected: `more than ${highest}` };
    }
  }
}
