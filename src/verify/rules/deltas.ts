/** Deltas: their parents in the graph of a context. */
import { isZeros } from "../../bytes/bytes.js";
import { equalBytes } from "../../bytes/order.js";
import { ContextDagDelta } from "../../keys/index.js";
import type { DeltaRow, HybridTimestamp010 } from "../../payloads/index.js";
import type { ContextDagDeltaValue010, ContextDagDeltaValue011 } from "../../values/index.js";
import { COMPARE, SYNC } from "../advice.js";
import { OncePerBatch } from "../batches.js";
import type { RowFinding } from "../finding.js";
import { type GoodRow, onBatch, onEach, type Rule } from "../rule.js";
import { type Since010, since010 } from "../since.js";
import type { Found, Tools } from "../tools.js";

/** A delta of any revision. */
export type Delta = ContextDagDeltaValue010 | ContextDagDeltaValue011 | DeltaRow;
type Row = GoodRow<ContextDagDelta, Delta>;

const ZEROS = new Uint8Array(32);

const deltaParents: Rule = {
  name: "delta-parents",
  relations: [17],
  severity: "error",
  // A longer cycle would need a delta whose id is not its hash, and `delta-id` reports that.
  says: "A delta has parents; the first of a context has zeros for its only one; none is its own.",
  means: "No node makes such a delta. The history of the context is wrong at this place.",
  advice: COMPARE,
  checks: [
    onEach(since010, ContextDagDelta, function* ({ key, value: { parents } }, tools) {
      tools.checked();
      if (parents.length === 0) yield { key, message: "the delta has no parent", expected: ZEROS };
      if (parents.some((parent) => equalBytes(parent, key.deltaId)))
        yield { key, message: "the delta is its own parent", found: key.deltaId };
      if (parents.length > 1 && parents.some((id) => isZeros(id)))
        yield { key, message: "the delta has the parent of a first delta, and others" };
    }),
  ],
};

/** A delta with one of its parents, which may be missing. */
interface Edge {
  readonly row: Row;
  readonly parent: Uint8Array;
  readonly found: Found<Delta>;
}

const edges = new OncePerBatch<readonly Row[], Promise<readonly Edge[]>>();

/** All rules of a batch share one round of lookups. */
function parentsOf(rows: readonly Row[], tools: Tools<Since010>): Promise<readonly Edge[]> {
  return edges.of(rows, async () => {
    const pairs = rows.flatMap((row) => row.value.parents.map((parent) => ({ row, parent })));
    const found = await tools.join(
      pairs.filter(({ parent }) => !isZeros(parent)),
      ({ row, parent }) => new ContextDagDelta({ contextId: row.key.contextId, deltaId: parent }),
    );
    return found.map(([pair, found]) => ({ ...pair, found }));
  });
}

/** A check of each delta with each of its parents. */
function onEdges(look: (edge: Edge, tools: Tools<Since010>) => Iterable<RowFinding>) {
  return onBatch(since010, ContextDagDelta, async function* (rows, tools) {
    for (const edge of await parentsOf(rows, tools)) for (const finding of look(edge, tools)) yield finding;
  });
}

const parentThere: Rule = {
  name: "delta-parent-there",
  relations: [19],
  severity: "warning",
  says: "The parents of an applied delta are there.",
  means: "The history of the context has a gap. The node may have to fetch it from its peers.",
  advice: SYNC,
  checks: [
    onEdges(function* ({ row: { key, value }, parent, found }, tools) {
      if (!value.applied) return;
      tools.checked();
      if (!found.there)
        yield {
          key,
          message: "a parent is not there: never received, or dropped after a snapshot",
          expected: parent,
        };
    }),
  ],
};

const parentApplied: Rule = {
  name: "delta-parent-applied",
  relations: [20],
  severity: "warning",
  says: "The parents of an applied delta are applied.",
  means: "The node applied a delta before one that it builds on. Its state may lack a change.",
  advice: SYNC,
  checks: [
    onEdges(function* ({ row: { key, value }, parent, found }, tools) {
      if (!value.applied || found.value === undefined) return;
      tools.checked();
      if (!found.value.applied)
        yield { key, message: "the delta is applied, and a parent is not", found: parent };
    }),
  ],
};

function isLater(a: HybridTimestamp010, b: HybridTimestamp010): boolean {
  return a.time === b.time ? a.id > b.id : a.time > b.time;
}

const deltaClock: Rule = {
  name: "delta-clock",
  relations: [25],
  severity: "info",
  says: "A delta is later than its parents, by their clocks.",
  means: "The clock of the node that made the delta was behind.",
  advice: "Nothing for old deltas. If new ones appear, check the clock of the node that makes them.",
  checks: [
    onEdges(function* ({ row: { key, value }, found }, tools) {
      if (found.value === undefined) return;
      tools.checked();
      if (!isLater(value.hlc, found.value.hlc)) {
        const message = "the delta is not later than a parent: its node's clock was behind";
        yield { key, message, found: value.hlc.time, expected: `more than ${found.value.hlc.time}` };
      }
    }),
  ],
};

export const deltaRules: readonly Rule[] = [deltaParents, parentThere, parentApplied, deltaClock];
