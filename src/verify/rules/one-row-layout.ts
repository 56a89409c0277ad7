/** The layout of State since core-1.0: one row for each entity, and rows for the tries of children. */

import { concat } from "../../bytes/concat.js";
import { equalBytes } from "../../bytes/order.js";
import { markedEntryId } from "../../digests/index.js";
import type { AnyKey, AnyKeyClass, KeyRange } from "../../keys/index.js";
import { entityKey } from "../../layouts/index.js";
import { Pause } from "../../pause.js";
import type { Schema } from "../../schemas/index.js";
import { OncePerBatch } from "../batches.js";
import type { RowFinding } from "../finding.js";
import type { KindCheck } from "../rule.js";
import type { Since010 } from "../since.js";
import type { Tools } from "../tools.js";
import {
  ASPECTS,
  type Aspect,
  ContextTally,
  childrenOf,
  entityIn,
  type Look,
  lookAt,
  type RawStateRow,
  type StateKey,
  unreached,
} from "./one-row/index.js";
import type { StateLayout, StateRule } from "./state-layout.js";
import { askUnfinished } from "./unfinished.js";

type Rows = AsyncIterable<readonly RawStateRow[]>;

/** One clock for all looks, because a batch alone never takes long. */
const pause = new Pause();
const looks = new OncePerBatch<readonly RawStateRow[], Promise<Look>>();

/** Yields the facts of each batch of rows, which all rules share. */
async function* look(batches: Rows, tools: Tools): AsyncGenerator<Look, void, undefined> {
  const isUnfinished = askUnfinished(tools as unknown as Tools<Since010>);
  for await (const rows of batches)
    yield await looks.of(rows, () => lookAt(rows, tools, ({ contextId }) => isUnfinished(contextId), pause));
}

/** The findings of one rule. */
function findingsOf(aspect: Aspect) {
  return async function* (batches: Rows, tools: Tools): AsyncGenerator<RowFinding, void, undefined> {
    for await (const { findings } of look(batches, tools)) {
      tools.checked(findings.checkedOf(aspect));
      for (const finding of findings.findingsOf(aspect)) yield finding;
    }
  };
}

/** Reports rows of contexts that no other row names. They exist only if two tallies differ. */
function reachable(kind: AnyKeyClass) {
  return async function* (batches: Rows, tools: Tools): AsyncGenerator<RowFinding, void, undefined> {
    const isUnfinished = askUnfinished(tools as unknown as Tools<Since010>);
    let last: ContextTally | undefined;
    const ended = async function* (
      tally: ContextTally | undefined,
    ): AsyncGenerator<RowFinding, void, undefined> {
      if (tally === undefined) return;
      tools.checked(tally.entities.count);
      if (tally.isWhole || (await isUnfinished(tally.contextId))) return;
      const range = rangeOf(kind, tally.contextId);
      yield* unreached(tools.scan(range as never) as unknown as Rows, tools, pause);
    };
    for await (const { contexts } of look(batches, tools)) {
      for (const tally of contexts) {
        if (last !== undefined && equalBytes(last.contextId, tally.contextId)) {
          last.take(tally);
          continue;
        }
        yield* ended(last);
        last = new ContextTally(tally.contextId);
        last.take(tally);
      }
    }
    yield* ended(last);
  };
}

/** All rows of a context. */
function rangeOf(kind: AnyKeyClass, contextId: Uint8Array): KeyRange<AnyKeyClass> {
  return kind.range({ contextId });
}

/** The first byte of the mark of a sorted collection's order, before its full hash. */
const MARK = 2;
const MARK_SIZE = 33;

/** The order of sorted collections. */
const order: StateLayout["order"] = {
  hashInMark: (mark) => (mark.length === MARK_SIZE && mark[0] === MARK ? mark.subarray(1) : undefined),
  // If an account owns the entry, or the order has several keys, the order key ends with the entry's id.
  isPlaceOf: (collectionId, orderKey, entryId) =>
    equalBytes(entryId, markedEntryId(collectionId, orderKey)) ||
    equalBytes(orderKey.subarray(-entryId.length), entryId),
  collectionIn: (key, value) => {
    const entity = entityIn(key as StateKey, value);
    return (
      entity && {
        fullHash: entity.index.fullHash,
        kind: entity.index.metadata.crdtType?.kind,
        children: (find) => childrenOf(entity, { find } as unknown as Tools, pause),
      }
    );
  },
};

/** The layout for the kind of State row that has it. Its key is the context's id and a state key of 33 bytes. */
export function oneRow(revisions: readonly Schema[], kind: AnyKeyClass): StateLayout {
  const check = (
    run: (batches: Rows, tools: Tools) => AsyncGenerator<RowFinding, void, undefined>,
  ): KindCheck => ({
    kind,
    revisions,
    run: run as unknown as KindCheck["run"],
  });
  const checks: Partial<Record<StateRule, readonly KindCheck[]>> = {
    "state-reachable": [check(reachable(kind))],
  };
  for (const rule of ASPECTS) checks[rule] = [check(findingsOf(rule))];
  return {
    revisions,
    checks,
    order,
    indexKey: (contextId, entityId) => kind.view(concat(contextId, entityKey(entityId))),
    fullHashIn: (key: AnyKey, value) => entityIn(key as StateKey, value)?.index.fullHash,
  };
}
