/** The ids of deltas: hashes of their parents and actions. */
import { isZeros } from "../../bytes/bytes.js";
import { equalBytes } from "../../bytes/order.js";
import { eventsFragment, eventsHash, hashing010, hashing011, possibleHashings } from "../../digests/index.js";
import { ContextDagDelta, Generic, scopeBytes } from "../../keys/index.js";
import { Pause } from "../../pause.js";
import { actionsIn, type DeltaRow } from "../../payloads/index.js";
import type { Steps } from "../../steps.js";
import type { ContextDagDeltaValue010, ContextDagDeltaValue011 } from "../../values/index.js";
import { COMPARE } from "../advice.js";
import type { RowFinding } from "../finding.js";
import { on, type Rule } from "../rule.js";
import { since10, until011 } from "../since.js";
import type { Delta } from "./deltas.js";

/** Computes the id that a delta should have before core-1.0; undefined if its actions do not decode. */
function hashingId(delta: ContextDagDeltaValue010 | ContextDagDeltaValue011): Steps<Uint8Array> | undefined {
  if ("authorId" in delta) {
    const actions = delta.actions.value;
    return actions === undefined ? undefined : hashing011(delta.parents, actions);
  }
  const actions = delta.actions.value;
  return actions === undefined ? undefined : hashing010(delta.parents, actions);
}

/** Returns whether a delta has the shape of a checkpoint: its one parent is zeros, and it has no actions and time 0. */
function looksLikeCheckpoint({ parents: [parent, ...others], actions, hlc }: Delta): boolean {
  if (parent === undefined || others.length > 0 || !isZeros(parent)) return false;
  const isEmpty =
    actions.value === undefined ? actions.bytes.length === 0 : actionsIn(actions.value).length === 0;
  return isEmpty && hlc.time === 0n && hlc.id === 1n;
}

function* asCheckpoint(key: ContextDagDelta, value: Delta): Iterable<RowFinding> {
  if (looksLikeCheckpoint(value)) return;
  yield { key, message: "the delta is marked as a checkpoint, but has parents, actions or a time" };
}

function isCheckpoint(value: Delta): boolean {
  return "checkpointRootHash" in value && value.checkpointRootHash !== null;
}

const OTHER_ID = "parents and actions give another id";

/**
 * Not an error: the rule for ids changed several times, and not all of its versions are known. See {@link isCertain}.
 */
const BY_NO_RULE = `${OTHER_ID} by every known rule: the delta was changed, or its node computed ids otherwise`;

/**
 * Returns whether only today's rule can give the id of a delta. Its row must have the newest layout, and no action may
 * have a list of ancestors or signature data: the sources leave open how these are hashed.
 */
function isCertain({ kind, actions }: DeltaRow): boolean {
  if (kind !== "v1") return false;
  return (actions.value?.actions ?? []).every((action) => {
    const { storageType } = action.metadata;
    const isSigned = "signatureData" in storageType && storageType.signatureData !== null;
    return !isSigned && (action.kind === "DeleteRef" || action.ancestors.length === 0);
  });
}

const EVENTS = scopeBytes("calimero-deltevh") as Uint8Array;

export const deltaIdRule: Rule = {
  name: "delta-id",
  relations: [16],
  severity: "error",
  says: "A delta's id is the hash of its parents and actions, unless it is a checkpoint.",
  means: "The delta was changed after it was made. Peers do not accept it under this id.",
  advice: COMPARE,
  checks: [
    on(until011, ContextDagDelta, async function* (batches, tools) {
      const pause = new Pause();
      for await (const rows of batches)
        for (const { key, value } of rows) {
          if (isCheckpoint(value)) {
            tools.checked();
            yield* asCheckpoint(key, value);
            continue;
          }
          const steps = hashingId(value);
          if (steps === undefined) continue;
          tools.checked();
          const expected = await pause.between(steps);
          if (equalBytes(expected, key.deltaId)) continue;
          // core-0.10 does not mark checkpoints.
          if (!("authorId" in value) && looksLikeCheckpoint(value)) continue;
          yield { key, message: OTHER_ID, found: key.deltaId, expected };
        }
    }),
    on(since10, ContextDagDelta, async function* (batches, tools) {
      const pause = new Pause();
      for await (const rows of batches) {
        const stored = await tools.join(
          rows,
          ({ key: { contextId, deltaId } }) =>
            new Generic({ scope: EVENTS, fragment: eventsFragment(contextId, deltaId) }),
        );
        for (const [{ key, value }, { value: kept }] of stored) {
          if (isCheckpoint(value)) {
            tools.checked();
            yield* asCheckpoint(key, value);
            continue;
          }
          const actions = value.actions.value;
          if (actions === undefined) continue;
          tools.checked();
          const { events, parents } = value;
          const made = events === null ? undefined : eventsHash(events);
          if (kept !== undefined && made !== undefined && !equalBytes(kept, made))
            yield { key, message: "the events of the delta have another hash than is kept", found: made };
          const context = key.contextId;
          let isRight = false;
          for (const steps of possibleHashings({ context, events: kept ?? made, parents, actions }))
            isRight ||= equalBytes(await pause.between(steps), key.deltaId);
          if (isRight) continue;
          if (isCertain(value)) yield { key, message: OTHER_ID, found: key.deltaId };
          else yield { key, message: BY_NO_RULE, found: key.deltaId, severity: "warning" };
        }
      }
    }),
  ],
};
